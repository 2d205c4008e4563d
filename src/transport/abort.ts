interface Entry {
  callback: (() => void) | undefined;
}

/** All callbacks of one signal, behind one listener. */
class AbortListeners {
  readonly #signal: AbortSignal;
  readonly #entries = new Set<Entry>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  readonly #listener = (): void => {
    for (const { callback } of [...this.#entries]) callback?.();
  };

  add(callback: () => void): () => void {
    if (this.#entries.size === 0) this.#attempt("addEventListener");
    const entry: Entry = { callback };
    this.#entries.add(entry);
    return () => {
      // A Set that changes often leaves old tables behind, which would otherwise keep the whole call in memory.
      entry.callback = undefined;
      if (this.#entries.delete(entry) && this.#entries.size === 0) {
        this.#attempt("removeEventListener");
      }
    };
  }

  /** An application's own signal may throw. */
  #attempt(method: "addEventListener" | "removeEventListener"): void {
    try {
      this.#signal[method]("abort", this.#listener);
    } catch {
      // The deadline still ends the call.
    }
  }
}

const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, AbortListeners>();

/**
 * Calls back when a signal is aborted. All calls that share a signal share one listener, because Node warns of a leak
 * from the eleventh listener on.
 *
 * @returns The function that stops listening.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let listeners = listenersOf.get(signal);
  if (!listeners) {
    listeners = new AbortListeners(signal);
    listenersOf.set(signal, listeners);
  }
  return listeners.add(callback);
}

/** Whether a signal is aborted. One that throws counts as not aborted: the call then ends at its deadline. */
export function isAborted(signal: AbortSignal | undefined): boolean {
  try {
    return signal?.aborted === true;
  } catch {
    return false;
  }
}

/**
 * The reason of an aborted signal, or the error of reading it: an exception in a listener would end the process. Signals
 * of React Native have no reason.
 */
export function abortReason(signal: AbortSignal | null | undefined): unknown {
  try {
    return signal?.reason === undefined ? stopError("AbortError", "The call was aborted") : signal.reason;
  } catch (error) {
    return error;
  }
}

/**
 * An error with the name of a DOMException, which React Native does not have. The name is defined, because assigning it
 * fails if an application has frozen `Error.prototype`.
 */
export function stopError(name: "AbortError" | "TimeoutError", message: string): Error {
  return Object.defineProperty(new Error(message), "name", { value: name });
}
