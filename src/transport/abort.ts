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
