import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { adaptMarkdown, slugify } from "./markdown.ts";
import { buildPrograms } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replaceAll("\\", "/");
const pages = `${root}site/pages/`;
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const { pathname: base } = new URL(manifest.homepage);

type Item = DefaultTheme.SidebarItem & { text: string; link: string; items: Item[] };
const entryPoints: Item[] = JSON.parse(readFileSync(`${pages}reference/typedoc-sidebar.json`, "utf8"));
const reference = entryPoints.map((item) => ({ ...item, text: item.text.replace(`${manifest.name}/`, "…/") }));
const members = reference.flatMap(({ items }) => items).flatMap(({ items }) => items);

/** The groups of the sidebar are the sections of `docs/README.md`, which lists every page of `docs`. */
const groups = readFileSync(`${root}docs/README.md`, "utf8")
  .split(/^## /m)
  .slice(1)
  .map((section, index) => ({
    text: section.split("\n", 1)[0] ?? "",
    collapsed: index > 1,
    items: Array.from(section.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g), ([, text = "", path]) => ({
      text,
      link: `/docs/${path}`,
    })),
  }));
const listed = groups.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`));
const written = readdirSync(`${pages}docs`, { recursive: true, encoding: "utf8" })
  .map((path) => `docs/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".md") && path !== "docs/index.md");
const odd = [...listed.filter((page) => !written.includes(page)), ...written.filter((page) => !listed.includes(page))];
if (odd.length > 0) throw new Error(`docs/README.md lists a page that does not exist, or the reverse: ${odd.join(", ")}`);

/** The path of a page on the site, by its file in the repository. */
function pathOf(file: string): string | undefined {
  if (file === "docs/README.md") return "docs/index.md";
  return file.startsWith("reference/") || ["CHANGELOG.md", ...listed].includes(file) ? file : undefined;
}

/** The first words of a page, as search engines show them. */
function describe(file: string): string {
  const text = readFileSync(pages + file, "utf8").replace(/^---.*?^---$|^```.*?^```$/gms, "");
  const first = text.split(/\n{2,}/).find((paragraph) => /^[\w`[]/.test(paragraph)) ?? manifest.description;
  return first.replace(/\[([^\]]*)\]\([^)]*\)|[`*\\]/g, "$1").replace(/\s+/g, " ").replace(/:$/, ".");
}

/**
 * The search shows guides before members of the reference, and these before what only a maintainer asks for; the top of
 * a page, and the first page of a group, before others. The site has this function and the next as text.
 */
const rare = ["/CHANGELOG", ...groups.slice(2).flatMap(({ items }) => items.map(({ link }) => link))];
const first = groups.map(({ items }) => items[0]?.link);
const boostDocument = new Function(
  "id, _term, { titles }",
  `const page = id.split("#")[0].slice(${base.length - 1});
  const boost = page.startsWith("/reference/") ? 0.25 : ${JSON.stringify(rare)}.includes(page) ? 0.05 : 1;
  return boost * (titles.length === 0 ? 1.5 : 1) * (${JSON.stringify(first)}.includes(page) ? 1.5 : 1);`,
) as (id: string) => number;

/** Words that questions are made of are left out, and "retries" is found as "retry"; a name in code stays as it is. */
function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  if (/^(?:an?|and|are|can|do|does|for|how|i|if|in|is|it|my|of|on|or|the|to|what|when|where|with|your?)$/.test(word)) return null;
  return /[a-z][A-Z]/.test(term) ? word : word.replace(/ie[sd]$/, "y").replace(/(?<=\w{3})(?:ing|s)$/, "");
}

/** What axe finds in the components of VitePress: text of a component, and what takes its place. */
const repairs: Record<string, [RegExp, string][]> = {
  "VPHome.vue": [[/class="VPHome"/, 'class="VPHome" role="main"']],
  "VPNavBarSearchButton.vue": [[/>K</, ' data-key="K"><']],
  "VPSidebarItem.vue": [
    [/:role="itemRole"/, '$& :aria-expanded="itemRole && !collapsed"'],
    [/:tabindex="item.items && 0"/, ':tabindex="item.items && !item.link ? 0 : undefined"'],
    [/role="button"\s+aria-label="(.+?)"/, ":role=\"item.link && 'button'\" :aria-label=\"item.link && '$1'\""],
    [/(?<=onCaretClick"\s+)tabindex="0"/, ':tabindex="item.link ? 0 : undefined"'],
  ],
  "VPLocalSearchBox.vue": [
    [/role="button"([\s\S]+?)aria-expanded="true"\s+aria-haspopup="listbox"/, 'role="dialog"$1'],
    [/:role="results\?\.length \? 'listbox' : undefined"/, ""],
    [/:aria-selected="[^"]+"\s+role="option"/, ""],
    [/<kbd(?= :aria)/g, '$& role="img"'],
    [/:aria-label="\[\.\.\.p\.titles[^"]+"/, ""],
  ],
};
const repair = {
  name: "repair",
  enforce: "pre",
  transform(code: string, id: string) {
    const replacements = repairs[basename(id)];
    return replacements?.reduce((text, [from, to]) => {
      if (text.search(from) < 0) throw new Error(`${basename(id)} has no ${from} any more: run axe, and change repairs.`);
      return text.replace(from, to);
    }, code);
  },
} as const;

export default defineConfig({
  srcDir: "pages",
  outDir: "dist",
  base,
  cleanUrls: true,
  lang: "en",
  title: manifest.name,
  description: manifest.description,
  head: [["link", { rel: "icon", href: `${base}favicon.svg` }]],
  transformPageData: ({ filePath, frontmatter }) => ({
    description: frontmatter.description ?? describe(filePath),
    frontmatter: { editLink: !filePath.startsWith("reference/"), ...frontmatter },
  }),
  buildEnd: ({ outDir }) => buildPrograms(join(outDir, "run")),
  markdown: {
    // `<stdin>` in a page is text.
    html: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify },
    // Else Shiki leaves a line without colors if the machine is busy for half a second.
    shikiSetup(shiki) {
      const { codeToHtml } = shiki;
      shiki.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    config: (md) =>
      adaptMarkdown(md, {
        root,
        source: `${repository}/blob/main`,
        base,
        reference: new Map(members.map(({ text, link }) => [text, link.slice(1, -".md".length)])),
        pathOf,
      }),
  },
  themeConfig: {
    logo: "/favicon.svg",
    nav: [
      { text: "Guides", link: "/docs/getting-started", activeMatch: "/docs/" },
      { text: "Reference", link: "/reference/plant-store-client/", activeMatch: "/reference/" },
      { text: "Try it", link: "/try/", target: "_self" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    socialLinks: [{ icon: "github", link: repository }],
    sidebar: {
      "/reference/": reference,
      "/": [
        ...groups.slice(0, 2),
        { text: "Reference", collapsed: false, items: reference.map(({ text, link }) => ({ text, link })) },
        ...groups.slice(2),
      ],
    },
    outline: [2, 3],
    editLink: { pattern: `${repository}/blob/main/:path?plain=1`, text: "Markdown source of this page" },
    externalLinkIcon: false,
    search: {
      provider: "local",
      options: {
        detailedView: true,
        miniSearch: {
          options: { processTerm },
          searchOptions: { boostDocument, boost: { title: 6, titles: 2, text: 1 }, fuzzy: false },
        },
      },
    },
  },
  vite: { plugins: [repair], publicDir: "../public", build: { target: "es2022", chunkSizeWarningLimit: 2000 } },
});
