import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findProgram, inSearchPath } from "../../find-program.ts";
import { freePort } from "../../free-port.ts";

/** Where Varnish is, undefined if it is not installed. */
export const varnishPath: string | undefined = findProgram({
  name: "varnishd",
  variable: "PLANT_STORE_TEST_VARNISH",
  install: "install Varnish, e.g. with `apt-get install varnish`",
  // Debian has it in a folder that only the PATH of root names.
  places: (machine) => [...inSearchPath(["varnishd"], machine), "/usr/sbin/varnishd", "/opt/homebrew/sbin/varnishd"],
});

/** How long this Varnish waits for its backend; the default of a minute would be long for a test. */
const PATIENCE = "300ms";

/** Starts a Varnish with its own rules alone, in front of one backend. */
export async function startVarnish(
  path: string,
  backendPort: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "varnish-"));
  const rules = join(folder, "default.vcl");
  const patience = ["connect", "first_byte", "between_bytes"].map((name) => `.${name}_timeout = ${PATIENCE};`);
  const backend = `.host = "127.0.0.1"; .port = "${backendPort}"; ${patience.join(" ")}`;
  await writeFile(rules, `vcl 4.1;\nbackend default { ${backend} }\n`);
  const port = await freePort();
  const args = `-j none -F -a 127.0.0.1:${port} -f ${rules} -n ${join(folder, "n")} -s malloc,8M`.split(" ");
  const child = spawn(path, args, { stdio: "ignore" });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  // It compiles its rules first, which takes a second or two.
  for (let i = 0; i < 600 && child.exitCode === null; i++) {
    if (await accepts(port)) return { port, stop };
    await wait(50);
  }
  throw new Error("Varnish does not listen");
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
