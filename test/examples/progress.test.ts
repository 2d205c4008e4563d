import { expect, test } from "vitest";
import { describeProgress } from "../../examples/import-plants/progress.ts";

test.each([
  [1, 4, 0.5, "[#####               ] 25 %, 1 of 4, 1 per second, 6 s left"],
  [1_000, 200_000, 1_200.4, "[                    ] 0 %, 1000 of 200000, 1200 per second, 2 min 46 s left"],
  // Earlier runs have created plants that are no longer in the list.
  [5, 4, 3, "[####################] 100 %, 5 of 4, 3 per second, 0 s left"],
])("the progress after %i of %i lines at %f per second is in one line", (done, total, perSecond, text) => {
  expect(describeProgress(done, total, perSecond)).toBe(text);
});
