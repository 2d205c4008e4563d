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
  let version: string;
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    version = createRequire(from)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return isWanted(major, minor) ? undefined : `needs ${name} ${wanted}; ${version} is installed`;
}
