import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
  // A method of a mapped type, such as those of a remote mock, has the comment of the method that it maps, and its
  // parameters as one tuple.
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature) => {
    const [declaration] = context.getSymbolFromReflection(signature.parent)?.declarations ?? [];
    if (declaration === undefined || !ts.isMethodSignature(declaration)) return;
    const comment = context.getSignatureComment(declaration);
    if (comment) signature.comment ??= comment;
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
    page.contents = completeExamples(tidy(page.contents ?? ""));
  });
}

/** For each region of an example, by its text: what stands above the first region of its file. */
const setUps = new Map<string, string>();
for (const folder of ["../docs/code/", "../docs/code/testing/", "../examples/"]) {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  for (const file of readdirSync(path).filter((name) => name.endsWith(".ts"))) {
    const [above = "", ...regions] = readFileSync(path + file, "utf8").split(/^\/\/ #(?:end)?region.*\n/m);
    for (const region of regions) setUps.set(region.trim(), above.replace(/^(?:\/\/.*\n)+\n/, "").trim());
  }
}

/** An editor shows an example without its imports and set-up; a page shows it whole, so that it runs. */
function completeExamples(text: string): string {
  return text.replace(/^```ts\n([\s\S]*?)^```$/gm, (block, example: string) => {
    const setUp = setUps.get(example.trim());
    return setUp ? `\`\`\`ts\n${withoutUnusedImports(`${setUp}\n\n${example}`)}\`\`\`` : block;
  });
}

function withoutUnusedImports(code: string): string {
  const isUsed = (name: string) => code.split(new RegExp(`\\b${name.replace("type ", "")}\\b`)).length > 2;
  return code.replace(/^import \{([^}]+)\}(.*)\n/gm, (_, names: string, from: string) => {
    const used = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && isUsed(name));
    return used.length === 0 ? "" : `import { ${used.join(", ")} }${from}\n`;
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
 * A default takes one line, and so does a union. So does an object type of a union, if it fits; it stands under its first
 * field. Anchors in tables, lines between members, where a member was declared first, types that add nothing (`& object`,
 * `any, any` of an iterable), and the line before the first member of a union are left out.
 */
function tidy(text: string): string {
  return text
    .replace(/, (`?)any\1, \1any\1(?=\\?>)/g, "")
    .replace(/ & `?object`?(?=[\s;),|])/g, "")
    .replace(/(?<=^\| [^|\n]+ \| )\\\| /gm, "")
    .replace(/: *\n\s*\| /g, ": ")
    .replace(/\n\s*\| (?=[^\n`|]+(?:,? *|;)$)/gm, " | ")
    .replace(/^(# \w+)\\<.+/m, "$1")
    .replace(/^#+ Default Value\n\n(.+)$/gm, "**Default:** $1")
    .replace(/(?<!^const \w+: )\{\n((?: {2}[^{}\n]+;\n)+)\}/gm, (type, fields: string) =>
      fields.length > 80 ? type.replaceAll("\n", "\n    ") : `{ ${fields.trim().replace(/\n +/g, " ")} }`,
    )
    .replace(/^### Type Literal(?=\n\n```ts\n\{\s+(\w+: [^;\n]+))/gm, "### $1")
    .replace(/^(?:#+ (?:Inherited from|Implementation of|Overrides)\n\n.+|\*{3})\n|<a id="[^"]*"><\/a> /gm, "");
}
