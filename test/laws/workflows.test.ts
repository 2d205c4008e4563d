import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly jobs: Record<string, { steps: Step[]; strategy?: { matrix: Record<string, string[]> } }>;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const names = readdirSync(new URL("../../.github/workflows", import.meta.url));
const texts = names.map((name) => read(`.github/workflows/${name}`));
const jobs = texts.flatMap((text) => Object.values((parse(text) as Workflow).jobs));
const manifest = JSON.parse(read("package.json"));

test("every action is pinned by its commit, with its version in a comment", () => {
  const uses = texts.flatMap((text) => text.match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test("every npm script that a workflow runs is in package.json", () => {
  const commands = jobs.flatMap(({ steps }) => steps.map(({ run = "" }) => run));
  const scripts = commands.flatMap((command) => Array.from(command.matchAll(/npm run ([\w:-]+)/g), ([, name]) => name));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name ?? ""))).toEqual([]);
});

test("a prerelease is published as next, and is not the latest release", () => {
  const steps = (parse(read(".github/workflows/release.yml")) as Workflow).jobs.publish?.steps ?? [];
  const step = (command: string) => steps.find(({ run }) => run?.startsWith(command));
  expect(step("npm publish")?.run).toContain('--tag "$DIST_TAG"');
  expect(step("npm publish")?.env?.DIST_TAG).toContain("contains(github.ref_name, '-') && 'next' || 'latest'");
  expect(step("gh release")?.run).toContain('--prerelease="$IS_PRERELEASE"');
  expect(step("gh release")?.env?.IS_PRERELEASE).toContain("contains(github.ref_name, '-')");
});

test("the development dependencies are installed if the environment has NODE_ENV=production", () => {
  const installers = [".ci/run", "test/.npmrc", "test/docs/install.ts"].map(read);
  expect(installers.filter((text) => !/\binclude=dev\b/.test(text))).toEqual([]);
});

test("engines, CI and documentation name the same versions of Node", () => {
  const matrix = jobs.find(({ strategy }) => strategy)?.strategy?.matrix;
  const [oldest = "", ...lines] = matrix?.node ?? [];
  expect(matrix?.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  expect(manifest.engines.node).toBe(`>=${oldest}`);
  expect(read(".nvmrc")).toMatch(new RegExp(`^${Number.parseInt(oldest, 10)}\\.`));
  expect(read("docs/versioning.md")).toContain(`| Node | ${[oldest, ...lines].join(", ")} |`);
  const majors = [oldest, ...lines].map((version) => Number.parseInt(version, 10)).join(", ");
  expect(read("docs/runtimes.md")).toContain(`| Node | ${majors} | ${oldest} or later |`);
});
