import { existsSync, readFileSync } from "node:fs";
import { createMockPlantStore } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../client/fixtures/simulation.ts";
import { useFolder } from "../../use-folder.ts";
import { type Choices, choose } from "./generated-service.ts";
import { FIRST_REQUEST, randomRequest, send } from "./random-requests.ts";
import { calibrate, serve, TOKEN } from "./run-calibrate.ts";

const folder = useFolder();

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);
const choiceNames = Object.keys(choose(seededRandom(0))) as (keyof Choices)[];

/** What a client sees of a choice. */
function outcome(choice: Choices[keyof Choices]): string {
  if (choice === "accept") return choice;
  if ("adds" in choice) return JSON.stringify(choice);
  const { status, headers, body } = "rejection" in choice ? choice.rejection : choice;
  const { "Content-Type": type = "", ...others } = headers;
  const [error = type.split(";")[0]] = /"error":\d+/.exec(body) ?? [];
  return [status, error, ...Object.keys(others)].join();
}

/** The same service with another choice in one place. */
function change(choices: Choices, name: keyof Choices, random: () => number): Choices {
  for (;;) {
    const other = choose(random)[name];
    if (outcome(other) !== outcome(choices[name])) return { ...choices, [name]: other };
  }
}

/** The flags of the command that a run has printed, without `--yes`. */
function printedFlags(stdout: string): string[] {
  const [, command] = /^ {2}plant-store-mock calibrate \S+ (.*) --yes$/m.exec(stdout) ?? [];
  return (command as string).split(" ");
}

describe.each(SEEDS)("service %i", (seed) => {
  const choices = choose(seededRandom(seed));
  const file = () => folder.path(`${seed}.json`);
  let flags: string[] = [];

  test("gives a configuration, and a command that exits with 0 as long as the service does not change", async () => {
    const asked = await serve(choices, seed % 4 === 0 ? { busyEvery: 2 } : {});
    const first = await calibrate(asked.url, ["--write", file()]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(file(), "utf8")).not.toContain(TOKEN);
    expect(asked.requests).toBeLessThanOrEqual(40);
    expect(asked.service.plants.length).toBeLessThanOrEqual(16);

    flags = printedFlags(first.stdout);
    const isPlain = choices.created.status === 200 && choices.created.adds.length === 0;
    expect(flags.some((flag) => flag.startsWith("created="))).toBe(!isPlain);
    const { url } = await serve(choices);
    expect(await calibrate(url, flags)).toMatchObject({ status: 0, stderr: "" });
    const bare = await calibrate(url, ["--config", file()]);
    expect(bare.status).toBe(flags.includes("--except") ? 1 : 0);
  });

  test("is answered by the mock with this configuration, unless the report says that it cannot", async () => {
    const random = seededRandom(seed + 1000);
    const { url } = await serve(choices);
    const { stdout } = await calibrate(url, flags);
    const mock = createMockPlantStore(JSON.parse(readFileSync(file(), "utf8")));
    const service = { baseUrl: url, token: TOKEN, fetch: globalThis.fetch };
    for (const server of [mock, service]) await send(FIRST_REQUEST, server);
    for (let count = 0; count < 30; count++) {
      const request = randomRequest(random, count);
      const [mocked, real] = [await send(request, mock), await send(request, service)];
      const about = [...request.about, ...(mocked.startsWith("200") && real.startsWith("20") ? ["created"] : [])];
      const isSaid = about.some((name) => flags.some((flag) => flag.startsWith(`${name}=`)));
      const isUntried = about.includes("tooLarge") && stdout.includes("\n  tooLarge: rejected a body of 1 MiB");
      if (!isSaid && !isUntried) expect([request, mocked]).toEqual([request, real]);
    }
  });

  test.each(choiceNames)("changes in %s, which exits with 1", async (name) => {
    const { url } = await serve(change(choices, name, seededRandom(seed + 2000)));
    const { status, stdout } = await calibrate(url, flags);
    const shown = new RegExp(`^  (${name}, if a request has |--except ${name}=)`, "m");
    expect([status, stdout]).toEqual([1, expect.stringMatching(shown)]);
  });

  test("dies in the middle, which exits with 3 and writes no file", async () => {
    const diesAfter = 1 + Math.floor(seededRandom(seed + 3000)() * 18);
    const { url } = await serve(choices, { diesAfter });
    expect((await calibrate(url, flags)).status).toBe(3);
    const other = await serve(choices, { diesAfter });
    const { status, stdout } = await calibrate(other.url, ["--write", folder.path(`${seed}-dead.json`)]);
    expect([status, stdout]).toEqual([3, expect.stringContaining("was not written, because not everything was")]);
    expect(existsSync(folder.path(`${seed}-dead.json`))).toBe(false);
  });
});
