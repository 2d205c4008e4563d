import { isRecord } from "../checks/objects.ts";
import { mustBe, type Rule } from "../checks/rules.ts";

/** A signal that can end a call, of any realm. */
export const signalProblem: Rule = /* @__PURE__ */ mustBe(
  "an AbortSignal",
  (value) => isRecord(value) && typeof value.aborted === "boolean" && typeof value.addEventListener === "function",
);

/** The callbacks of a signal, behind one listener. */
class Listeners extends Set<() => void> {
  readonly call = (): void => {
    for (const callback of this) callback();
  };
}

const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, Listeners>();

/**
 * Calls back when a signal is aborted. All calls that share a signal share one listener, because Node warns of a leak
 * from the eleventh listener on.
 *
 * @returns The function that stops listening.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? new Listeners();
  listenersOf.set(signal, listeners);
  if (listeners.size === 0) signal.addEventListener("abort", listeners.call);
  listeners.add(callback);
  return () => {
    // A listener that stays would keep a signal made by `AbortSignal.any` in memory.
    if (listeners.delete(callback) && listeners.size === 0) signal.removeEventListener("abort", listeners.call);
  };
}

/** The reason of an aborted signal, which may be null. Signals of React Native have none. */
export function abortReason(signal: AbortSignal | null | undefined): unknown {
  return signal?.reason === undefined ? stopError("AbortError", "The call was aborted") : signal.reason;
}

/** An error with the name of a DOMException, which React Native does not have. */
export function stopError(name: "AbortError" | "TimeoutError", message: string): Error {
  return Object.assign(new Error(message), { name });
}
