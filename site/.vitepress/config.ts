import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { readSections } from "../navigation.ts";
import { adaptMarkdown, slugify } from "./markdown.ts";
import { buildPrograms } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replaceAll("\\", "/");
const pages = `${root}site/pages/`;
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const { pathname: base } = new URL(manifest.homepage);
const sections = readSections(root);
const guides = sections.flatMap(({ pages }) => pages.map(({ file }) => file));
const reference: DefaultTheme.SidebarItem[] = JSON.parse(readFileSync(`${pages}reference/typedoc-sidebar.json`, "utf8"));

/** The path of a page on the site, by its file in the repository. */
function pathOf(file: string): string | undefined {
  if (file.startsWith("reference/")) return file;
  if (file === "docs" || file === "docs/README.md") return "docs/index.md";
  return [...guides, "CHANGELOG.md"].includes(file) ? file : undefined;
}

/** The first words of a page, as search engines show them. */
function describe(file: string): string {
  const text = readFileSync(pages + file, "utf8").replace(/^---.*?^---$|^```.*?^```$/gms, "");
  const first = text.split(/\n{2,}/).find((paragraph) => /^[\w`[]/.test(paragraph)) ?? manifest.description;
  return first.replace(/\[([^\]]*)\]\([^)]*\)|[`*\\]/g, "$1").replace(/\s+/g, " ").replace(/:$/, ".");
}

/** The guides come first in the search, then the reference, then what only a maintainer asks for. */
const last = [...sections.slice(2).flatMap(({ pages }) => pages.map(({ file }) => file.slice(0, -".md".length))), "CHANGELOG"];

export default defineConfig({
  srcDir: "pages",
  outDir: "dist",
  base,
  cleanUrls: true,
  lang: "en",
  title: manifest.name,
  description: manifest.description,
  head: [["link", { rel: "icon", href: `${base}favicon.svg` }]],
  sitemap: { hostname: manifest.homepage },
  transformPageData: ({ filePath, frontmatter }) => ({
    description: frontmatter.description ?? describe(filePath),
    frontmatter: !filePath.startsWith("docs/") ? { editLink: false, ...frontmatter } : frontmatter,
  }),
  buildEnd: ({ outDir }) => buildPrograms(join(outDir, "run")),
  markdown: {
    html: false,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify },
    // Else Shiki leaves a line without colors on a machine that is busy for half a second.
    shikiSetup(shiki) {
      const { codeToHtml } = shiki;
      shiki.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
    config: (md) => adaptMarkdown(md, { root, pages, source: `${repository}/blob/main`, pathOf }),
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
        ...sections.map(({ text, pages }, index) => ({
          text,
          collapsed: index > 1,
          items: pages.map((page) => ({ text: page.text, link: `/${page.file.slice(0, -".md".length)}` })),
        })),
      ].toSpliced(2, 0, { text: "Reference", collapsed: false, items: reference.map(({ text, link }) => ({ text: text ?? "", link })) as never }),
    },
    outline: [2, 3],
    editLink: { pattern: `${repository}/blob/main/:path?plain=1`, text: "Markdown source of this page" },
    docFooter: { prev: "Previous", next: "Next" },
    search: {
      provider: "local",
      options: {
        detailedView: true,
        miniSearch: {
          searchOptions: {
            boostDocument: new Function(
              "id",
              `return ${JSON.stringify(last)}.some((page) => id.includes(page)) ? 0.2 : id.includes("/reference/") ? 0.5 : 1`,
            ) as (id: string) => number,
          },
        },
      },
    },
  },
  vite: { publicDir: "../public", build: { target: "es2022" } },
});
