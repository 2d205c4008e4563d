import { parseArgs } from "node:util";
import { unknownName } from "../../src/checks/read-options.ts";
import { type Settings, settings, UsageError } from "./settings.ts";

/** The flags on the command line: a string for each value, `true` for a switch, a list if repeatable. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/**
 * Reads the command line.
 *
 * @throws {@link UsageError} that names the flag and the fix.
 */
export function readFlags(argv: readonly string[], known: Settings = settings): Flags {
  const options = {
    ...Object.fromEntries(
      Object.entries(known).map(([flag, { value, isList = false }]) => [
        flag,
        { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: isList },
      ]),
    ),
    help: { type: "boolean", short: "h" },
    version: { type: "boolean", short: "v" },
  } as const;
  try {
    const { values, tokens } = parseArgs({ args: [...argv], options, tokens: true });
    const names = tokens.filter((token) => token.kind === "option").map(({ name }) => name);
    const repeated = names.find((name, index) => names.indexOf(name) < index && !known[name]?.isList);
    if (repeated !== undefined) throw new UsageError(`--${repeated}: must be given only once`);
    return values as Flags;
  } catch (error) {
    throw readableError(error as NodeJS.ErrnoException, known, Object.keys(options));
  }
}

function readableError(error: NodeJS.ErrnoException, settings: Settings, flags: readonly string[]): Error {
  if (error instanceof UsageError) return error;
  const { code, message } = error;
  const subject = message.split("'", 2)[1] as string;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const known = flags.map((flag) => `--${flag}`);
    return new UsageError(unknownName(subject, known, "flag"));
  }
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    return new UsageError(`unexpected argument "${subject}"; give a value after its flag, such as --port 4010`);
  }
  // Node names the flag as '--port <value>', '--port' or '-h, --help'.
  const flag = /--([\w-]+)/.exec(subject)?.[1] as string;
  const value = settings[flag]?.value;
  if (value === undefined) return new UsageError(`--${flag}: takes no value; write --${flag} alone`);
  const forms = `--${flag} ${value}, or --${flag}=${value} if the value begins with a dash`;
  return new UsageError(`--${flag}: the value is missing; write ${forms}`);
}
