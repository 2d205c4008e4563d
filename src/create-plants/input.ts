import { isPlain } from "../checks/schema.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Thrown } from "./results.ts";

/** An array is an Iterable, too; named by itself, it lets the compiler point to the field of a plant that is wrong. */
export type Plants<Input extends NewPlant> = readonly Input[] | Iterable<Input> | AsyncIterable<Input>;

export type PlantIterator<Input> = Iterator<Input> | AsyncIterator<Input>;

/** Opens the input: no plant is pulled yet. */
export function openInput<Input extends NewPlant>(plants: Plants<Input>): PlantIterator<Input> {
  const { [Symbol.asyncIterator]: later } = plants as AsyncIterable<Input>;
  return later ? later.call(plants) : (plants as Iterable<Input>)[Symbol.iterator]();
}

/**
 * The plant of what the input yielded; undefined at its end.
 *
 * A plain object is copied, because a generator may reuse one for every plant.
 */
export function readYielded<Input>(result: IteratorResult<Input>): { readonly plant: Input } | undefined {
  // As in a `for await` loop. A number would otherwise count as a result, and the input would never end.
  if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
  const { done, value } = result;
  return done ? undefined : { plant: isPlain(value) ? { ...value } : value };
}

/**
 * Closes the input, and returns what that throws. `return()` of one with a pending plant settles only after that plant, and
 * is not waited for.
 */
export async function closeInput(iterator: PlantIterator<unknown>, isPulling: boolean): Promise<Thrown | undefined> {
  try {
    const closing = Promise.resolve(iterator.return?.());
    if (isPulling) closing.catch(() => {});
    else await closing;
    return undefined;
  } catch (error) {
    return { error };
  }
}
