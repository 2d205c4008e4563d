import { expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { bare } = inject("installed");

test("ten tasks that were written with llms.txt alone work", async () => {
  expect(JSON.parse(await run(bare, process.execPath, ["assistant.mjs"]))).toEqual({
    "create a plant": "Fern",
    "tell a user what a lost response means": "it may exist: please check",
    "send an id above 2^53 from a CSV row": '{"id":9007199254740993,"name":"Fern"}',
    "list what is wrong with a form": "id type,name required",
    "wait for a 429 without waiting in the test": "429,200",
    "renew a token after a 401": 2,
    "cancel a call that is under way": "unknown",
    "import under a rate limit, and continue after a kill": "120,0,120",
    "find a plant that an import reports wrongly": "plant N was reported failed, and is stored",
    "test a program that only knows an address": true,
  });
});
