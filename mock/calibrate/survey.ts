import { CREATE_PLANT } from "../../src/contract/operations.ts";
import type { Finding } from "./configuration.ts";
import type { Interview } from "./interview.ts";
import { describeObservation, type Observation } from "./observe.ts";
import { CREATED, probes, UNTRIED } from "./probes.ts";

/** What the service did. */
export interface Survey {
  readonly findings: readonly Finding[];
  /** What it could not find out, and why. */
  readonly open: ReadonlyMap<string, string>;
  /** What was not tried, and why. */
  readonly untried: readonly string[];
}

/**
 * Asks the service what the contract leaves open. Each probe is sent twice in a row, because two versions behind a load
 * balancer take turns. Each rejection that the mock does not give is asked for once more after all others, so that a short
 * outage is not taken for one. What all answers to a probe show is a finding; if they differ, there is none.
 *
 * @throws Error if nothing can be found out: the service does not respond, is not a plant store, rejects the token, or
 *   changes.
 */
export async function survey(interview: Interview): Promise<Survey> {
  const { answers } = interview;
  interview.created = await establish(interview);
  const { created: _, ...others } = probes;
  for (const [name, probe] of Object.entries(others)) await interview.ask(name, probe, 2);
  await confirmRejections(interview, Object.keys(others));
  await interview.checkHealth(0);

  const findings: Finding[] = [];
  const open = new Map<string, string>();
  for (const name of Object.keys(probes)) {
    const conclusion = conclude(answers, name);
    if (typeof conclusion === "string") open.set(name, conclusion);
    else findings.push(conclusion);
  }
  return { findings, open, untried: UNTRIED };
}

/** Asks for one of each kind of rejection again: many services reject all invalid bodies alike. */
async function confirmRejections(interview: Interview, names: readonly string[]): Promise<void> {
  const confirmed = new Set<string>();
  for (const name of names) {
    const found = conclude(interview.answers, name);
    if (typeof found === "string" || found.mocked === undefined || found.reply.isAccepted) continue;
    const kind = describeObservation(found.reply);
    if (confirmed.has(kind)) continue;
    await interview.ask(name, found.probe, 1);
    if (typeof conclude(interview.answers, name) === "object") confirmed.add(kind);
  }
}

/** Asks for a valid plant. */
async function establish(interview: Interview): Promise<Finding> {
  await interview.ask("created", CREATED, 2);
  const created = conclude(interview.answers, "created");
  const problem = typeof created === "string" ? created : problemOf(created.reply);
  if (typeof created === "object" && problem === undefined) return created;
  throw new Error(`${CREATE_PLANT.method} ${interview.service.baseUrl}${CREATE_PLANT.path}: ${problem}`);
}

/** Why nothing can be found out after this response to a valid plant. */
function problemOf(created: Observation): string | undefined {
  const { status, isAccepted, location } = created;
  if (isAccepted) return undefined;
  const response = `the response to a valid plant is ${describeObservation(created)}`;
  if (status === 401 || status === 403) return `${response}; the service does not accept the token`;
  if (status >= 300 && status < 400 && location) return `${response}, a redirect to ${location}; use the URL there`;
  const isElsewhere = status < 400 || status === 404 || status === 405;
  return isElsewhere ? `${response}; this is not a plant store, or the URL lacks its base path` : response;
}

/** What the answers to a probe show: a finding, or why there is none. */
function conclude(all: readonly Finding[], name: string): Finding | string {
  const answers = all.filter((answer) => answer.name === name);
  const missing = answers.find(({ reply }) => reply.missing !== undefined)?.reply.missing;
  if (missing !== undefined) return missing;
  const texts = answers.map(({ reply }) => describeObservation(reply));
  return new Set(texts).size > 1 ? `the answers differ: ${texts.join("; ")}` : (answers[0] as Finding);
}
