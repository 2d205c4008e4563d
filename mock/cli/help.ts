import { settings } from "./settings.ts";

/** What `--help` prints. */
export const helpText = (): string => `Usage: plant-store-mock [flags]

The Plant Store Service on a port of this machine, for tests and for trying out.

${flagLines()}

Each flag has an environment variable: PLANT_STORE_MOCK_BASE_PATH for --base-path, true or false
for a switch, commas between several values. Flags override the environment, which overrides the
file of --config.

Standard output has one line when the mock is ready: JSON, or a few words on a terminal.
The console is at /_mock/, the control API at /_mock/openapi.json.
SIGTERM and SIGINT answer every request that was accepted, then end; a second one quits at once.

Exit status: 0 ended by a signal or with its parent, 1 cannot listen, 2 wrong flag or seed file,
128 + n quit at once by signal n.

Examples:
  plant-store-mock
  plant-store-mock --port 0 --log silent --exit-with-parent
  plant-store-mock --token secret --duplicate-ids reject --seed plants.ndjson
  curl http://127.0.0.1:4010/plants -H "Authorization: Bearer secret" \\
    -H "Content-Type: application/json" -d '{"id":1,"name":"Monstera deliciosa"}'
`;

function flagLines(): string {
  const flags = Object.entries(settings).map(([flag, { value, help }]) => {
    return line(`--${flag}${value === undefined ? "" : ` ${value}`}`, help);
  });
  return [...flags, line("-h, --help", "print this"), line("-v, --version", "print the version")].join("\n");
}

/** A flag and its words, broken into lines of at most 64 characters. */
function line(flag: string, help: string): string {
  const lines: string[] = [];
  for (const word of help.split(" ")) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (longer.length > 64 || lines.length === 0) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return `  ${flag.padEnd(INDENT - 2)}${lines.join(`\n${" ".repeat(INDENT)}`)}`;
}

const INDENT = 28;
