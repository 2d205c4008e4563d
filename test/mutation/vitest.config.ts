import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from "vitest/node";
import root, { testFilesWith } from "../../vitest.config.ts";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Each test here runs thousands of times, so none starts a browser, fills memory or is slow. */
const leftOut = [
  "**/*.{gate,nightly}.test.ts",
  "test/mock/simulation/**",
  ...testFilesWith(/\blaunchBrowser\b|\/console-page\.ts"|\bsimulate\b[^;]*from "plant-store-client\/mock"/),
];

const longest = new Map<string, number>();

/** Runs first the files that failed last time, because neighboring mutants fail alike; then the shortest. */
class LikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const ranked = files.map((file) => {
      const name = relative(this.ctx.config.root, file.moduleId);
      const { failed = false, duration = 0 } = this.ctx.cache.getFileTestResults(`${file.project.name}:${name}`) ?? {};
      // A file that was skipped took no time.
      longest.set(name, Math.max(longest.get(name) ?? 0, duration));
      return { file, failed: Number(failed && duration > 0), duration: longest.get(name) as number };
    });
    ranked.sort((one, other) => other.failed - one.failed || one.duration - other.duration);
    return ranked.map(({ file }) => file);
  }
}

/** If the `beforeAll` of a file fails, Vitest skips its tests, and Stryker would treat that as no failure. */
class FailedHooks implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest) {
    this.#vitest = vitest;
  }

  onTestRunEnd() {
    for (const { result, tasks } of this.#vitest?.state.getFiles() ?? []) {
      if (!result?.errors?.length) continue;
      for (const task of tasks) {
        task.mode = "run";
        task.result = { state: "fail", errors: result.errors };
      }
    }
  }
}

// Here all files share one worker: there are no projects.
const { projects: _projects, ...settings } = root.test ?? {};

export default defineConfig({
  ...root,
  root: at("."),
  test: {
    ...settings,
    include: ["test/{client,mock}/**/*.test.ts", "test/parity/fault-page.test.ts"],
    exclude: [...leftOut, "**/node_modules/**"],
    // One module graph per run instead of one per file takes a third of the time.
    isolate: false,
    setupFiles: ["test/mutation/setup.ts"],
    reporters: [new FailedHooks()],
    sequence: { sequencer: LikelyFirst, setupFiles: "list" },
  },
});
