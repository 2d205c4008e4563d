import { expect, it } from "vitest";
import { countWords } from "../../scripts/words.ts";

it("README, guides and decisions have at most 22,000 words", () => {
  const words = countWords().reduce((sum, page) => sum + page.words, 0);
  expect(words).toBeLessThanOrEqual(22_000);
});
