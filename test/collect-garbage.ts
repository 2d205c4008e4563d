import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

setFlagsFromString("--expose-gc");

/** Collects all garbage, in a process that was started without `--expose-gc`. */
export const collectGarbage: () => void = runInNewContext("gc");

/** Resolves once the object of a WeakRef was collected: not always by the first collection, nor in the same turn. */
export async function collected(object: WeakRef<object>): Promise<void> {
  const isKept = () => {
    collectGarbage();
    return object.deref() !== undefined;
  };
  await expect.poll(isKept).toBe(false);
}
