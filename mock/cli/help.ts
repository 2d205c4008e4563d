import { type Settings, settings } from "./settings.ts";

/** The output of `--help`, at most 80 columns wide. */
export const helpText = (): string => `Usage: plant-store-mock [flags]
       plant-store-mock calibrate URL [flags]

Runs a mock of the Plant Store service on a local port, or compares it with a
real service: see plant-store-mock calibrate --help.

Flags:
${flagLines(settings)}

Environment:
${variableLines(settings)}
  Commas separate several tokens. Flags override the environment, which
  overrides the file of --config.

Output:
  When the mock is ready it prints its address: as one line of JSON, or as text
  on a terminal. The web console is at /_mock/.

Signals:
  On SIGTERM, SIGINT or SIGHUP the mock completes every accepted request, then
  exits. A second signal ends it at once.

Exit status:
  0        ended by a signal, or with its parent process
  1        cannot listen on the host and port, or write to standard output
  2        invalid flag, environment variable or file
  128 + n  ended at once by signal n

Examples:
  plant-store-mock
  plant-store-mock --port 0 --log silent --exit-with-parent
  plant-store-mock --token secret --duplicate-ids reject \\
    --initial-plants plants.ndjson
  curl http://127.0.0.1:4010/plants \\
    -H "Authorization: Bearer secret" -H "Content-Type: application/json" \\
    -d '{"id":1,"name":"Monstera deliciosa"}'
`;

export function flagLines(settings: Settings): string {
  const flags = Object.entries(settings).map(([flag, { value, help }]) => {
    return line(`--${flag}${value === undefined ? "" : ` ${value}`}`, help);
  });
  return [...flags, line("-h, --help", "print this help"), line("-v, --version", "print the version")].join("\n");
}

export function variableLines(settings: Settings): string {
  const variables = Object.entries(settings).flatMap(([flag, { variable }]) => {
    return variable === undefined ? [] : `  ${variable.padEnd(INDENT + 6)}--${flag}`;
  });
  return variables.join("\n");
}

/** The column of the descriptions. */
const INDENT = 26;
/** Words that fit into the 80 - 26 columns of a description. */
const WORDS = /\S.{0,53}(?!\S)/g;

function line(flag: string, help: string): string {
  const lines = help.match(WORDS) as string[];
  return `  ${flag}`.padEnd(INDENT) + lines.join(`\n${" ".repeat(INDENT)}`);
}
