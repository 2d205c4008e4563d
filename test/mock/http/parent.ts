import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

// Starts the mock, prints its ready line, and ends at once, like a killed test runner.
const cli = fileURLToPath(new URL("../../../mock/cli.ts", import.meta.url));
const flags = ["--port", "0", "--exit-with-parent", "--log", "silent"];
const child = spawn(process.execPath, ["--import", "tsx", cli, ...flags], {
  stdio: ["ignore", "pipe", "ignore"],
  detached: true,
});
child.stdout.once("data", (line) => process.stdout.write(line, () => process.exit()));
