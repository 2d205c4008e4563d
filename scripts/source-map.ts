/** The console's page is a string in the built code: the source map of each format would contain it once more. */
const GENERATED = "mock/http/console/page-files.ts";

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/**
 * A source map without the code of generated files.
 *
 * @param path - The name of the map in the message.
 * @throws Error if the code of another source is missing: the package has no other copy of it for a debugger.
 */
export function withoutGeneratedSources(text: string, path: string): string {
  const map: SourceMap = JSON.parse(text);
  const sourcesContent = map.sources.map((source, index) => {
    if (source.endsWith(GENERATED)) return null;
    const code = map.sourcesContent?.[index];
    if (typeof code !== "string")
      throw new Error(`${path} has no code of ${source}: sourcesContent[${index}] is ${code}`);
    return code;
  });
  return JSON.stringify({ ...map, sourcesContent });
}
