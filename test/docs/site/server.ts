import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The site as `npm run docs:serve` shows it. */
export interface SiteServer {
  readonly url: string;
  /** Stops it as Ctrl-C does. */
  interrupt(): Promise<{ code: number | null; signal: string | null }>;
}

/** Starts `npm run docs:serve` on a free port. */
export async function serveSite(): Promise<SiteServer> {
  const program = spawn(process.execPath, ["--import", "tsx", "scripts/docs-serve.ts", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(program, "exit");
  const url = await readUrl(program);
  if (url === undefined) throw new Error("The site cannot be served: run `npm run docs` first.");
  return {
    url,
    interrupt: async () => {
      program.kill("SIGINT");
      const [code, signal] = await exited;
      return { code, signal };
    },
  };
}

async function readUrl({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface(stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+\//.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  return undefined;
}
