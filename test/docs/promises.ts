/**
 * What proves the sentences of the guides: for each page and test file, the beginning of a sentence or of a row as the
 * page has it, and the beginning of the title of the test that proves it. In place of a test file stands the page
 * itself if its own program proves the sentence: the beginning of a line of that program then stands in place of a title.
 */
export const promises: Record<string, Record<string, Record<string, string>>> = {
  "docs/tokens.md": {
    "docs/tokens.md": {
      "If the function throws, the call fails with a": "if (!result.ok) console.log(result.error.kind",
    },
  },
};

/** The pages of which each promise has its proof. */
export const provenPages: readonly string[] = [];
