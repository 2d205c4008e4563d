import { bodyOf, type Probe } from "../service/probe.ts";
import type { Interview } from "./interview.ts";

const MIB = 2 ** 20;
const MAX_TRIED_BYTES = 16 * MIB;
/** Powers of two from 1 KiB to 1 MiB. */
const POWERS = Array.from({ length: 11 }, (_, index) => 2 ** (index + 10));

/**
 * Finds the largest body that the service accepts, of those that are tried, and the smallest that it rejects.
 *
 * @param limit - The limit of the mock, in bytes. One between it and its double is no other, because it may be the power of
 *   two that an earlier run has found. Above 1 MiB only the limit itself is tried.
 * @returns The probes that show it, by their names, and the sizes that were not tried.
 */
export async function findLimit(interview: Interview, limit: number) {
  const largest = limit <= MIB ? limit + 1 : Math.min(limit, MAX_TRIED_BYTES);
  const sizes = [...new Set([...POWERS, MIB + 1, Math.min(limit, largest), largest])].sort((one, other) => one - other);
  let [low, high] = [0, sizes.length];
  while (high - low > 1) {
    const wanted = [largest, limit].map((size) => sizes.indexOf(size)).find((index) => low < index && index < high);
    const index = wanted ?? Math.floor((low + high) / 2);
    const { isAccepted } = await interview.ask("tooLarge", bodyOf(sizes[index] as number));
    if (isAccepted) low = index;
    else high = index;
  }
  const [accepted, rejected] = [sizes[low] as number, sizes[high]];
  const isSame = (rejected ?? 0) <= 2 * limit;
  const largeBody = bodyOf(isSame ? Math.min(limit, accepted) : accepted);
  const tooLarge = rejected === undefined ? bodyOf(accepted) : bodyOf(rejected, accepted);
  const probes: Readonly<Record<string, Probe>> = {
    tooLarge: { ...tooLarge, expected: rejected === undefined ? "accepted" : "rejected" },
    largeBody: { ...largeBody, expected: "accepted" },
  };
  const range = rejected === undefined ? "larger than" : `between ${bodyOf(accepted).sends} and`;
  return { probes, untried: `tooLarge: ${range} ${tooLarge.sends}` };
}
