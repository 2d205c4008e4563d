/**
 * Checks the installed packages and the lock file: one runtime dependency, permissive licenses, a checksum for every
 * package, and no registry address.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly dependencies?: Record<string, string>;
}

const licenses = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"];
const problems: string[] = [];

checkRuntime(await readLock("package-lock.json"));
for (const path of await lockFiles()) checkIntegrity(path, await readLock(path));

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Those of examples, benchmarks and test projects too. */
async function lockFiles(): Promise<string[]> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "package-lock.json", "*/package-lock.json"];
  const { stdout } = await promisify(execFile)("git", args, { cwd: new URL("..", import.meta.url) });
  return stdout.trim().split("\n");
}

async function readLock(path: string): Promise<Record<string, Package>> {
  const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  return JSON.parse(text).packages;
}

/** What npm installs with the package: openapi-fetch and what it needs. */
function checkRuntime(packages: Record<string, Package>): void {
  const direct = Object.keys(packages[""]?.dependencies ?? {});
  if (direct.join() !== "openapi-fetch") {
    problems.push(`package.json: openapi-fetch is to be the only runtime dependency, found ${direct.join(", ")}.`);
  }
  for (const [path, { version, license = "none", dev, devOptional, peer }] of Object.entries(packages)) {
    if (path === "" || dev || devOptional || peer) continue;
    console.log(`shipped with the package: ${path.replace("node_modules/", "")} ${version}, ${license}`);
    if (!licenses.includes(license)) problems.push(`${path}: ${license} is none of ${licenses.join(", ")}.`);
  }
}

/** `resolved` would bind everybody to the registry of the author of the lock file; the checksum says what is meant. */
function checkIntegrity(lockFile: string, packages: Record<string, Package>): void {
  for (const [path, { integrity, resolved, link, inBundle }] of Object.entries(packages)) {
    if (!path.includes("node_modules/") || link || inBundle) continue;
    const place = `${lockFile}: ${path}`;
    if (!integrity?.startsWith("sha512-")) problems.push(`${place} has no sha512 checksum.`);
    if (resolved) problems.push(`${place} has "resolved": npm config set omit-lockfile-registry-resolved true.`);
  }
}
