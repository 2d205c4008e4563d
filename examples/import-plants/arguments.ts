import { extname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formats } from "./read-list.ts";

/** What is wrong with the way the program was called, in words for the person who called it. */
export class UsageError extends Error {
  override name = "UsageError";
}

const shippedList = fileURLToPath(new URL("../data/plants.csv", import.meta.url));

/** The text of `--help`. */
export const usage = `Usage: npm start [-- FILE]

Creates every plant of FILE in a plant store.

FILE is a CSV list with a header that names the columns id, name and optionally tag (.csv), a file with
one JSON object per line (.ndjson, .jsonl), or a JSON array (.json). A CSV cell must not contain a line break.
The default is ${relative("", shippedList)}.

Environment:
  PLANT_STORE_BASE_URL, PLANT_STORE_TOKEN   the service to use; without both, the embedded mock

Options:
  -h, --help                                print this help

On Ctrl-C, the import sends no new plant and waits for the plants in flight; a second Ctrl-C ends it at once.
If nobody reads the output any longer, the import stops in the same way.

Exit status:
  0     every plant was created, except bad lines and plants that the service refused
  1     a plant failed for another reason or may exist, no plant was created, or the list cannot be read
  130   stopped by Ctrl-C`;

/**
 * Reads the command line.
 *
 * @returns The list to import, or `undefined` if help is asked for.
 * @throws {@link UsageError} for an unknown flag, a second file, or a file of an unknown kind.
 */
export function readArguments(args: string[]): string | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [file, second] = positionals;
  if (second !== undefined)
    throw new UsageError(`expected one FILE, received "${second}" as well; import one file at a time`);
  if (file === undefined) return shippedList;
  if (!Object.hasOwn(formats, extname(file).toLowerCase())) {
    throw new UsageError(`${file}: must end in ${Object.keys(formats).join(", ")}; the ending names the format`);
  }
  // npm runs the program in the folder of package.json: INIT_CWD is the folder of the person.
  return resolve(process.env.INIT_CWD ?? "", file);
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { help: { type: "boolean", short: "h" } } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
