import { Application, CommentTag, Converter, type DeclarationReflection, ReflectionKind, TSConfigReader, TypeDocReader } from "typedoc";

/** Types without a page of their own: their members are shown where they are used. */
const INLINED = ["ApiErrorFault", "ReplyFault", "RateLimitedFault", "DelayFault"];

/** Writes the reference of every entry point as Markdown. */
export async function buildReference(root: string): Promise<void> {
  const readers = [new TypeDocReader(), new TSConfigReader()];
  const app = await Application.bootstrapWithPlugins({ options: `${root}site/typedoc.json` }, readers);
  app.converter.on(Converter.EVENT_BEGIN, (context) => {
    for (const name of INLINED) context.inlineType.add(name);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("The reference could not be read.");
  app.validate(project);
  await app.generateOutputs(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0) throw new Error(`${errorCount} errors and ${warningCount} warnings of TypeDoc.`);
}
