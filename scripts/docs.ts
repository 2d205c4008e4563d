/**
 * Builds the documentation site into `site/`: the reference of every door, and the guides of `docs/`. Any warning of
 * TypeDoc is a failure: a link that leads nowhere, an export without a sentence.
 */
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  type DocumentReflection,
  KindRouter,
  type Reflection,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The file of each document, without its extension. */
const files = new WeakMap<Reflection, string>();

/** Addresses of documents come from their files, which stay when a heading is reworded. */
class FileNameRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const file = files.get(reflection);
    return file === undefined ? super.getIdealBaseName(reflection) : `documents/${basename(file)}`;
  }
}

/** A document is named by its heading, and stands in the group of its folder. */
function nameDocument(document: DocumentReflection): void {
  files.set(document, document.name);
  const text = document.content.map((part) => part.text).join("");
  document.name = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? document.name;
  document.comment = new Comment([], [new CommentTag("@group", [{ kind: "text", text: groupOf(document, text) }])]);
}

function groupOf(document: DocumentReflection, text: string): string {
  if (/^decisions\//.test(files.get(document) ?? "")) return "Decisions";
  return /^<!-- Printed by/m.test(text) ? "Tables" : "Guides";
}

const app = await Application.bootstrapWithPlugins({ options: `${root}typedoc.json` }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => nameDocument(document));
app.renderer.defineRouter("files", FileNameRouter);
app.options.setValue("router", "files");

const project = await app.convert();
if (project) {
  for (const child of project.getChildrenByKind(ReflectionKind.Module)) {
    child.comment ??= new Comment();
    child.comment.blockTags.push(new CommentTag("@group", [{ kind: "text", text: "Doors" }]));
  }
  app.validate(project);
}
if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) {
  console.error(`The documentation has ${app.logger.errorCount} errors and ${app.logger.warningCount} warnings.`);
  process.exitCode = 1;
} else {
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
  console.log(`Built ${relative(process.cwd(), app.options.getValue("out"))}/index.html; npm run docs:serve shows it.`);
}
