import {
  Application,
  CommentTag,
  Converter,
  DeclarationReflection,
  PageEvent,
  type ProjectReflection,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";

/** Types without a page of their own: their members are shown where they are used. */
const INLINED = ["ApiErrorFault", "ReplyFault", "RateLimitedFault", "DelayFault"];

/** Writes the reference of every entry point as Markdown. */
export async function buildReference(root: string): Promise<void> {
  const readers = [new TypeDocReader(), new TSConfigReader()];
  const app = await Application.bootstrapWithPlugins({ options: `${root}site/typedoc.json` }, readers);
  app.converter.on(Converter.EVENT_BEGIN, (context) => {
    for (const name of INLINED) context.inlineType.add(name);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    groupErrors(project);
    joinThrows(project);
  });
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = tidy(page.contents ?? "", page.model);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("The reference could not be read.");
  app.validate(project);
  await app.generateOutputs(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0) throw new Error(`${errorCount} errors and ${warningCount} warnings of TypeDoc.`);
}

/** The list of classes is that of the client, and not nine errors around it. */
function groupErrors(project: ProjectReflection): void {
  for (const { name, comment } of project.getReflectionsByKind(ReflectionKind.Class)) {
    if (name.endsWith("Error")) comment?.blockTags.push(new CommentTag("@group", [{ kind: "text", text: "Errors" }]));
  }
}

/** A method that throws eight errors has one list of them. */
function joinThrows(project: ProjectReflection): void {
  for (const { comment } of project.getReflectionsByKind(ReflectionKind.All)) {
    const throws = comment?.getTags("@throws") ?? [];
    if (comment === undefined || throws.length < 2) continue;
    comment.removeTags("@throws");
    const items = throws.flatMap(({ content }) => [{ kind: "text", text: "\n- " } as const, ...content]);
    comment.blockTags.push(new CommentTag("@throws", items));
  }
}

/** Markdown that reads better than what the plugin writes. */
function tidy(text: string, model: unknown): string {
  const isMember = model instanceof DeclarationReflection && model.kind !== ReflectionKind.Module;
  const origin = isMember ? `*${ReflectionKind.singularString(model.kind)} of* [\`${model.parent?.name}\`](../index.md)` : "";
  return (
    text
      .replace(/^# .+$/m, (title) => `${title}\n\n${origin}`)
      .replace(/^#+ Default Value\n\n(.+)$/gm, "**Default:** $1")
      // The object types of a union, each on one line and under its first field.
      .replace(/\{\n((?: {2}[^{}\n]+;\n)+)\}/g, (type, fields: string) => {
        const line = `{ ${fields.trim().slice(0, -1).replace(/;\n +/g, "; ")} }`;
        return line.length <= 90 ? line : type;
      })
      .replace(/^ {2}\| \{\n((?: {2}.+\n)+)\}/gm, (_, fields: string) => `  | {\n${fields.replace(/^/gm, "    ")}}`)
      .replace(/^### Type Literal(?=\n\n```ts\n\{\s+(\w+: [^;\n}]+?)(?:;| \}))/gm, "### $1")
      .replace(/<a id="[^"]*"><\/a> /g, "")
      // Where a member was declared first, and lines between members.
      .replace(/^(?:#+ (?:Inherited from|Implementation of|Overrides)\n\n.+|\*{3})\n/gm, "")
  );
}
