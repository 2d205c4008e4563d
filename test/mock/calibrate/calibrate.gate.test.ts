import { readFileSync } from "node:fs";
import { createMockPlantStore } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { seededRandom } from "../../client/fixtures/simulation.ts";
import { useFolder } from "../http/use-folder.ts";
import { type Choices, choiceNames, choose, pick } from "./generated-service.ts";
import { randomRequest, send } from "./random-requests.ts";
import { calibrate, serve, TOKEN, URL } from "./run-calibrate.ts";

const folder = useFolder();

/** The same service with another choice in one place. */
function changeOne(choices: Choices, random: () => number): [name: keyof Choices, changed: Choices] {
  for (;;) {
    const name = pick(random, choiceNames);
    const other = choose(random)[name];
    // A service that needs no token rejects none.
    const isHidden = choices.missingToken === "accept" && /Token/.test(name);
    const hidesOthers = name === "missingToken" && other === "accept";
    const isSame = outcome(other) === outcome(choices[name]);
    if (!isHidden && !hidesOthers && !isSame) return [name, { ...choices, [name]: other }];
  }
}

/** What a client sees of a choice. */
function outcome(choice: Choices[keyof Choices]): string {
  if (typeof choice === "string") return choice;
  return [choice.status, ...Object.keys(choice.headers), /"error":\d+/.exec(choice.body)].join();
}

test.each(Array.from({ length: 200 }, (_, seed) => seed))(
  "%i: the mock with the written options does the same",
  async (seed) => {
    const random = seededRandom(seed);
    const choices = choose(random);
    const file = folder.path(`${seed}.json`);
    const asked = serve(choices, seed % 5 === 0 ? 4 : undefined);
    await calibrate(["--write", file]);
    expect(asked.received.length).toBeLessThanOrEqual(20);
    expect(readFileSync(file, "utf8")).not.toContain(TOKEN);

    const { fetch } = serve(choices);
    const mock = createMockPlantStore(JSON.parse(readFileSync(file, "utf8")));
    for (let count = 0; count < 40; count++) {
      const request = randomRequest(random);
      expect([request, await send(request, mock)]).toEqual([
        request,
        await send(request, { baseUrl: URL, token: TOKEN, fetch }),
      ]);
    }

    expect(await calibrate(["--config", file])).toMatchObject({ status: 0, stderr: "" });
    const [name, changed] = changeOne(choices, random);
    serve(changed);
    const { status, stdout } = await calibrate(["--config", file]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`\n  ${name}, if a request has `)]);
  },
);
