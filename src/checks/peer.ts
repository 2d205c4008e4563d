/**
 * Why an installed peer dependency cannot be used, or `undefined` if it can, or its version cannot be found out, as in a
 * bundle.
 *
 * @param from - The file that imports it: a path, or a `file:` URL.
 * @param wanted - Its versions in words, e.g. `6, 7 or 8`.
 * @param isWanted - Whether a version has the right major and minor.
 */
export function peerProblem(
  name: string,
  from: string,
  wanted: string,
  isWanted: (major: number, minor: number) => boolean,
): string | undefined {
  const version = installedVersion(name, from);
  const [major = 0, minor = 0] = version?.split(".").map(Number) ?? [];
  if (version === undefined || isWanted(major, minor)) return undefined;
  return `needs ${name} ${wanted}; ${version} is installed`;
}

function installedVersion(name: string, from: string): string | undefined {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    return createRequire(from)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}
