import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { groups, nightly } from "../../scripts/gate-steps.ts";

// On GitHub and npm. The links of the built site are checked with it.
const root = fileURLToPath(new URL("../..", import.meta.url));
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
const files = listed.toString().split("\n");
const pages = files.filter((file) => file.endsWith(".md") || file === "llms.txt");

/** The text of a page without its code. */
const textOf = (page: string) => readFileSync(root + page, "utf8").replace(/^ *```[\s\S]*?^ *```$/gm, "");

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => heading);
  const words = headings.map((heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase());
  return new Set(words.map((text) => text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")));
}

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(root + target)) return true;
  return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
}

it("the list of guides names each by its heading, as the site does", () => {
  const links = textOf("docs/README.md").matchAll(/^- \[(.+?)\]\((?:https:\S+?\/docs\/)?(.+?)\)/gm);
  const listed = Array.from(links, ([, name, path]) => ({
    path,
    name,
  }));
  expect(listed.length).toBeGreaterThan(15);
  for (const { path, name } of listed) expect(textOf(`docs/${path}`)).toMatch(`# ${name}\n`);
});

it("the list of guides, which is the sidebar of the site, has every page", () => {
  const links = textOf("docs/README.md").matchAll(/\]\((?:https:\S+?\/blob\/main\/docs\/)?([\w/-]+\.md)\)/g);
  const listed = Array.from(links, ([, path]) => `docs/${path}`);
  const guides = pages.filter((page) => /^docs\/(?!README|decisions\/\d)/.test(page));
  expect([...new Set(listed)].sort()).toEqual(guides.sort());
});

it("the list of decisions has each of them", () => {
  const listed = Array.from(textOf("docs/decisions/README.md").matchAll(/\]\((\d.+\.md)\)/g), ([, path]) => path);
  expect(listed).toEqual(pages.flatMap((page) => /^docs\/decisions\/(\d.+)/.exec(page)?.[1] ?? []));
});

it("links to what the package does not contain name the owner as package.json does, lead to a file, and are ten at most", () => {
  const begin = `${packageJson.repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;
  const absolute = (page: string) =>
    Array.from(textOf(page).matchAll(/\]\((https:\/\/github\.com\/[^)\s]+\/blob\/main\/[^)\s]+)/g));
  const links = pages.flatMap((page) => absolute(page).map(([, link = ""]) => link));
  expect(links.filter((link) => !link.startsWith(begin) || isBroken("README.md", link.slice(begin.length)))).toEqual(
    [],
  );
  const ofPackage = pages.filter((page) => /^(?:README\.md|docs\/(?!evidence)[\w-]+\.md)$/.test(page));
  const count = ofPackage.flatMap(absolute).length;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(10);
});

it("every relative link of a page leads to a file, and to a heading in it", () => {
  const links = pages.flatMap((page) => {
    const found = textOf(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g);
    return Array.from(found, ([, link = ""]) => ({ page, link }));
  });
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});

/** Each text in backticks of a page, and each line of its blocks. */
const codeOf = (page: string) => {
  const text = readFileSync(root + page, "utf8");
  return Array.from(
    text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$|`([^`\n]+)`/gm),
    ([, block, name]) => block ?? name ?? "",
  );
};

/** What a command of the same page makes. */
const MADE = ["examples/browser/public"];

it("every path that a page names leads to a file or a folder", () => {
  const paths = pages.flatMap((page) => {
    const folders = "bench|docs|etc|examples|mock|scripts|site|src|test|\\.github|\\.ci";
    const names = codeOf(page).flatMap(
      (code) => code.match(RegExp(`(?<=^|[\\s"'])(?:${folders})/[\\w./*-]*\\w`, "gm")) ?? [],
    );
    return names.filter((path) => !path.includes("*") && !MADE.includes(path)).map((path) => ({ page, path }));
  });
  expect(paths.length).toBeGreaterThan(50);
  // An entry point is named as it is imported.
  const isThere = (page: string, path: string) =>
    [path, `${path}.ts`, join(dirname(page), path)].some((name) => existsSync(root + name));
  expect(paths.filter(({ page, path }) => !isThere(page, path))).toEqual([]);
});

it("every file that architecture.md and CONTRIBUTING.md name by its last part is there", () => {
  const names = ["docs/architecture.md", "CONTRIBUTING.md"]
    .flatMap(codeOf)
    .filter((name) => /^[\w-]+\.(?:ts|json|yaml)$/.test(name));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

it("every script and every step of the gate that a page names is there", () => {
  const steps = new Set([...groups.flat(), ...nightly].map(({ name }) => name).concat("nightly"));
  const commands = pages.flatMap((page) => {
    const found = readFileSync(root + page, "utf8").matchAll(/npm run ([\w:]+)(?: -- ([a-z -]+))?/g);
    return Array.from(found, ([, script = "", names = ""]) => ({
      page,
      script,
      names: names.split(" ").filter(Boolean),
    }));
  });
  expect(commands.length).toBeGreaterThan(20);
  const scriptsOf = (page: string) => {
    const own = join(root, dirname(page), "package.json");
    return { ...packageJson.scripts, ...(existsSync(own) ? JSON.parse(readFileSync(own, "utf8")).scripts : {}) };
  };
  const isThere = ({ page, script, names }: (typeof commands)[number]) =>
    script in scriptsOf(page) && (script !== "gate" || names.every((name) => steps.has(name)));
  expect(commands.filter((command) => !isThere(command))).toEqual([]);
});
