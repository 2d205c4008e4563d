import { decodeNewPlant } from "../../../src/contract/json.ts";
import type { NewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault.ts";
import type { MockPlantStore, MockSession, MockSessionOptions, PlantMatch } from "../../service/mock-plant-store.ts";
import { decodeExactJson } from "../exact-json.ts";
import { ControlError } from "./control-error.ts";
import type { OpenSessions } from "./open-sessions.ts";

/** What an operation has to work with. */
export interface ControlCall {
  readonly mock: MockPlantStore;
  readonly sessions: OpenSessions;
  /** The session that the call is about: the root, unless the query names another. */
  readonly session: MockSession;
  readonly query: URLSearchParams;
  /** The last part of the path, where the operation has a variable there. */
  readonly name: string;
  readonly body: string;
}

/** What it gives: a value goes out as JSON; without one there is no body. */
export interface ControlReply {
  readonly status: number;
  readonly value?: unknown;
}

interface Injection {
  readonly fault: Fault;
  readonly times?: number | "unlimited";
  readonly when?: PlantMatch;
}

type Operation = (call: ControlCall) => ControlReply | Promise<ControlReply>;

const DONE: ControlReply = { status: 204 };

/** Every operation by method and path below `/_mock`; `*` stands for a name. */
export const operations: Readonly<Record<string, Operation>> = {
  "GET /health": ({ mock }) => ok({ status: "ok", baseUrl: mock.baseUrl }),

  "GET /plants": ({ session: { plants }, query }) => ok({ size: plants.size, plants: newest([...plants], query) }),
  "POST /plants": ({ session, body }) => {
    session.plants.add(readJson(body, decodeNewPlant) as NewPlant);
    return DONE;
  },
  "GET /plants/*": ({ session, name }) => {
    const plant = session.plants.get(readId(name));
    if (plant === undefined) throw new ControlError(404, `id: there is no plant ${name} in this session`);
    return ok(plant);
  },

  "GET /requests": ({ session: { requests }, query }) => {
    return ok({ count: requests.count, requests: newest([...requests], query) });
  },
  "DELETE /requests": ({ session }) => {
    session.requests.clear();
    return DONE;
  },

  "POST /faults": ({ session, body }) => {
    const { fault, times, when } = readObject<Injection>(body);
    session.inject(fault, { times: times === "unlimited" ? Number.POSITIVE_INFINITY : times, when });
    return DONE;
  },

  "POST /gates": ({ sessions, query }) => ({ status: 201, value: { gate: sessions.hold(sessionName(query)) } }),
  "GET /gates/*/arrived": async ({ sessions, name, query }) => {
    const arrival = sessions.gate(name).arrived(readCount(query, "count") ?? 1);
    return (await settlesWithin(arrival, ARRIVAL_WAIT_MS)) ? DONE : { status: 202, value: { arrived: false } };
  },
  "POST /gates/*/release": ({ sessions, name }) => {
    sessions.gate(name).release();
    return DONE;
  },

  "GET /sessions": ({ sessions }) => ok({ sessions: sessions.all }),
  "POST /sessions": ({ sessions, body }) => {
    const options = body === "" ? {} : readObject<MockSessionOptions>(body);
    return { status: 201, value: sessions.open(options) };
  },
  "DELETE /sessions/*": ({ sessions, name }) => {
    sessions.dispose(name);
    return DONE;
  },

  "POST /reset": ({ session }) => {
    session.reset();
    return DONE;
  },
  "GET /verify": ({ session }) => {
    session.verify();
    return DONE;
  },
  "POST /labels": ({ mock, body }) => {
    const { token } = readObject<{ token: string }>(body);
    if (typeof token !== "string") throw new ControlError(400, "token: must be a string");
    return ok({ label: mock.labelOf(token) });
  },
};

/** The name of the session that a call is about. */
export function sessionName(query: URLSearchParams): string {
  return query.get("session") ?? "root";
}

function ok(value: unknown): ControlReply {
  return { status: 200, value };
}

/** The newest of a list, as many as the query asks for. */
function newest<Item>(items: Item[], query: URLSearchParams): Item[] {
  const last = readCount(query, "last") ?? items.length;
  return items.slice(Math.max(0, items.length - last));
}

function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ControlError(400, `${name}: must be an integer from 0; it is ${JSON.stringify(text)}`);
}

function readId(text: string): bigint {
  if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
  throw new ControlError(400, `id: must be an int64 in decimal digits; it is ${JSON.stringify(text)}`);
}

function readJson(body: string, decode: (text: string) => unknown): unknown {
  try {
    return decode(body);
  } catch {
    throw new ControlError(400, "body: must be JSON; its syntax is wrong");
  }
}

function readObject<Shape>(body: string): Shape {
  const value = readJson(body, decodeExactJson);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Shape;
  throw new ControlError(400, "body: must be a JSON object");
}

/** A call that waits is answered before proxies and clients lose patience; the caller asks again. */
const ARRIVAL_WAIT_MS = 10_000;

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
