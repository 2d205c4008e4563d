import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { assumptions, DEFAULT_MAX_BODY_BYTES } from "../service/assumptions.ts";
import type { Probe } from "../service/probe.ts";
import { findLimit } from "./body-limit.ts";
import type { Finding } from "./configuration.ts";
import { describeObservation, type Observation, UNSTABLE } from "./exchange.ts";
import { type Interview, MAX_ANSWERS } from "./interview.ts";

const CREATED: Probe = { sends: "a valid plant" };

/** All requests, by the names of what they find out. The first one asks whether this is a plant store. */
export const probes: Readonly<Record<string, Probe>> = {
  created: CREATED,
  createdWithTag: { sends: "a valid plant with a tag", fields: { tag: "calibrate" } },
  ...Object.fromEntries(
    Object.entries(assumptions).flatMap(([name, { probe, variants = {} }]) =>
      "none" in probe ? [] : [[name, probe], ...Object.entries(variants)],
    ),
  ),
};

/** What stays unknown in every run. */
const UNTRIED = Object.entries(assumptions).flatMap(([name, { probe }]) =>
  "none" in probe ? `${name}: ${probe.none}` : [],
);

/** What the service did. */
export interface Survey {
  readonly findings: readonly Finding[];
  /** What it could not find out, and why. */
  readonly open: ReadonlyMap<string, string>;
  /** What was not tried, and why. */
  readonly untried: readonly string[];
}

/**
 * Asks the service what the contract leaves open. An answer counts if it is that of the mock, or was seen twice. All probes
 * are sent in turn before one is sent again, so that a short outage is not seen twice.
 *
 * @throws Error if nothing can be found out: the service does not respond, is not a plant store, rejects the token, or
 *   changes.
 */
export async function survey(interview: Interview): Promise<Survey> {
  const { answers } = interview;
  interview.created = await establish(interview);
  const limit = await findLimit(interview, interview.given.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
  const sent = { ...probes, ...limit.probes };
  for (let round = 0; round < MAX_ANSWERS; round++) {
    const pending = Object.entries(sent).filter(([, probe]) => conclude(answers, probe) === undefined);
    // Between two answers to one probe, so that no outage is seen twice.
    if (pending.length > 0) await interview.checkHealth(1);
    for (const [name, probe] of pending) await interview.ask(name, probe);
  }
  await interview.checkHealth(0);

  const findings: Finding[] = [];
  const open = new Map<string, string>();
  for (const [name, probe] of Object.entries(sent)) {
    const conclusion = conclude(answers, probe);
    if (typeof conclusion === "string") open.set(name, conclusion);
    else findings.push({ ...(conclusion as Finding), name, probe });
  }
  const unstable = findings.filter(({ reply }) => reply.error === UNSTABLE);
  const notes = unstable.map(({ name }) => `${name}: its error value differs in each response; it is not compared`);
  return { findings, open, untried: [limit.untried, ...notes, ...UNTRIED] };
}

/** Asks for a valid plant until the response is known. */
async function establish(interview: Interview): Promise<Finding> {
  let created: Finding | string | undefined;
  while (created === undefined) {
    await interview.ask("created", CREATED);
    created = conclude(interview.answers, CREATED);
  }
  const problem = typeof created === "string" ? created : problemOf(created.reply);
  if (typeof created === "object" && problem === undefined) return created;
  throw new Error(`${CREATE_PLANT.method} ${interview.service.baseUrl}${CREATE_PLANT.path}: ${problem}`);
}

/** Why nothing can be found out after this response to a valid plant. */
function problemOf(created: Observation): string | undefined {
  const { status, isAccepted } = created;
  if (isAccepted) return undefined;
  const response = `the response to a valid plant is ${describeObservation(created)}`;
  if (status === 401 || status === 403) return `${response}; the service does not accept the token`;
  const isElsewhere = status < 400 || status === 404 || status === 405;
  return isElsewhere ? `${response}; this is not a plant store, or the URL lacks its base path` : response;
}

/** What the answers to one request show: a finding, or why there is none; undefined if it is to be sent again. */
function conclude(all: readonly Finding[], { sends, expected }: Probe): Finding | string | undefined {
  const answers = all.filter(({ probe }) => probe.sends === sends);
  const texts = answers.map(({ reply }) => describeObservation(reply));
  const [first] = answers;
  const isMocks = first !== undefined && first.mocked === undefined;
  const answer = isMocks ? first : answers.find((_, index) => texts.indexOf(texts[index] as string) < index);
  if (answer === undefined) {
    if (answers.length < MAX_ANSWERS) return undefined;
    return withoutError(answers) ?? `the answers differ: ${texts.join("; ")}`;
  }
  const { missing, isAccepted } = answer.reply;
  // The first: later ones may say only that there was no room for another request.
  if (missing !== undefined) return first?.reply.missing ?? missing;
  const isUnexpected = expected !== undefined && isAccepted !== (expected === "accepted");
  return isUnexpected ? `${sends} was not ${expected}, unlike before` : answer;
}

/** The finding of answers that differ only in their `error` values. */
function withoutError(answers: readonly Finding[]): Finding | undefined {
  const replies = answers.map(({ reply }): Observation => {
    return reply.error === undefined ? reply : { ...reply, error: UNSTABLE };
  });
  const isAlike = new Set(replies.map(describeObservation)).size === 1;
  return isAlike ? { ...(answers[0] as Finding), reply: replies[0] as Observation } : undefined;
}
