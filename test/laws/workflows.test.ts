import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { nightly } from "../../scripts/gate-steps.ts";
import { releaseNotes } from "../../scripts/release-notes.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly jobs: Record<string, { steps?: Step[]; strategy?: { matrix: Record<string, string[]> } }>;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const names = readdirSync(new URL("../../.github/workflows", import.meta.url));
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}`));
const jobs = names.flatMap((name) => Object.values(workflow(name).jobs));
const manifest = JSON.parse(read("package.json"));

test("every npm script that a workflow runs, or that CONTRIBUTING names, is in package.json", () => {
  const commands = jobs.flatMap(({ steps = [] }) => steps.map(({ run = "" }) => run));
  const texts = [...commands, read("CONTRIBUTING.md")];
  const scripts = texts.flatMap((text) => Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, name]) => name));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name ?? ""))).toEqual([]);
});

test("a prerelease is published as next, and is not the latest release", () => {
  const steps = workflow("release.yml").jobs.publish?.steps ?? [];
  const step = (command: string) => steps.find(({ run }) => run?.startsWith(command));
  expect(step("npm stage publish")?.run).toContain('--tag "$DIST_TAG"');
  expect(step("npm stage publish")?.env?.DIST_TAG).toContain("contains(github.ref_name, '-') && 'next' || 'latest'");
  expect(step("gh release")?.run).toContain('--prerelease="$IS_PRERELEASE"');
  expect(step("gh release")?.env?.IS_PRERELEASE).toContain("contains(github.ref_name, '-')");
});

test("the nightly workflow runs each nightly step of the gate", () => {
  expect(workflow("nightly.yml").jobs.check?.strategy?.matrix.step).toEqual(nightly.map(({ name }) => name));
});

test("the notes of a release are its section of the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.10 (2026-02-01)\n\n- ten\n\n## 1.0.1\n\n- one\n";
  expect(releaseNotes(changelog, "1.0.10")).toBe("- ten");
  expect(releaseNotes(changelog, "1.0.1")).toBe("- one");
  expect(() => releaseNotes(changelog, "1.0.2")).toThrow("CHANGELOG.md has no section of 1.0.2");
});

test("engines, CI and documentation name the same versions of Node", () => {
  const matrix = workflow("matrix.yml").jobs.test?.strategy?.matrix;
  const [oldest = "", ...lines] = matrix?.node ?? [];
  expect(matrix?.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  expect(manifest.engines.node).toBe(`>=${oldest}`);
  expect(read(".nvmrc")).toMatch(new RegExp(`^${Number.parseInt(oldest, 10)}\\.`));
  expect(read("docs/versioning.md")).toContain(`| Node | ${[oldest, ...lines].join(", ")} |`);
  const majors = [oldest, ...lines].map((version) => Number.parseInt(version, 10)).join(", ");
  expect(read("docs/runtimes.md")).toContain(`| Node | ${majors} | ${oldest} or later |`);
});
