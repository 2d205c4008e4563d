import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { assumptions, DEFAULT_MAX_BODY_BYTES } from "../service/assumptions.ts";
import type { Probe } from "../service/probe.ts";
import { findLimit } from "./body-limit.ts";
import { type Finding, isAlike } from "./configuration.ts";
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

/** What the service did. */
export interface Survey {
  readonly findings: readonly Finding[];
  /** What it could not find out, and why. */
  readonly open: ReadonlyMap<string, string>;
  /** What has changed in the service, and after which probe: nothing may be written then. */
  readonly unwell: string | undefined;
  /** What was found out only in part. */
  readonly partial: readonly string[];
}

/**
 * Asks the service what the contract leaves open. An answer counts if it is that of the mock, or was seen twice. All probes
 * are sent in turn before one is sent again, so that a short outage is not seen twice.
 *
 * @throws Error if nothing can be found out: the service does not respond, is not a plant store, or rejects the token.
 */
export async function survey(interview: Interview): Promise<Survey> {
  interview.begin(await establish(interview));
  const limit = await findLimit(interview, interview.given.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
  const sent = { ...probes, ...limit.probes };
  for (let round = 0; round < MAX_ANSWERS; round++) {
    const pending = Object.entries(sent).filter(([, probe]) => conclude(interview.answers, probe) === undefined);
    // Between two answers to one probe, so that no outage is seen twice.
    if (pending.length > 0) await interview.checkHealth(1);
    for (const [name, probe] of pending) await interview.ask(name, probe);
  }
  await interview.checkHealth(0);

  const findings: Finding[] = [];
  const open = new Map<string, string>();
  for (const [name, probe] of Object.entries(sent)) {
    const conclusion = conclude(interview.answers, probe) ?? `${interview.stopped}`;
    const problem = typeof conclusion === "string" ? conclusion : limit.problemOf(name, conclusion.reply);
    if (problem !== undefined) open.set(name, problem);
    else findings.push({ ...(conclusion as Finding), name, probe });
  }
  const unstable = findings.filter(({ reply }) => reply.error === UNSTABLE);
  const notes = unstable.map(({ name }) => `${name}: its error value differs in each response; it is not compared`);
  return { findings, open, unwell: interview.unwell, partial: [...limit.notes, ...notes] };
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
  const { status, isAccepted, headers } = created;
  const returned = `returned ${describeObservation({ ...created, oddities: [] })}`;
  if (status === 401 || status === 403) return `${returned}: the service does not accept the token`;
  if (status === 404 || status === 405 || headers["Content-Type"] === "text/html") {
    return `${returned} to a valid plant: this is not a plant store, or the URL lacks its base path`;
  }
  const isRejected = status >= 400 && status <= 499;
  return isAccepted || isRejected ? undefined : `${returned} to a valid plant`;
}

/** What the answers to one request show: a finding, or why there is none; undefined if it is to be sent again. */
function conclude(all: readonly Finding[], { sends }: Probe): Finding | string | undefined {
  const answers = all.filter(({ probe }) => probe.sends === sends);
  const [first] = answers;
  if (first === undefined) return undefined;
  if (first.mocked === undefined) return first;
  const texts = answers.map(({ reply }) => describeObservation(reply));
  const twice = answers.find((_, index) => texts.indexOf(texts[index] as string) < index);
  if (twice?.reply.missing !== undefined) return twice.reply.missing;
  // If the mock's answer was seen, too, the other one is no difference yet.
  if (twice && (twice.mocked === undefined || answers.every(({ mocked }) => mocked !== undefined))) return twice;
  if (answers.length < MAX_ANSWERS) return undefined;
  return withoutError(answers) ?? `the answers differ: ${[...new Set(texts)].join("; ")}`;
}

/** The finding of answers that differ only in their `error` values. */
function withoutError(answers: readonly Finding[]): Finding | undefined {
  const masked = answers.map((answer): Finding => {
    const { error } = answer.reply;
    return { ...answer, reply: { ...answer.reply, error: error === undefined ? undefined : UNSTABLE } };
  });
  const [first] = masked as [Finding];
  const text = describeObservation(first.reply);
  if (masked.some(({ reply }) => describeObservation(reply) !== text)) return undefined;
  return { ...first, mocked: first.mocked && isAlike(first.mocked, first) ? undefined : first.mocked };
}
