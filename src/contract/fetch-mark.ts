/**
 * Marks a `fetch` of this package, whose errors count as those of the runtime's `fetch`. The value "watched" means that
 * it reports to a dispatcher in `init` when it writes the request.
 */
export const FETCH_MARK: unique symbol = /* @__PURE__ */ Symbol.for("plant-store-client.fetch") as never;

/** A `fetch` that may carry the mark. */
export interface MarkedFetch {
  readonly [FETCH_MARK]?: "watched" | "in-memory";
}
