import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { slug } from "github-slugger";
import { type DefaultTheme, defineConfig } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { writeForAssistants } from "./assistants.ts";
import { adaptMarkdown } from "./markdown.ts";

const pages = fileURLToPath(new URL("../pages", import.meta.url));
const read = (page: string) => readFileSync(`${pages}/${page}`, "utf8");
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const { pathname: base } = new URL(manifest.homepage);

/** The sections of docs/README.md are the groups of the sidebar. Those that most readers do not need are closed. */
const [, ...sections] = read("docs/index.md").split(/^## /m);
const groups = sections.map((section, index) => {
  const [text = ""] = section.split("\n", 1);
  const pages = section.matchAll(/\[([^\]]+)\]\((?:https:\S+?\/docs\/)?([\w/-]+)\.md\)/g);
  return {
    text,
    collapsed: index > 1,
    items: Array.from(pages, ([, text = "", path = ""]) => ({ text, link: `/docs/${path.replace("README", "")}` })),
  };
});
/** What most readers look up comes first. */
const mostUsed = [
  "classes/PlantStoreClient",
  "interfaces/PlantStoreClientOptions",
  "classes/PlantStoreError",
  "functions/createPlants",
  "mock/functions/createMockPlantStore",
  "mock/interfaces/MockSession",
  "mock/variables/faults",
];
// A long name breaks before a capital letter.
const entryPoints: { text: string; link: string }[] = JSON.parse(
  read("reference/typedoc-sidebar.json"),
  (key, value) => (key === "text" ? value.replace(/\B(?=[A-Z][a-z])/g, "<wbr>") : value),
);
const reference: DefaultTheme.SidebarItem[] = [
  {
    text: "Most used",
    items: mostUsed.map((path) => ({
      text: path.replace(/.*\//, ""),
      link: `/reference/${manifest.name}/${path}`,
    })),
  },
  ...entryPoints.map((item) => ({ ...item, text: item.text.replace(`${manifest.name}/`, "…/") })),
];

/** The first words of a page, as search engines show them. VitePress does not escape them. */
function describe(page: string): string {
  const [, body = ""] = read(page).split(/^# .+$([\s\S]*)/m);
  const paragraphs = body.replace(/^```.*?^```$/gms, "").split(/\n{2,}/);
  const choice = paragraphs.find((paragraph) => paragraph.startsWith("**Choice.** "));
  const first = choice ?? paragraphs.find((paragraph) => /^[\w`[]/.test(paragraph)) ?? manifest.description;
  const text = first.replace(/^\*\*Choice\.\*\* |\[([^\]]*)\]\([^)]*\)|[`*"\\]/g, "$1");
  return text.replace(/\s+/g, " ");
}

const firstSentence = (page: string) =>
  /^.{40,}?[.?](?= |$)/.exec(describe(page))?.[0] ?? describe(page).replace(/:$/, ".");

/** Words that questions are made of are left out, and "retries" is found as "retry"; a name in code stays as it is. */
function processTerm(term: string): string | null {
  const word = term.toLowerCase();
  if (/^(?:an?|and|are|can|do|for|how|i|if|in|is|it|my|of|on|or|the|to|use|what|when|where|with|your?)$/.test(word))
    return null;
  return /[a-z][A-Z]/.test(term) ? word : word.replace(/ie[sd]$/, "y").replace(/(?<=\w{3})(?:ing|s)$/, "");
}

/** The page of errors comes before other guides, guides before messages and the reference, the top of a page before its sections. */
const boostDocument = new Function(
  "id, _term, { titles }",
  `const boosts = [[/CHANGELOG|evidence|decisions|architecture/, 0.05], [/reference/, 0.25], [/troubleshooting|migrating|calibrate/, 0.4], [/errors(?!-)/, 1.25]];
  const [, boost] = boosts.find(([page]) => page.test(id)) ?? [, 1];
  return boost * (titles.length === 0 ? 1.5 : 1) * (id.endsWith("#test-your-code") ? 1.5 : 1);`,
) as () => number;

/** What axe finds in the components of VitePress: a component, text of it, and what takes its place. */
const repairs: [string, RegExp, string][] = [
  ["VPHome.vue", /class="VPHome"/, 'class="VPHome" role="main"'],
  ["VPNavBarSearchButton.vue", />K</, ' data-key="K"><'],
  ["VPSidebarItem.vue", /:role="itemRole"/, '$& :aria-expanded="itemRole && !collapsed"'],
  ["VPSidebarItem.vue", /:tabindex="item.items && 0"/, ':tabindex="item.items && !item.link ? 0 : undefined"'],
  ["VPSidebarItem.vue", /(role|aria-label)="(button|toggle section)"/g, ":$1=\"item.link && '$2'\""],
  ["VPSidebarItem.vue", /(?<=onCaretClick"\s+)tabindex="0"/, ':tabindex="item.link ? 0 : undefined"'],
  ["VPLocalSearchBox.vue", /role="button"/, 'role="dialog"'],
  ["VPLocalSearchBox.vue", /aria-expanded="true"\s+aria-haspopup="listbox"/, ""],
  ["VPLocalSearchBox.vue", /:role="results\?\.length \? 'listbox' : undefined"/, ""],
  ["VPLocalSearchBox.vue", /:aria-selected="[^"]+"\s+role="option"/, ""],
  ["VPLocalSearchBox.vue", /:aria-label="\[\.\.\.p\.titles[^"]+"/, ""],
  ["VPLocalSearchBox.vue", /<kbd(?= :aria)/g, '$& role="img"'],
];
function repair(code: string, id: string): string {
  return repairs.reduce((text, [component, from, to]) => {
    if (!id.endsWith(component)) return text;
    if (text.search(from) < 0) throw new Error(`${component} has no ${from} any more: run axe, and change repairs.`);
    return text.replace(from, to);
  }, code);
}

export default defineConfig({
  title: manifest.name,
  description: manifest.description,
  srcDir: "pages",
  outDir: "dist",
  base,
  cleanUrls: true,
  head: [["link", { rel: "icon", href: `${base}favicon.svg` }]],
  buildEnd: ({ outDir }) =>
    writeForAssistants({ pages, outDir, homepage: manifest.homepage, repository, describe: firstSentence }),
  transformPageData: ({ filePath, frontmatter }) => ({
    description: frontmatter.description ?? describe(filePath),
    frontmatter: {
      editLink: !filePath.startsWith("reference/"),
      // Its messages are headings, too many and too long for an outline.
      ...(filePath.endsWith("troubleshooting.md") && { outline: 2 }),
      ...frontmatter,
    },
  }),
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // GitHub's anchors, so that a link works there and on the site.
    anchor: { slugify: slug },
    config: (md) => adaptMarkdown(md, pages, base, repository),
  },
  themeConfig: {
    logo: "/favicon.svg",
    nav: [
      { text: "Guides", link: "/docs/", activeMatch: "/docs/" },
      { text: "Reference", link: "/reference/plant-store-client/", activeMatch: "/reference/" },
      { text: "Try it", link: "/try/", target: "_self" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    socialLinks: [{ icon: "github", link: repository }],
    sidebar: {
      "/reference/": reference,
      "/": (groups as DefaultTheme.SidebarItem[]).toSpliced(2, 0, {
        text: "Reference",
        collapsed: false,
        items: reference,
      }),
    },
    outline: [2, 3],
    editLink: { pattern: `${repository}/blob/main/:path?plain=1`, text: "Markdown source of this page" },
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
  vite: {
    publicDir: "../public",
    build: { target: "es2022", chunkSizeWarningLimit: 2000 },
    plugins: [{ name: "repair", enforce: "pre", transform: repair }],
  },
});
