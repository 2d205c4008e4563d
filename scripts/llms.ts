import { readFile } from "node:fs/promises";

/**
 * Describes the package for language models in the format of https://llmstxt.org: its purpose, a short program, the entry
 * points and the guides, all taken from other files.
 */
export async function describePackage(root: URL): Promise<string> {
  const read = (path: string) => readFile(new URL(path, root), "utf8");
  const { name, description, engines } = JSON.parse(await read("package.json"));
  const { entryPoints } = JSON.parse(await read("scripts/typedoc.json"));
  const modules = await Promise.all(
    entryPoints.map(async (path: string) => describeModule(await read(`scripts/${path}`))),
  );
  const sections = [
    `# ${name}`,
    `> ${description}. Node ${engines.node}; ES modules and CommonJS, with types.`,
    `\`\`\`ts\n${(await read("examples/quick-start.ts")).trim()}\n\`\`\``,
    `## Entry points\n\n${modules.join("\n")}`,
    ...listGuides(await read("docs/README.md")),
    "## Contract\n\n- [OpenAPI document](openapi.yaml)",
  ];
  return `${sections.join("\n\n")}\n`;
}

/** The name of a module, and the first sentence of its comment. */
function describeModule(source: string): string {
  const [, comment = "", name] = /^\/\*\*\s([\s\S]*?)@module (\S+)/.exec(source) ?? [];
  const text = comment.replaceAll(/\s+\* ?/g, " ").trim();
  return `- \`${name}\`: ${/^.*?\.(?= |$)/.exec(text)?.[0] ?? text}`;
}

/** The sections of an index with the pages that they link to, and what a table says of each. */
function listGuides(index: string): string[] {
  return index
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [heading = ""] = section.split("\n", 1);
      const pages = [...section.matchAll(/\[([^\]]+)\]\(([\w/-]+\.md)\)(?: *\| *([^|\n]+?) *\|)?/g)].map(
        ([, title, path, about]) => `- [${title}](docs/${path})${about ? `: ${about}` : ""}`,
      );
      return pages.length > 0 ? [`## ${heading}\n\n${pages.join("\n")}`] : [];
    });
}
