/**
 * Builds and packs the package here, and in another folder with another umask. Fails unless both tarballs are identical.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "another-folder-"));

function pack(cwd: string): Buffer {
  const printed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The build prints too.
  const [{ filename }] = JSON.parse(printed.slice(printed.lastIndexOf("\n[\n")));
  return readFileSync(join(folder, filename));
}

try {
  const here = pack(root);
  process.umask(0o077);
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of `${tracked}`.split("\0").filter(Boolean)) {
    cpSync(join(root, path), join(folder, path));
    chmodSync(join(folder, path), 0o600);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const isSame = here.equals(pack(folder));
  console.log(`The tarballs are ${isSame ? "identical" : "different"}.`);
  process.exitCode = isSame ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
