/**
 * A callback, until it is removed. What was deleted from a Set may stay in memory until the next full collection, thousands
 * of calls later: V8's old tables of a Set refer to the new ones.
 */
interface Entry {
  callback: (() => void) | undefined;
}

/** All callbacks of one signal, behind one listener. */
class Listeners {
  readonly #signal: AbortSignal;
  readonly #entries = new Set<Entry>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  readonly #listener = (): void => {
    for (const { callback } of [...this.#entries]) callback?.();
  };

  add(callback: () => void): () => void {
    if (this.#entries.size === 0) this.#signal.addEventListener("abort", this.#listener);
    const entry: Entry = { callback };
    this.#entries.add(entry);
    return () => {
      entry.callback = undefined;
      const wasLast = this.#entries.delete(entry) && this.#entries.size === 0;
      // A listener that stays would keep a signal made by `AbortSignal.any` in memory.
      if (wasLast) this.#signal.removeEventListener("abort", this.#listener);
    };
  }
}

const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, Listeners>();

/**
 * Calls back when a signal is aborted. All calls that share a signal share one listener, because Node warns of a leak
 * from the eleventh listener on.
 *
 * @returns The function that stops listening.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let listeners = listenersOf.get(signal);
  if (!listeners) {
    listeners = new Listeners(signal);
    listenersOf.set(signal, listeners);
  }
  return listeners.add(callback);
}

/** The reason of an aborted signal, which may be null. Signals of React Native have none. */
export function abortReason(signal: AbortSignal | null | undefined): unknown {
  return signal?.reason === undefined ? stopError("AbortError", "The call was aborted") : signal.reason;
}

/** An error with the name of a DOMException, which React Native does not have. */
export function stopError(name: "AbortError" | "TimeoutError", message: string): Error {
  return Object.assign(new Error(message), { name });
}
