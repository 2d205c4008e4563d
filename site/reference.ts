import {
  type Application,
  CommentTag,
  Converter,
  NamedTupleMember,
  PageEvent,
  ParameterReflection,
  ReflectionFlag,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
  TupleType,
} from "typedoc";
import ts from "typescript";

/** A plugin of TypeDoc: what the reference needs beyond its options. */
export function load(app: Application): void {
  // Types without a page of their own: their members are shown where they are used.
  app.converter.on(Converter.EVENT_BEGIN, ({ inlineType }) => {
    for (const fault of ["ApiError", "Reply", "RateLimited", "Delay"]) inlineType.add(`${fault}Fault`);
  });
  // A method of a mapped type, such as those of a remote mock, has the comment of the method that it maps, and its
  // parameters as one tuple.
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature) => {
    const [declaration] = context.getSymbolFromReflection(signature.parent)?.declarations ?? [];
    if (declaration === undefined || !ts.isMethodSignature(declaration)) return;
    signature.comment ??= context.getSignatureComment(declaration);
    const [input] = signature.parameters ?? [];
    if (input?.type instanceof TupleType) signature.parameters = input.type.elements.flatMap(parameterOf, signature);
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
}

function parameterOf(this: SignatureReflection, member: SomeType): ParameterReflection[] {
  if (!(member instanceof NamedTupleMember)) return [];
  const parameter = new ParameterReflection(member.name, ReflectionKind.Parameter, this);
  parameter.type = member.element;
  parameter.setFlag(ReflectionFlag.Optional, member.isOptional);
  return [parameter];
}

/**
 * A default takes one line. So does an object type of a union, if it fits; it stands under its first field. Anchors in
 * tables, lines between members, and where a member was declared first are left out.
 */
function tidy(text: string): string {
  return text
    .replace(/^#+ Default Value\n\n(.+)$/gm, "**Default:** $1")
    .replace(/\{\n((?: {2}[^{}\n]+;\n)+)\}/g, (type, fields: string) =>
      fields.length > 80 ? type.replaceAll("\n", "\n    ") : `{ ${fields.trim().replace(/\n +/g, " ")} }`,
    )
    .replace(/^### Type Literal(?=\n\n```ts\n\{\s+(\w+: [^;\n]+))/gm, "### $1")
    .replace(/^(?:#+ (?:Inherited from|Implementation of|Overrides)\n\n.+|\*{3})\n|<a id="[^"]*"><\/a> /gm, "");
}
