import type { Rule } from "../../../src/contract/rules.ts";
import type { AdapterName, Delivery, FailureDelivery } from "../delivery.ts";
import type { Answer, WireReply } from "../reply.ts";

/** Everything about one kind of fault. What is said of faults elsewhere is derived from these. */
export interface FaultDefinition<Shape extends FaultShape = FaultShape> {
  readonly type: Shape["type"];
  /** What it does, in a few words. */
  readonly description: string;
  /** Makes the fault. */
  create(...args: never[]): Shape;
  readonly fields: { readonly [Name in Exclude<keyof Shape, "type">]-?: FaultField };
  /** A rule that concerns several fields; called if each field keeps its own. */
  check?(fault: Shape): string | undefined;
  /** Whether the mock holds the plant afterwards. */
  readonly isStored: boolean;
  /** What reaches the client: the response, half of its body, the end of the connection, or nothing at all. */
  readonly delivers: "response" | "half" | "end" | "nothing";
  /** The forms of the mock that cannot reproduce it. */
  readonly cannot: readonly AdapterName[];
  /** What becomes of the exchange. */
  apply(fault: Shape, context: FaultContext): Delivery | Promise<Delivery>;
}

/** A fault as JSON may have it. */
export type FaultShape = { readonly type: string; readonly [field: string]: unknown };

/** One field of a fault. It is optional if its rule accepts `undefined`. */
export interface FaultField {
  readonly rule: Rule;
  /** The rule as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** How a form asks for it; a form leaves out a field without this. */
  readonly form?: { readonly label: string; readonly initial: string | number };
}

/** The exchange that a fault affects. */
export interface FaultContext {
  /** Whether a reset has ended the exchange, or its client has disconnected. */
  readonly isOver: boolean;
  /** Lets the service do its work, and returns the answer that it would send. */
  answer(): Answer;
  /** Records the answer, or that there was none. */
  settle(answer: Answer | undefined): void;
  /** Waits that long, or forever, but not beyond that. */
  wait(ms?: number): Promise<void>;
}

/** The service does its work, and its answer is recorded. */
export function processed(context: FaultContext): Answer {
  const answer = context.answer();
  context.settle(answer);
  return answer;
}

/** Answers in place of the service. */
export function replaced(reply: WireReply, context: FaultContext): Answer {
  const answer: Answer = { ...reply, how: "reply", provenance: "injected", assumption: undefined };
  context.settle(answer);
  return answer;
}

/** Ends the exchange before the service has seen it. */
export function failed(how: FailureDelivery["how"], context: FaultContext): Delivery {
  context.settle(undefined);
  return { how };
}

/** A number of seconds or milliseconds; a longer timer fires at once. */
export function countField(label: string, initial: number): FaultField {
  return {
    rule: (value) => {
      const isCount = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;
      return isCount ? undefined : `must be an integer from 0 to ${MAX_COUNT}`;
    },
    schema: { type: "integer", minimum: 0, maximum: MAX_COUNT },
    form: { label, initial },
  };
}

const MAX_COUNT = 2 ** 31 - 1;
