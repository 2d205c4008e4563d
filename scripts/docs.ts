/**
 * Builds the documentation site into `site/`: a landing page, the guides of `docs/` in the order of `docs/README.md`, and
 * the reference of every entry point. Every warning of TypeDoc is a failure: a broken link, an undocumented export. With
 * `--images` it first takes the pictures in `docs/images` anew, except the plots, which `node bench/docs.mjs` draws.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  Application,
  CommentTag,
  Converter,
  type DocumentReflection,
  type ProjectReflection,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";
import { pathOf, readSections } from "./docs/guides.ts";
import { takeImages } from "./docs/images.ts";
import { addGuides, FileNameRouter, GuideTheme } from "./docs/theme.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/"); // as TypeDoc wants it
const sections = readSections(`${root}docs/`);
const documents = new Map<string, DocumentReflection>();
// `npx tsx scripts/docs-try.ts` builds the page; without it, the site has no link to it.
const tryPage = `${root}examples/browser/dist`;
const hasTryPage = existsSync(`${tryPage}/index.html`);

/** Types without a page of their own: their members are shown where they are used. */
const INLINED = ["ApiErrorFault", "ReplyFault", "RateLimitedFault", "DelayFault"];

const CORE = new Set(["errors", "retries", "tokens", "int64", "many-plants", "troubleshooting"]);

/** Pages outside docs/ that a guide or an example links to: without them, the link would lead to a Markdown file. */
const linked = [
  ...["CHANGELOG", ".github/SECURITY", "bench/README", "bench/results", "bench/targets"],
  ...["test/mutation/README", "examples/README"],
  ...readdirSync(`${root}examples`)
    .map((name) => `examples/${name}/README`)
    .filter((page) => existsSync(`${root}${page}.md`)),
];

/** A document is named by its own heading. The search finds guides before members. */
function prepareDocument(document: DocumentReflection): void {
  const path = pathOf(document.name);
  FileNameRouter.paths.set(document, path);
  documents.set(path, document);
  const text = document.content.map((part) => part.text).join("");
  document.name = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? path;
  const section = sections.findIndex(({ pages }) => pages.includes(path));
  document.frontmatter.group = sections[section]?.heading ?? "More";
  // First the guides about the service, then all others, then facts and decisions.
  document.relevanceBoost = CORE.has(path) ? 90 : ([20, 20, 3, 2][section] ?? 1);
}

/** The entry points of the package are its modules. */
function groupModules(project: ProjectReflection): void {
  for (const { comment } of project.getChildrenByKind(ReflectionKind.Module)) {
    comment?.blockTags.push(new CommentTag("@group", [{ kind: "text", text: "Reference" }]));
  }
}

/** The list of classes is that of the client, and not nine errors around it. */
function groupErrors(project: ProjectReflection): void {
  for (const { name, comment } of project.getReflectionsByKind(ReflectionKind.Class)) {
    if (name.endsWith("Error")) comment?.blockTags.push(new CommentTag("@group", [{ kind: "text", text: "Errors" }]));
  }
}

/** The reference shows how to use each class, function and value. */
function demandExamples(project: ProjectReflection): void {
  const needy = ReflectionKind.Class | ReflectionKind.Function | ReflectionKind.Variable;
  for (const { name: entryPoint, children = [] } of project.getChildrenByKind(ReflectionKind.Module)) {
    for (const { kind, name, comment, signatures = [] } of children) {
      const hasExample = [comment, ...signatures.map((signature) => signature.comment)].some((it) =>
        it?.getTag("@example"),
      );
      if ((kind & needy) !== 0 && !hasExample) app.logger.warn(`${entryPoint}: ${name} has no @example`);
    }
  }
}

/** TypeDoc finds nothing in a folder whose name contains a character of its patterns, such as "(", even if escaped. */
function asPattern(path: string): string {
  return path.replace(/\\?[[\](){}*]/g, "?");
}

/** GitHub Pages shows 404.html at any depth of unknown addresses, so its links are absolute. */
function writeNotFound(): void {
  const { homepage } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const page = readFileSync(`${root}scripts/docs/404.html`, "utf8");
  writeFileSync(`${root}site/404.html`, page.replaceAll("HOMEPAGE", homepage));
}

if (process.argv.includes("--images")) await takeImages(`${root}docs/images`);

const app = await Application.bootstrapWithPlugins({ options: `${root}scripts/typedoc.json` }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
app.converter.on(Converter.EVENT_BEGIN, (context) => {
  for (const name of INLINED) context.inlineType.add(name);
});
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => prepareDocument(document));
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  groupModules(project);
  groupErrors(project);
});
app.renderer.defineRouter("files", FileNameRouter);
app.renderer.defineTheme("guides", GuideTheme);
app.options.setValue("router", "files");
app.options.setValue("theme", "guides");
app.options.packageDir = root;
app.options.setValue("entryPoints", app.options.getValue("entryPoints").map(asPattern));
app.options.setValue(
  "projectDocuments",
  [...sections.flatMap(({ pages }) => pages.map((page) => `docs/${page}`)), ...linked].map((page) =>
    asPattern(`${root}${page}.md`),
  ),
);
addGuides(app.renderer, { sections, documents, hasTryPage });

const project = await app.convert();
if (project) {
  app.validate(project);
  demandExamples(project);
  await app.generateOutputs(project);
  writeNotFound();
}
if (hasTryPage) cpSync(tryPage, `${root}site/try`, { recursive: true });
if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) {
  console.error(`The documentation has ${app.logger.errorCount} errors and ${app.logger.warningCount} warnings.`);
  process.exitCode = 1;
} else {
  console.log("Built site/index.html; `npm run docs:serve` shows it.");
  if (!hasTryPage)
    console.log("The site has no page to try the client on: `npm run build && npx tsx scripts/docs-try.ts` makes one.");
}
