import { describe, kindOf } from "../../src/checks/describe.ts";
import { UNSEEN } from "../time/real-work.ts";

/** What a report is compared with: the ids of plants as text. */
export interface Facts {
  /** The plants that the scenario had to create. */
  readonly ids: readonly string[];
  readonly redelivered: readonly string[];
  /** The plants that were sent. */
  readonly sent: ReadonlySet<string>;
  /** How often each plant was stored in the run, besides the initial plants. */
  readonly stored: ReadonlyMap<string, number>;
  /** The plants that existed when the scenario returned. */
  readonly existing: ReadonlySet<string>;
  /** The plants that the journal has as created. */
  readonly recorded: ReadonlySet<string>;
}

/** Why code may not send a plant. */
const MODULE_STATE = "what a module remembers lasts from run to run: create clients and state in the scenario";

const VERDICTS = ["created", "failed", "unknown"] as const;
type Verdict = (typeof VERDICTS)[number];

/** The verdicts of a report by id. */
export type Verdicts = ReadonlyMap<string, readonly [Verdict, ...Verdict[]]>;

const FIX = "return { created, failed, unknown }, each a list of ids";

/**
 * Reads a report.
 *
 * @param recorded - The plants that the journal has as created: they count as reported created.
 * @returns The verdicts of each id, or what is wrong.
 */
export function readReport(report: unknown, recorded: Iterable<string>): Verdicts | string {
  if (typeof report !== "object" || report === null) return `the scenario returned ${describe(report)}; ${FIX}`;
  const verdicts = new Map<string, [Verdict, ...Verdict[]]>();
  for (const [key, ids] of Object.entries(report)) {
    const verdict = VERDICTS.find((name) => name === key);
    if (!verdict) return `the report has ${describe(key)}; ${FIX}`;
    if (ids === undefined) continue;
    if (typeof ids !== "object" || ids === null || !(Symbol.iterator in ids))
      return `${key}: must be a list of ids, not ${kindOf(ids)}; ${FIX}`;
    for (const id of ids as Iterable<unknown>) verdicts.set(`${id}`, [verdict, ...(verdicts.get(`${id}`) ?? [])]);
  }
  for (const id of recorded) if (!verdicts.has(id)) verdicts.set(id, ["created"]);
  return verdicts;
}

/** Compares a report with what the mock has stored. Returns what is wrong. */
export function checkReport(verdicts: Verdicts, facts: Facts): string | undefined {
  const doubles = checkDoubles(facts.stored);
  if (doubles) return doubles;
  if (facts.sent.size === 0) return describeSilence(verdicts);
  const ids = new Set(facts.ids);
  for (const [id, [verdict]] of verdicts) {
    if (!ids.has(id)) return `plant ${id} was reported ${verdict}, and is not one of the plants`;
  }
  for (const id of ids) {
    const problem = checkPlant(id, verdicts.get(id) ?? [], facts);
    if (problem) return problem;
  }
  return undefined;
}

function checkPlant(id: string, reported: readonly Verdict[], facts: Facts): string | undefined {
  if (facts.recorded.has(id) && !facts.existing.has(id))
    return `plant ${id} is created by the journal, and is not stored`;
  // The second report of a plant that was delivered twice may say that it is not known, or the same again.
  const isRedelivered = facts.redelivered.includes(id);
  const known = isRedelivered ? [...new Set(reported)].filter((verdict) => verdict !== "unknown") : reported;
  if (known.length > 1) return `plant ${id} was reported ${[...reported].sort().join(" and ")}`;
  const verdict = known[0] ?? reported[0];
  if (!verdict) return `plant ${id} was reported neither as created nor failed nor unknown`;
  if (verdict === "created" && !facts.existing.has(id)) {
    const reason = facts.sent.has(id) ? "" : `; it was not sent: ${MODULE_STATE}`;
    return `plant ${id} was reported created, and is not stored${reason}`;
  }
  if (verdict === "failed" && facts.stored.has(id)) return `plant ${id} was reported failed, and is stored`;
  return undefined;
}

function describeSilence(verdicts: Verdicts): string {
  const reported = [...verdicts.values()].map(([verdict]) => verdict);
  const counts = VERDICTS.map((name) => [reported.filter((verdict) => verdict === name).length, name] as const);
  const words = counts.flatMap(([count, name]) => (count > 0 ? `${count} ${name}` : [])).join(", ") || "nothing";
  return `it sent no request through clientOptions.fetch, and reported ${words}; ${MODULE_STATE}; ${UNSEEN}`;
}

/** Finds a plant that was stored twice. */
export function checkDoubles(stored: ReadonlyMap<string, number>): string | undefined {
  for (const [id, count] of stored) if (count > 1) return `plant ${id} is stored twice`;
  return undefined;
}

/** The name and the first line of what was thrown, and where: the developer has to find it. */
export function describeThrown(thrown: unknown): string {
  const { name, message, stack } = Object(thrown) as Partial<Error>;
  if (typeof message !== "string") return describe(thrown);
  const place =
    typeof stack === "string" &&
    stack
      .split("\n")
      .find((line) => line.startsWith("    at "))
      ?.trim();
  const [line] = message.split("\n");
  return [`${name ?? "Error"}: ${line}`, ...(place ? [place] : [])].join(", ");
}
