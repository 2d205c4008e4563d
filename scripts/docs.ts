/**
 * Builds the documentation site into `site/`: the reference of every door, and the guides of `docs/`, in the order and
 * under the headings of `docs/README.md`. Any warning of TypeDoc is a failure: a link that leads nowhere, an export
 * without a sentence.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  Application,
  CommentTag,
  Converter,
  type DocumentReflection,
  JSX,
  KindRouter,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The heading of each page in the index, by its path in `docs/` without the extension. */
function readIndex(): Map<string, string> {
  const headings = new Map<string, string>();
  for (const section of readFileSync(`${root}docs/README.md`, "utf8").split(/^## /m).slice(1)) {
    const [heading = ""] = section.split("\n", 1);
    for (const [, page = ""] of section.matchAll(/\]\(([\w/-]+)\.md\)/g)) headings.set(page, heading);
  }
  for (const path of readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })) {
    const [, page] = /^(.*)\.md$/.exec(path) ?? [];
    if (page !== undefined && page !== "README" && !headings.has(page)) headings.set(page, "More");
  }
  return headings;
}

const index = readIndex();
const headings = [...new Set(index.values())];
const REFERENCE = "Reference";

/** The path of each document in `docs/`, without its extension. */
const paths = new WeakMap<Reflection, string>();

/** Addresses of documents come from their files, which stay when a heading is reworded. */
class FileNameRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const path = paths.get(reflection);
    return path === undefined ? super.getIdealBaseName(reflection) : `documents/${path.replaceAll("/", "-")}`;
  }
}

/** A document is named by its own heading, and stands in the group that the index gives it. */
function nameDocument(document: DocumentReflection): void {
  const path = document.name;
  paths.set(document, path);
  const text = document.content.map((part) => part.text).join("");
  document.name = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? path;
  document.frontmatter.group = index.get(path) ?? "More";
}

/** The modules are the doors of the package. */
function groupModules(project: ProjectReflection): void {
  for (const { comment } of project.getChildrenByKind(ReflectionKind.Module)) {
    comment?.blockTags.push(new CommentTag("@group", [{ kind: "text", text: REFERENCE }]));
  }
}

/** Whoever finds a class, a function or a value in the reference finds there how to use it. */
function demandExamples(project: ProjectReflection): void {
  const needy = ReflectionKind.Class | ReflectionKind.Function | ReflectionKind.Variable;
  for (const { name: door, children = [] } of project.getChildrenByKind(ReflectionKind.Module)) {
    for (const { kind, name, comment, signatures = [] } of children) {
      const hasExample = [comment, ...signatures.map((signature) => signature.comment)].some((it) =>
        it?.getTag("@example"),
      );
      if ((kind & needy) !== 0 && !hasExample) app.logger.warn(`${door}: ${name} has no @example`);
    }
  }
}

const app = await Application.bootstrapWithPlugins({ options: `${root}typedoc.json` }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => nameDocument(document));
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => groupModules(project));
app.renderer.defineRouter("files", FileNameRouter);
app.options.setValue("router", "files");
app.options.setValue(
  "projectDocuments",
  [...index.keys()].map((page) => `${root}docs/${page}.md`),
);
// The page to try the client on is built by its own project; the site has it where that was done.
const tryPage = `${root}examples/browser/dist`;
const hasTryPage = existsSync(`${tryPage}/index.html`);
if (hasTryPage) {
  app.renderer.hooks.on("sidebar.begin", ({ relativeURL }) =>
    JSX.createElement("a", { class: "try-page", href: relativeURL("try/index.html") }, "Try it in this browser"),
  );
}
// What people use comes first, then what they look up, then why it is so.
app.options.setValue("groupOrder", [...headings.slice(0, 2), REFERENCE, ...headings.slice(2), "*"]);

const project = await app.convert();
if (project) {
  app.validate(project);
  demandExamples(project);
}
if (project) await app.generateOutputs(project);
if (hasTryPage) cpSync(tryPage, `${root}site/try`, { recursive: true });
if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) {
  console.error(`The documentation has ${app.logger.errorCount} errors and ${app.logger.warningCount} warnings.`);
  process.exitCode = 1;
} else {
  console.log("Built site/index.html; `npm run docs:serve` shows it.");
  if (!hasTryPage) console.log("It has no page to try: `npm run build && npm run docs:try` makes one.");
}
