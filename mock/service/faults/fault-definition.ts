import { integer, MAX_TIMER_MS, type Rule } from "../../../src/checks/rules.ts";
import { type Answer, INJECTED } from "../answer.ts";
import type { Delivery } from "../delivery.ts";
import type { WireReply } from "../wire-reply.ts";

/** Everything about one type of fault. Schemas, forms, tables and checks are derived from it. */
export interface FaultDefinition<Shape extends FaultShape = FaultShape> {
  /** Its name for a person, e.g. `the response is lost`. */
  readonly title: string;
  /** Its effect, in a few words. */
  readonly description: string;
  readonly fields: { readonly [Name in Exclude<keyof Shape, "type">]-?: FaultField };
  /** A rule across several fields; called if each field is valid. */
  check?(fault: Shape): string | undefined;
  readonly delivers: Delivered;
  /** Present if only the in-memory mock can reproduce it. */
  readonly isInMemoryOnly?: true;
  /** Handles the request. */
  apply(fault: Shape, context: FaultContext): Delivery | Promise<Delivery>;
}

/** What the client receives: the response, half of its body, the end of the connection, or nothing. */
export type Delivered = "response" | "half" | "end" | "nothing";

/** A fault as it may come from JSON. */
export type FaultShape = { readonly type: string; readonly [field: string]: unknown };

/** One field of a fault. It is optional if its rule accepts `undefined`. */
export interface FaultField {
  readonly rule: Rule;
  /** The rule as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The input of the console; a field without one is not shown there. */
  readonly form?: { readonly label: string; readonly initial: string | number };
}

/** The request that a fault affects. */
export interface FaultContext {
  /** The position of the fault among all faults of the session since its reset, from 1. */
  readonly number: number;
  /** Whether a reset has ended the request, or its client has disconnected. */
  readonly isOver: boolean;
  /** Lets the service process the request, and returns the response that it would send. */
  answer(): Answer;
  /** Records the response, or that there was none. */
  settle(answer: Answer | undefined): void;
  /** Waits for a number of milliseconds (forever by default), or until `isOver`. */
  wait(ms?: number): Promise<void>;
}

/** Responds in place of the service. */
export function replaced(reply: WireReply, context: FaultContext): Answer {
  const answer: Answer = { ...reply, how: "reply", source: INJECTED };
  context.settle(answer);
  return answer;
}

/** A field for a time in seconds or milliseconds. The limit is that of timers: a longer one fires at once. */
export function durationField(label: string, initial: number): FaultField {
  return {
    rule: integer(0, MAX_TIMER_MS),
    schema: { type: "integer", minimum: 0, maximum: MAX_TIMER_MS },
    form: { label, initial },
  };
}
