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

FILE is a CSV list with a header that names the columns id, name and, if there is one, tag (.csv),
one JSON object a line (.ndjson, .jsonl), or a JSON array (.json). A cell of CSV cannot hold a line break.
Without FILE it is ${relative("", shippedList)}.

Environment:
  PLANT_STORE_BASE_URL, PLANT_STORE_TOKEN   the service to use; without both, the embedded mock

Options:
  -h, --help                                show this

Exit status: 0 when all went well or the list explains what did not, 1 when something else failed
or no plant of the list was created, 130 after Ctrl-C. Ctrl-C sends no new plant and waits for those
in flight; a second one quits at once. When nobody reads the output any longer, the import stops in the same way.`;

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
  if (second !== undefined) throw new UsageError(`one FILE at a time, and "${second}" is a second one`);
  if (file === undefined) return shippedList;
  if (!Object.hasOwn(formats, extname(file).toLowerCase())) {
    throw new UsageError(`${file}: must end in ${Object.keys(formats).join(", ")}, to say what it holds`);
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
