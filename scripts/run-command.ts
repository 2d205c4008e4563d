import { spawn } from "node:child_process";

/** Runs a command, as a shell reads it, in the environment of CI. Its output also goes to `write` as it arrives. */
export function runCommand(
  command: string,
  write = (_text: string) => {},
  env = {},
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const ciEnv = { ...process.env, CI: "true", NO_COLOR: "1", FORCE_COLOR: undefined, ...env };
  // On Windows, npm is a script that only a shell can start.
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env: ciEnv });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      write(text);
    });
  }
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
