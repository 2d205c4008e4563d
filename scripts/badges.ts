/** Draws the badges of the README from package.json, so that they are true; with `--check`, says whether they are. */
import { mkdir, readFile, writeFile } from "node:fs/promises";

const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const folder = new URL("../docs/images/badges/", import.meta.url);

const badges: Record<string, readonly [label: string, text: string]> = {
  version: ["version", manifest.version],
  node: ["node", manifest.engines.node.replace(">=", "≥ ")],
  dependencies: ["dependencies", Object.keys(manifest.dependencies).join(", ")],
  licence: ["licence", manifest.license],
};

await mkdir(folder, { recursive: true });
const stale: string[] = [];
for (const [name, [label, text]] of Object.entries(badges)) {
  const file = new URL(`${name}.svg`, folder);
  const svg = draw(label, text);
  if ((await readFile(file, "utf8").catch(() => "")) === svg) continue;
  if (process.argv.includes("--check")) stale.push(name);
  else await writeFile(file, svg);
}
if (stale.length > 0) {
  console.error(`These badges are stale: ${stale.join(", ")}. Run \`npm run badges\` and commit the result.`);
  process.exitCode = 1;
}

function draw(label: string, text: string): string {
  const left = widthOf(label);
  const right = widthOf(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
  <title>${label}: ${text}</title>
  <rect width="${left + right}" height="20" rx="3" fill="#1d6b3a"/>
  <path d="M3 0h${left - 3}v20h-${left - 3}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#444"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${label}</text>
    <text x="${left + right / 2}" y="14">${text}</text>
  </g>
</svg>
`;
}

/** Near enough for one line of Verdana at 11 pixels. */
function widthOf(text: string): number {
  return Math.ceil(text.length * 6.8) + 12;
}
