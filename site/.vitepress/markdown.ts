import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";
import { importsOf, programsOf } from "../programs.ts";

/** Lets the Markdown of the repository be a page of the site as it is. */
export function adaptMarkdown(md: MarkdownRenderer, pages: string, base: string, repository: string): void {
  // `<stdin>` in a page is text.
  const { rules } = md.renderer;
  rules.html_block = (tokens, index) =>
    tokens[index]?.content.replace(/<!--[\s\S]*?-->/g, "").replaceAll("<", "&lt;") ?? "";
  rules.html_inline = rules.html_block;

  // A link to a file that is not a page leads to the repository, and one into the repository to its page, if it has one.
  const source = `${repository}/blob/main/`;
  md.core.ruler.push("links", ({ tokens, env: { relativePath = "" } }) => {
    const folder = posix.dirname(relativePath === "index.md" ? "site/index.md" : relativePath);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.attrGet("href");
      const isSource = link?.startsWith(source);
      if (link === null || (!isSource && /^(?:\w+:|#|\/)/.test(link))) continue;
      const path = isSource ? link.slice(source.length) : posix.join(folder, link);
      const target = posix.join("/", path).replace(/^(\/docs\/.*)README\.md/, "$1index.md");
      const isPage = /\.md(?:#|$)/.test(target) && existsSync(pages + target.replace(/#.*/, ""));
      token.attrSet("href", isPage ? target : source + target.slice(1));
    }
  });

  // A block that needs only the client and the mock in memory runs, after the blocks above it. A worker has no `process`,
  // and no browser can simulate.
  md.core.ruler.push("run", ({ tokens, env: { relativePath = "" } }) => {
    const blocks = tokens.filter(({ type, info }) => type === "fence" && /^[jt]sx?\b/.test(info));
    // In the reference, signatures stand between the examples.
    const isReference = relativePath.startsWith("reference/");
    for (const program of isReference ? blocks.map((block) => [block]) : programsOf(blocks)) {
      let above = "";
      for (const block of program) {
        const packages = new Set(importsOf(above + block.content).filter((name) => name !== "plant-store-client"));
        if ([...packages].join() !== "plant-store-client/mock" || /\bprocess\.|\bsimulate\(/.test(block.content)) break;
        const name = `${relativePath.replace(/\W/g, "-")}-${block.map?.[0]}`;
        // What the blocks above print is not the output of this one.
        const code = `import { formatWithOptions } from "node-inspect-extracted";
          console.log = () => {};
          ${above}console.log = (...values) => postMessage(formatWithOptions({}, ...values));
          ${block.content}postMessage(undefined);`;
        writeFileSync(`${pages}/run/${name}.ts`, code);
        block.meta = `<div class="run"><button value="${base}run/${name}.js">Run</button><output></output></div>`;
        above += block.content;
      }
    }
  });
  const typeLinks = linksOfTypes(pages, base);
  const { fence } = rules;
  rules.fence = (tokens, index, options, env, self) => {
    if (tokens[index]?.info === "mermaid") return pictureOf(tokens[index].content);
    const html = fence?.(tokens, index, options, env, self) ?? "";
    const linked = env.relativePath?.startsWith("reference/") ? linkTypes(html, typeLinks) : html;
    return linked.replace(/<\/div>$/, `${tokens[index]?.meta ?? ""}</div>`);
  };

  // On a phone, the cells of a row stand below each other, each with the heading of its column.
  md.core.ruler.push("labels", ({ tokens }) => {
    let headings: string[] = [];
    let column = 0;
    tokens.forEach(({ type }, index) => {
      if (type === "thead_open") headings = [];
      if (type === "th_open") headings.push(tokens[index + 1]?.content.replaceAll("`", "") ?? "");
      if (type === "tr_open") column = 0;
      if (type === "td_open") tokens[index]?.attrSet("data-label", headings[column++] ?? "");
    });
  });
}

/** The colors of labels and lines. */
const MUTED = { muted: "var(--vp-c-text-2)", line: "var(--vp-c-text-2)" };

/** A diagram, which GitHub draws itself. It has the colors of the page, and loads no font. */
function pictureOf(diagram: string): string {
  const svg = renderMermaidSVG(diagram, {
    bg: "var(--vp-c-bg)",
    fg: "var(--vp-c-text-1)",
    ...MUTED,
    transparent: true,
  });
  const text = JSON.stringify(svg.replace(/@import url\('[^']*'\);/, ""));
  return `<div class="picture" v-html="${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></div>`;
}

/** The page of each type of the reference. Of two with one name, that of the entry point which comes first. */
function linksOfTypes(pages: string, base: string): Map<string, string> {
  const files = readdirSync(`${pages}/reference`, { recursive: true, encoding: "utf8" }).sort();
  const links = new Map<string, string>();
  for (const file of files) {
    const [, path, name] = /^(.*\/(?:classes|interfaces|type-aliases)\/(\w+))\.md$/.exec(file) ?? [];
    if (path && name && !links.has(name)) links.set(name, `${base}reference/${path}`);
  }
  return links;
}

/** Makes each type in highlighted code a link to its page. */
function linkTypes(html: string, links: ReadonlyMap<string, string>): string {
  return html.replace(/(?<=>)[^<]+(?=<)/g, (text) =>
    text.replace(/\b[A-Z]\w+/g, (name) => {
      const link = links.get(name);
      return link === undefined ? name : `<a href="${link}">${name}</a>`;
    }),
  );
}
