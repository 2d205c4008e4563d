import fc from "fast-check";
import type { CreatePlantResult } from "plant-store-client";
import { expect } from "vitest";
import {
  type Effect,
  effects,
  type Model,
  newSessionModel,
  type Real,
  RealSession,
  type SessionModel,
} from "./model.ts";

type Command = fc.AsyncCommand<Model, Real>;

/** A command on one session: any number is brought into range, so that shrinking keeps it meaningful. */
abstract class OnSession implements Command {
  constructor(
    readonly pick: number,
    readonly detail = 0,
  ) {}

  protected abstract isPossible(session: SessionModel): boolean;
  protected abstract act(session: SessionModel, real: RealSession): Promise<void>;

  check(model: Readonly<Model>): boolean {
    return this.isPossible(model[this.pick % model.length] as SessionModel);
  }

  async run(model: Model, real: Real): Promise<void> {
    const index = this.pick % model.length;
    await this.act(model[index] as SessionModel, real.sessions[index] as RealSession);
    // Every session is in the expected state, especially those that the command did not affect.
    for (const [i, session] of model.entries()) expectSession(real.sessions[i] as RealSession, session);
  }

  toString(): string {
    return `${this.constructor.name}(${this.pick}, ${this.detail})`;
  }
}

function expectSession({ session }: RealSession, { plants, requests, maybe }: SessionModel): void {
  const ids = [...session.plants].map(({ id }) => id as number);
  expect(ids.filter((id) => !maybe.has(id))).toEqual(plants);
  expect(session.requests.count).toBe(requests);
}

/** Records the outcome for a plant that the service handles now, and what its caller receives. */
function settle(session: SessionModel, id: number): Pick<Effect, "kind" | "outcome"> | "created" {
  const effect = session.effects.shift();
  if (!effect || effect.isStored) session.plants.push(id);
  return effect ?? "created";
}

function expectResult(result: CreatePlantResult, expected: ReturnType<typeof settle>): void {
  const told = result.ok ? "created" : { kind: result.error.kind, outcome: result.error.outcome };
  expect(told).toEqual(expected === "created" ? expected : { kind: expected.kind, outcome: expected.outcome });
}

let nextId = 1;

class Create extends OnSession {
  isPossible(): boolean {
    return true;
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    const id = nextId++;
    session.requests++;
    if (session.held) {
      await real.createAtGate({ id, name: `Plant ${id}` });
      session.held.push({ id, hasLeft: false });
    } else {
      expectResult(await real.create({ id, name: `Plant ${id}` }), settle(session, id));
    }
  }
}

class Inject extends OnSession {
  isPossible({ held }: SessionModel): boolean {
    // It is undefined whether a plant whose caller has disconnected uses the fault.
    return !held?.some(({ hasLeft }) => hasLeft);
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    const effect = effects[this.detail % effects.length] as Effect;
    const times = 1 + (this.detail % 2);
    real.session.inject(effect.fault, { times });
    for (let i = 0; i < times; i++) session.effects.push(effect);
  }
}

class Hold extends OnSession {
  isPossible({ held }: SessionModel): boolean {
    return held === undefined;
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    real.hold();
    session.held = [];
  }
}

class Release extends OnSession {
  isPossible({ held }: SessionModel): boolean {
    return held !== undefined;
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    const held = session.held ?? [];
    session.held = undefined;
    const results = await real.release();
    for (const [i, { id, hasLeft }] of held.entries()) {
      if (!hasLeft) expectResult(results[i] as CreatePlantResult, settle(session, id));
    }
  }
}

class Abort extends OnSession {
  isPossible({ held, effects }: SessionModel): boolean {
    return effects.length === 0 && held?.some(({ hasLeft }) => !hasLeft) === true;
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    const held = session.held ?? [];
    const index = held.findIndex(({ hasLeft }) => !hasLeft);
    const { id } = held[index] as { id: number };
    expectResult(await real.abort(index), { kind: "aborted", outcome: "unknown" });
    held[index] = { id, hasLeft: true };
    session.maybe.add(id);
  }
}

class Reset extends OnSession {
  isPossible(): boolean {
    return true;
  }
  async act(session: SessionModel, real: RealSession): Promise<void> {
    const held = session.held ?? [];
    const results = await real.reset();
    for (const [i, { hasLeft }] of held.entries()) {
      const told = { kind: hasLeft ? "aborted" : "connection", outcome: "unknown" };
      expectResult(results[i] as CreatePlantResult, told);
    }
    Object.assign(session, newSessionModel());
  }
}

class Open implements Command {
  check(model: Readonly<Model>): boolean {
    return model.length < 5;
  }
  async run(model: Model, real: Real): Promise<void> {
    real.sessions.push(new RealSession(real.store.session()));
    model.push(newSessionModel());
  }
  toString(): string {
    return "Open()";
  }
}

const pick = fc.nat({ max: 4 });
const detail = fc.nat({ max: 11 });

export const commands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    pick.map((session) => new Create(session)),
    pick.map((session) => new Create(session)),
    fc.tuple(pick, detail).map(([session, fault]) => new Inject(session, fault)),
    pick.map((session) => new Hold(session)),
    pick.map((session) => new Release(session)),
    pick.map((session) => new Abort(session)),
    pick.map((session) => new Reset(session)),
    fc.constant(new Open()),
  ],
  { maxCommands: 40 },
);
