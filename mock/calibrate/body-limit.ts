import { bodyOf, type Probe } from "../service/probe.ts";
import type { Observation } from "./exchange.ts";
import type { Interview } from "./interview.ts";

const MIB = 2 ** 20;
const MAX_TRIED_BYTES = 16 * MIB;
/** Powers of two from 1 KiB to 1 MiB. */
const POWERS = Array.from({ length: 11 }, (_, index) => 2 ** (index + 10));

/** The size limit of a body, as far as it was found out. */
interface BodyLimit {
  /** The probes that show it, by their names. */
  readonly probes: Readonly<Record<string, Probe>>;
  /** What it leaves open. */
  readonly notes: readonly string[];
  /** Why an answer to one of them does not count: they contradict each other. */
  readonly problemOf: (name: string, reply: Observation) => string | undefined;
}

/**
 * Finds the largest body that the service accepts, of those that are tried, and the smallest that it rejects.
 *
 * @param limit - The limit of the mock, in bytes. One between it and its double is no other, because it may be the power of
 *   two that an earlier run has found. Above 1 MiB only the limit itself is tried.
 */
export async function findLimit(interview: Interview, limit: number): Promise<BodyLimit> {
  const largest = limit <= MIB ? limit + 1 : Math.min(limit, MAX_TRIED_BYTES);
  const sizes = [...new Set([...POWERS, MIB + 1, Math.min(limit, largest), largest])].sort((one, other) => one - other);
  let [low, high] = [-1, sizes.length];
  while (high - low > 1) {
    const wanted = [largest, limit].map((size) => sizes.indexOf(size)).find((index) => low < index && index < high);
    const index = wanted ?? Math.floor((low + high) / 2);
    const { isAccepted } = await interview.ask("tooLarge", bodyOf(sizes[index] as number));
    if (isAccepted) low = index;
    else high = index;
  }
  return describeLimit(limit, sizes[low], sizes[high]);
}

function describeLimit(limit: number, accepted: number | undefined, rejected: number | undefined): BodyLimit {
  if (accepted === undefined) {
    const problem = `rejects even ${bodyOf(rejected as number).sends}`;
    return { probes: {}, notes: [], problemOf: (name) => (NAMES.includes(name) ? problem : undefined) };
  }
  const isSame = accepted >= limit && (rejected ?? 0) <= 2 * limit;
  const [tooLarge, largeBody] = [
    rejected === undefined ? bodyOf(accepted) : bodyOf(rejected, accepted),
    bodyOf(isSame ? Math.min(limit, accepted) : accepted),
  ];
  return {
    probes: { tooLarge, largeBody },
    notes: notesOf(accepted, rejected),
    problemOf: (name, { isAccepted }) => {
      const isExpected = name === "tooLarge" ? isAccepted === (rejected === undefined) : isAccepted;
      return isExpected || !NAMES.includes(name) ? undefined : "the answers to bodies of this size differ";
    },
  };
}

/** The names of the probes. */
const NAMES = ["tooLarge", "largeBody"];

function notesOf(accepted: number, rejected: number | undefined): string[] {
  if (rejected === undefined) return [`tooLarge: accepted ${bodyOf(accepted).sends}; larger ones were not tried`];
  if (rejected === accepted + 1) return [];
  return [`tooLarge: accepted ${bodyOf(accepted).sends}, rejected ${bodyOf(rejected).sends}; the limit lies between`];
}
