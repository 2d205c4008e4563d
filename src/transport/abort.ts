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
      // Emptied too: a Set that changes often leaves old tables behind, and these would keep the whole call.
      entry.callback = undefined;
      if (this.#entries.delete(entry) && this.#entries.size === 0) {
        this.#attempt("removeEventListener");
      }
    };
  }

  /** A signal of the application's own may throw: then it ends no call, and the deadline does. */
  #attempt(method: "addEventListener" | "removeEventListener"): void {
    try {
      this.#signal[method]("abort", this.#listener);
    } catch {
      // There is nothing to do about it.
    }
  }
}

const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, AbortListeners>();

/**
 * Calls back when a signal is aborted; gives the function that stops listening.
 *
 * However many calls share a signal, it has one listener: from the eleventh on Node warns of a leak.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let listeners = listenersOf.get(signal);
  if (!listeners) {
    listeners = new AbortListeners(signal);
    listenersOf.set(signal, listeners);
  }
  return listeners.add(callback);
}

/** Whether a signal is aborted. One of the application's own that throws is not: the call then ends at its deadline. */
export function isAborted(signal: AbortSignal | undefined): boolean {
  try {
    return signal?.aborted === true;
  } catch {
    return false;
  }
}

/** The reason of an aborted signal, or the error if it throws: an exception in a listener would end the process. */
export function abortReason(signal: AbortSignal | undefined): unknown {
  try {
    return signal?.reason;
  } catch (error) {
    return error;
  }
}
