import {
  type DeclarationReflection,
  DefaultTheme,
  type DefaultThemeRenderContext,
  DocumentReflection,
  JSX,
  KindRouter,
  type NavigationElement,
  PageEvent,
  Reflection,
  ReflectionKind,
  type Renderer,
} from "typedoc";
import type { Section } from "./guides.ts";

const h = JSX.createElement;

const TAGLINE =
  "A typed TypeScript client for the Plant Store service, and a complete mock of the service for your tests.";

/** The guides as documents of the site. */
export interface Guides {
  readonly sections: readonly Section[];
  /** The document of each path in `docs/`. */
  readonly documents: ReadonlyMap<string, DocumentReflection>;
  readonly hasTryPage: boolean;
}

/** Addresses of documents come from their files, and stay when a heading is reworded. */
export class FileNameRouter extends KindRouter {
  static readonly paths = new WeakMap<Reflection, string>();

  protected override getIdealBaseName(reflection: Reflection): string {
    const path = FileNameRouter.paths.get(reflection);
    return path === undefined ? super.getIdealBaseName(reflection) : `documents/${path.replaceAll("/", "-")}`;
  }
}

/** TypeDoc's own navigation stays empty: the sidebar lists guides and entry points in order, always open. */
export class GuideTheme extends DefaultTheme {
  override buildNavigation(): NavigationElement[] {
    return [];
  }
}

/** Adds what the guides need around TypeDoc's own pages: navigation, previous and next, the head of the landing page. */
export function addGuides(renderer: Renderer, guides: Guides): void {
  const pages = guides.sections.flatMap((section) => section.pages);
  renderer.hooks.on("body.begin", () => h("a", { class: "skip", href: "#content" }, "Skip to the content"));
  renderer.hooks.on("sidebar.begin", (context) => sidebar(context, guides));
  renderer.hooks.on("content.begin", (context) =>
    context.page.url === "index.html" ? hero(context, guides) : h(JSX.Fragment, null),
  );
  renderer.hooks.on("content.end", (context) => pager(context, guides, pages));
  renderer.on(PageEvent.END, (page) => {
    if (page.contents)
      page.contents = describe(repair(page.contents, page.model instanceof DocumentReflection), page.model);
  });
}

/** Sets the description that search engines show: the first paragraph of a guide, or the summary of an export. */
function describe(html: string, model: unknown): string {
  const text = model instanceof Reflection ? textOf(model) : "";
  const paragraphs = text.replace(/^```.*?^```$/gms, "").split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\w`*[]/.test(paragraph)) ?? TAGLINE;
  const plain = first
    .replace(/\[([^\]]*)\]\([^)]*\)|[`*]/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/:$/, ".");
  const escaped = plain.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return html.replace(/(<meta name="description" content=)"[^"]*"/, (_, start: string) => `${start}"${escaped}"`);
}

/** The text of a guide, or the summary of an export. */
function textOf(model: Reflection): string {
  const { comment, signatures } = model as DeclarationReflection;
  const summary = (comment ?? signatures?.[0]?.comment)?.summary ?? [];
  const parts = model instanceof DocumentReflection ? model.content : summary;
  return parts.map((part) => part.text).join("");
}

/** What TypeDoc's pages lack for screen readers. A guide needs no title and breadcrumb above its own heading. */
function repair(html: string, isGuide: boolean): string {
  const marked = html
    .replace('<div class="col-content">', '<div class="col-content" id="content" role="main">')
    .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="On this page">')
    .replace(/(class="title">[^<]*?) - (v\d)/, "$1 $2")
    // An empty cell must not be a column heading.
    .replaceAll("<th></th>", "<td></td>")
    // The keyboard cannot reach a link inside a <summary>.
    .replace(/<summary.*?<\/summary>/gs, (summary) => summary.replace(/<a [^>]*tsd-anchor-icon.*?<\/a>/gs, ""));
  return levelHeadings(isGuide ? marked.replace(/<div class="tsd-page-title">.*?<\/div>/s, "") : marked);
}

/** Lets no heading skip a level: one is a level below the last heading above it, and headings of one level stay on one level. */
function levelHeadings(html: string): string {
  // The levels of the headings above, as they were.
  let above = [1];
  return html.replace(/<h([1-6])(\b.*?)<\/h\1>/gs, (_, digit: string, rest: string) => {
    const level = Number(digit);
    above = [...above.filter((other) => other < level), level];
    return `<h${above.length}${rest}</h${above.length}>`;
  });
}

function sidebar(context: DefaultThemeRenderContext, guides: Guides): JSX.Element {
  const modules = context.page.project.getChildrenByKind(ReflectionKind.Module);
  const [use, test, ...rest] = guides.sections.map(({ heading, pages }) =>
    linkList(
      heading,
      pages.map((page) => guideLink(context, guides, page)),
    ),
  );
  const reference = linkList(
    "Reference",
    modules.map((module) => pageLink(context, module, module.name)),
  );
  const tryPage = h(
    "nav",
    { "aria-label": "Try it" },
    h("a", { href: context.relativeURL("try/index.html") }, "Try it in your browser"),
  );
  return h("div", { class: "guides" }, guides.hasTryPage && tryPage, use, test, reference, ...rest);
}

function linkList(heading: string, links: JSX.Element[]): JSX.Element {
  const items = links.map((link) => h("li", null, link));
  return h("nav", { "aria-label": heading }, h("p", { class: "guides-heading" }, heading), h("ul", null, ...items));
}

function pageLink(context: DefaultThemeRenderContext, page: Reflection, label: string): JSX.Element {
  const current = context.page.model === page ? ({ "aria-current": "page" } as const) : {};
  return h("a", { href: context.urlTo(page), ...current }, label);
}

function guideLink(context: DefaultThemeRenderContext, { documents }: Guides, path: string, label?: string) {
  const document = documents.get(path);
  if (document === undefined) throw new Error(`docs/${path}.md is not a document of the site.`);
  return pageLink(context, document, label ?? document.name);
}

function pager(context: DefaultThemeRenderContext, guides: Guides, pages: readonly string[]): JSX.Element {
  const index = pages.findIndex((page) => guides.documents.get(page) === context.page.model);
  if (index < 0) return h(JSX.Fragment, null);
  const step = (page: string | undefined, label: string, className: string) =>
    h("div", { class: className }, page && h("span", null, label), page && guideLink(context, guides, page));
  return h(
    "nav",
    { class: "pager", "aria-label": "Previous and next guide" },
    step(pages[index - 1], "Previous", "previous"),
    step(pages[index + 1], "Next", "next"),
  );
}

function hero(context: DefaultThemeRenderContext, guides: Guides): JSX.Element {
  const tryLink = h("a", { href: context.relativeURL("try/index.html") }, "Try it in your browser");
  return h(
    "div",
    { class: "hero" },
    h("h1", null, "Create plants. Know whether they exist."),
    h("p", null, TAGLINE),
    h("pre", { class: "install" }, h("code", null, "npm install plant-store-client")),
    h(
      "p",
      { class: "actions" },
      h("span", { class: "primary" }, guideLink(context, guides, "getting-started", "Get started")),
      guides.hasTryPage && h("span", null, tryLink),
      h("span", null, guideLink(context, guides, "testing", "Test your code")),
    ),
  );
}
