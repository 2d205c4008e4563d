import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { importsOf, programsOf } from "../programs.ts";

const RUNNABLE = ["plant-store-client", "plant-store-client/mock"];

/** Lets the Markdown of the repository be a page of the site as it is. */
export function adaptMarkdown(md: MarkdownRenderer, pages: string, base: string, repository: string): void {
  // `<stdin>` in a page is text.
  const { rules } = md.renderer;
  rules.html_block = (tokens, index) =>
    tokens[index]?.content.replace(/<!--[\s\S]*?-->/g, "").replaceAll("<", "&lt;") ?? "";
  rules.html_inline = rules.html_block;

  // A link to a file that is not a page leads to the repository.
  md.core.ruler.push("links", ({ tokens, env: { relativePath = "" } }) => {
    const folder = posix.dirname(relativePath === "index.md" ? "site/index.md" : relativePath);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.attrGet("href");
      if (link === null || /^(?:\w+:|#|\/)/.test(link)) continue;
      const target = posix.join("/", folder, link).replace("docs/README.md", "docs/index.md");
      const isPage = /\.md(?:#|$)/.test(target) && existsSync(pages + target.replace(/#.*/, ""));
      token.attrSet("href", isPage ? target : `${repository}/blob/main${target}`);
    }
  });

  // A block that needs only the client and the mock in memory runs, after the blocks above it.
  md.core.ruler.push("run", ({ tokens, env: { relativePath = "" } }) => {
    mkdirSync(`${pages}/run`, { recursive: true });
    const blocks = tokens.filter(({ type, info }) => type === "fence" && /^[jt]sx?\b/.test(info));
    // In the reference, signatures stand between the examples.
    const isReference = relativePath.startsWith("reference/");
    for (const program of isReference ? blocks.map((block) => [block]) : programsOf(blocks)) {
      let above = 'import { output } from "../../worker.ts";\n';
      for (const block of program) {
        const imports = importsOf(above + block.content).slice(1);
        if (!imports.includes("plant-store-client/mock") || !imports.every((name) => RUNNABLE.includes(name))) break;
        const code = `${above}output.isShown = true;\n${block.content}postMessage(undefined);\n`;
        const name = createHash("sha256").update(code).digest("hex").slice(0, 12);
        writeFileSync(`${pages}/run/${name}.ts`, code);
        block.meta = `<div class="run"><button value="${base}run/${name}.js">Run</button><output></output></div>`;
        above += block.content;
      }
    }
  });
  const { fence } = rules;
  rules.fence = (tokens, index, ...rest) => (fence?.(tokens, index, ...rest) ?? "") + (tokens[index]?.meta ?? "");
}
