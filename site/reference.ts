import { Application, CommentTag, Converter, PageEvent, ReflectionKind, TSConfigReader, TypeDocReader } from "typedoc";

/** Types without a page of their own: their members are shown where they are used. */
const INLINED = ["ApiErrorFault", "ReplyFault", "RateLimitedFault", "DelayFault"];

/** Writes the reference of every entry point as Markdown. Every warning is a failure. */
export async function buildReference(options: string): Promise<void> {
  const app = await Application.bootstrapWithPlugins({ options }, [new TypeDocReader(), new TSConfigReader()]);
  app.converter.on(Converter.EVENT_BEGIN, (context) => {
    for (const name of INLINED) context.inlineType.add(name);
  });
  // A method that throws eight errors has one list of them.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const { comment } of project.getReflectionsByKind(ReflectionKind.All)) {
      const throws = comment?.getTags("@throws") ?? [];
      if (throws.length < 2) continue;
      comment?.removeTags("@throws");
      const items = throws.flatMap(({ content }) => [{ kind: "text", text: "\n- " } as const, ...content]);
      comment?.blockTags.push(new CommentTag("@throws", items));
    }
  });
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = tidy(page.contents ?? "");
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("The reference could not be read.");
  app.validate(project);
  await app.generateOutputs(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0) throw new Error(`${errorCount} errors and ${warningCount} warnings of TypeDoc.`);
}

function tidy(text: string): string {
  return (
    text
      .replace(/^#+ Default Value\n\n(.+)$/gm, "**Default:** $1")
      // An object type of a union is on one line if it fits, and stands under its first field.
      .replace(/\{\n((?: {2}[^{}\n]+;\n)+)\}/g, (type, fields: string) =>
        fields.length > 80 ? type.replaceAll("\n", "\n    ") : `{ ${fields.trim().replace(/\n +/g, " ")} }`,
      )
      .replace(/^### Type Literal(?=\n\n```ts\n\{\s+(\w+: [^;\n]+))/gm, "### $1")
      // Where a member was declared first, anchors in tables, and lines between members.
      .replace(/^(?:#+ (?:Inherited from|Implementation of|Overrides)\n\n.+|\*{3})\n|<a id="[^"]*"><\/a> /gm, "")
  );
}
