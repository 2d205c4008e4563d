import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../client/fixtures/simulation.ts";
import { useFolder } from "../../use-folder.ts";
import { type Choices, choose, type Rejection } from "./generated-service.ts";
import { calibrate, serve, TOKEN, type Trouble } from "./run-calibrate.ts";

const folder = useFolder();

const SEEDS = Array.from({ length: 4 }, (_, seed) => seed);
const choiceNames = Object.keys(choose(seededRandom(0))) as (keyof Choices)[];

/** What a client sees of a choice. */
function outcome(choice: Choices[keyof Choices]): string {
  if (choice === "accept") return choice;
  if ("adds" in choice) return JSON.stringify(choice);
  const { status, headers, body } = choice;
  const { "Content-Type": type = "", ...others } = headers;
  const [error = type.split(";")[0]] = /"error":(\d+)/.exec(body) ?? [];
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

const html = { status: 200, headers: { "Content-Type": "text/html" }, body: "<h1>Back soon</h1>" };
const once = (reply: Rejection | "reset"): ((at: number) => Trouble) => {
  return (at) => (count) => (count === at ? reply : undefined);
};
const from = (reply: Rejection | "reset"): ((at: number) => Trouble) => {
  return (at) => (count) => (count >= at ? reply : undefined);
};
const BUSY: Rejection = { status: 429, headers: { "Retry-After": "0" }, body: "" };
const plain = (status: number, body = ""): Rejection => ({ status, headers: {}, body });

/** What happens to the request of a number, or from it on. */
const troubles: Readonly<Record<string, (at: number) => Trouble>> = {
  "one 500": once(plain(500)),
  "one 502": once(plain(502)),
  "one 520": once(plain(520, "<h1>Unknown error</h1>")),
  "one 429": once(BUSY),
  "one reset": once("reset"),
  "one redirect": once({ status: 302, headers: { Location: "http://localhost:1/" }, body: "" }),
  "an outage of five requests": (at) => (count) => (count >= at && count < at + 5 ? html : undefined),
  "the end of the token": from(plain(401, '{"error":9,"message":"expired"}')),
  "a quota": from(plain(403)),
  "a maintenance page": from(html),
  "the end of the service": from("reset"),
};

describe.each(SEEDS)("service %i", (seed) => {
  const choices = choose(seededRandom(seed));
  const file = () => folder.path(`${seed}.json`);
  let flags: string[] = [];

  test("gives a configuration, and a command that exits with 0 as long as the service does not change", async () => {
    const asked = await serve(
      choices,
      seed % 4 === 0 ? { trouble: (count) => (count % 10 === 0 ? BUSY : undefined) } : {},
    );
    const first = await calibrate(asked.url, ["--write", file()]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(file(), "utf8")).not.toContain(TOKEN);
    expect(asked.requests).toBeLessThanOrEqual(80);
    expect(asked.service.plants.length).toBeLessThanOrEqual(32);

    flags = printedFlags(first.stdout);
    const isPlain = choices.created.status === 200 && choices.created.adds.length === 0;
    expect(flags.some((flag) => flag.startsWith("created="))).toBe(!isPlain);
    const { url } = await serve(choices);
    expect(await calibrate(url, flags)).toMatchObject({ status: 0, stderr: "" });
    const bare = await calibrate(url, ["--config", file()]);
    expect(bare.status).toBe(flags.includes("--except") ? 1 : 0);
  });

  test.each(choiceNames)("changes in %s, which exits with 1", async (name) => {
    const { url } = await serve(change(choices, name, seededRandom(seed + 2000)));
    const { status, stdout } = await calibrate(url, flags);
    const shown = new RegExp(`^  (${name}, if a request has |--except ${name}=)`, "m");
    expect([status, stdout]).toEqual([1, expect.stringMatching(shown)]);
  });

  test.each(Object.keys(troubles))("%s, at a random request: the same file, or none and exit 3", async (name) => {
    const random = seededRandom(seed + 3000);
    const at = 2 + Math.floor(random() * 40);
    const { url } = await serve(choices, { trouble: troubles[name]?.(at) });
    const other = folder.path(`${seed}-${name}.json`);
    const { status } = await calibrate(url, ["--write", other]);
    if (status === 0) expect(readFileSync(other, "utf8")).toBe(readFileSync(file(), "utf8"));
    else expect([status, existsSync(other)]).toEqual([3, false]);
    const again = await serve(choices, { trouble: troubles[name]?.(at) });
    expect((await calibrate(again.url, flags)).status).not.toBe(1);
  });
});
