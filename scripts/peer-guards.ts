import { mkdir, readFile, writeFile } from "node:fs/promises";

/** The doors that need a package which npm does not install by itself, and its range in package.json. */
const peers = { undici: "undici", "mock/msw": "msw", "mock/node": "msw" };

/**
 * Writes a guard before each door that needs an optional peer: where the peer is missing, it says what to install,
 * in the place of the module loader's own message about a file deep in this package.
 *
 * They are for Node alone. A bundler names the missing package by itself, and may not like a top-level await.
 */
export async function writePeerGuards(dist: URL): Promise<void> {
  const { peerDependencies } = JSON.parse(await readFile(new URL("../package.json", dist), "utf8"));
  await mkdir(new URL("guard/mock/", dist), { recursive: true });
  for (const [door, peer] of Object.entries(peers)) {
    const back = door.startsWith("mock/") ? "../../" : "../";
    const flag = door.startsWith("mock/") ? "--save-dev " : "";
    const advice = `plant-store-client/${door} needs ${peer}: npm install ${flag}"${peer}@${peerDependencies[peer]}"`;
    const names = await exportsOf(new URL(`${door}.js`, dist));
    await writeFile(new URL(`guard/${door}.js`, dist), esmGuard(`${back}${door}.js`, names, peer, advice));
    await writeFile(new URL(`guard/${door}.cjs`, dist), cjsGuard(`${back}${door}.cjs`, peer, advice));
  }
}

async function exportsOf(built: URL): Promise<string[]> {
  const list = /export \{([^}]*)\};?\s*$/.exec(await readFile(built, "utf8"))?.[1];
  if (list === undefined) throw new Error(`${built.pathname} ends with no list of exports.`);
  return list.split(",").map((name) => name.trim().replace(/^\S+ as /, ""));
}

function esmGuard(door: string, names: readonly string[], peer: string, advice: string): string {
  return `${explain(peer, advice, "ERR_MODULE_NOT_FOUND")}
const door = await import("${door}").catch(explain);
${names.map((name) => `export const ${name} = door.${name};`).join("\n")}
`;
}

function cjsGuard(door: string, peer: string, advice: string): string {
  return `"use strict";
${explain(peer, advice, "MODULE_NOT_FOUND")}
try {
  module.exports = require("${door}");
} catch (error) {
  explain(error);
}
`;
}

function explain(peer: string, advice: string, code: string): string {
  return `function explain(error) {
  if (error.code !== "${code}" || !/'${peer}['/]/.test(error.message)) throw error;
  const advice = ${JSON.stringify(advice)};
  throw Object.assign(new Error(advice, { cause: error }), { code: error.code });
}`;
}
