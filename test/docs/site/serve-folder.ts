import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { listen } from "../../listen.ts";

/** Serves the files of a folder, as a static host does. */
export async function serveFolder(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = await readFile(join(folder, path)).catch(() => undefined);
    const type = types[extname(path)] ?? "text/plain";
    response.writeHead(file ? 200 : 404, { "Content-Type": type }).end(file);
  });
  return { url: server.url, close: async () => server[Symbol.asyncDispose]() };
}

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
