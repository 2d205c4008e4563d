import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects all garbage, in a process that was started without `--expose-gc`. */
export const collectGarbage: () => void = runInNewContext("gc");
