/**
 * Marks a `fetch` of this package, whose errors are trusted like those of the runtime's `fetch`. "watched" means that it
 * reports to the `DispatchWatch` in `init.dispatcher` when it writes the request.
 */
export const FETCH_MARK: unique symbol = /* @__PURE__ */ Symbol.for("plant-store-client.fetch") as never;

/** A `fetch` that may carry the mark. */
export interface MarkedFetch {
  readonly [FETCH_MARK]?: "watched" | "in-memory";
}
