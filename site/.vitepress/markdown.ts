import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { runnableBlocks } from "./run.ts";

export interface Site {
  /** The folder of the repository. */
  readonly root: string;
  /** The address of the files that are no pages. */
  readonly source: string;
  readonly base: string;
  /** The path of each page of the reference, by its name. */
  readonly reference: ReadonlyMap<string, string>;
  /** The path of a page on the site, by its file in the repository. */
  pathOf(file: string): string | undefined;
}

/** GitHub's anchors, so that a link works there and on the site. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Lets the Markdown of the repository be a page of the site as it is. */
export function adaptMarkdown(md: MarkdownRenderer, site: Site): void {
  skipComments(md);
  md.core.ruler.push("links", ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        const link = token.type === "link_open" ? token.attrGet("href") : null;
        if (link !== null && !/^(?:[a-z]+:|[/#])/.test(link)) token.attrSet("href", resolve(link, env.relativePath === "index.md" ? "site/index.md" : env.relativePath, site));
      }
    }
  });
  extendCode(md, site);
}

/** HTML is off, so that `<stdin>` is text. Then a comment would be text, too. */
function skipComments(md: MarkdownRenderer): void {
  md.block.ruler.before("paragraph", "comment", (state, start, _end, silent) => {
    const line = state.src.slice((state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0), state.eMarks[start]);
    if (!/^<!--.*-->$/.test(line)) return false;
    if (!silent) state.line = start + 1;
    return true;
  }, { alt: ["paragraph"] });
}

/** A link to a page leads to its path on the site, a link to another file to the repository. */
function resolve(link: string, from: string, { root, source, pathOf }: Site): string {
  const [path = "", anchor] = link.split("#");
  const file = posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, "");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const page = pathOf(file);
  if (page !== undefined) return `/${page}${hash}`;
  if (!existsSync(root + file)) throw new Error(`${from} links to ${link}, which does not exist.`);
  return `${source}/${file}${hash}`;
}

/**
 * A block that needs only the client and the mock in memory gets a Run button. In the reference, the name of a type is a
 * link to its page.
 */
function extendCode(md: MarkdownRenderer, { base, reference }: Site): void {
  md.core.ruler.push("run", ({ src, env }) => {
    env.runnable = runnableBlocks(src, isReference(env));
  });
  const names = new RegExp(`>( ?)(${[...reference.keys()].join("|")})</span>`, "g");
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = fence?.(tokens, index, options, env, self) ?? "";
    const name = env.runnable?.get((tokens[index]?.map?.[0] ?? -1) + 1);
    if (name !== undefined) return `${html}<RunBlock name="${name}" />`;
    if (!isReference(env)) return html;
    return html.replace(names, (text, space: string, type: string) => {
      const path = reference.get(type) ?? "";
      return env.relativePath.endsWith(`/${type}.md`) ? text : `>${space}<a href="${base}${path}">${type}</a></span>`;
    });
  };
}

function isReference({ relativePath = "" }: Partial<MarkdownEnv>): boolean {
  return relativePath.startsWith("reference/");
}
