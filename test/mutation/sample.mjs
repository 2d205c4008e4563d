// A random sample of the mutants: MUTANTS=300 npm run mutation. MUTATION_SEED draws another one.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CheckStatus } from "@stryker-mutator/api/check";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** How many are drawn; 0 is all of them. */
export const MUTANTS = Number(process.env.MUTANTS ?? 0);
const SEED = process.env.MUTATION_SEED ?? "1";

const NOT_MUTATED = /^src\/contract\/openapi\.ts$|^mock\/(?:simulation|time|http\/console\/page)\//;
const SILENT = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };

/** Every mutant has a number from 0 to 1 of its own: the lowest are drawn. */
function numberOf({ location, replacement }, path) {
  const place = JSON.stringify([SEED, path, location, replacement]);
  return createHash("sha256").update(place).digest().readUInt32BE() / 2 ** 32;
}

/** Draws mutants from all files, and gives their places as Stryker's option `mutate` names them. */
export async function draw() {
  const paths = ["src", "mock"].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
  );
  const files = paths
    .filter((path) => path.endsWith(".ts") && !NOT_MUTATED.test(path))
    .map((path) => ({ name: resolve(path), mutate: true, content: readFileSync(path, "utf8") }));
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
  const { mutants } = await new Instrumenter(SILENT).instrument(files, options);
  const all = mutants.map((mutant) => {
    const path = relative("", mutant.fileName).replaceAll("\\", "/");
    return { ...mutant, path, number: numberOf(mutant, path) };
  });
  const drawn = all.sort((one, other) => one.number - other.number).slice(0, MUTANTS);
  process.env.MUTATION_LIMIT = `${drawn.at(-1).number}`; // for the process of the checker
  return drawn.map(({ path, location: { start, end } }) => {
    return `${path}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
  });
}

/** A place holds other mutants, too: those that were not drawn count as code that does not compile. */
class Sample {
  async init() {}

  async check(mutants) {
    const verdict = (mutant) => {
      const path = /(?:src|mock)\/(?!.*\.stryker-tmp).*$/.exec(mutant.fileName.replaceAll("\\", "/"))?.[0] ?? "";
      const isDrawn = numberOf(mutant, path) <= Number(process.env.MUTATION_LIMIT);
      return isDrawn ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason: "not drawn" };
    };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, verdict(mutant)]));
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "sample", Sample)];
