/** The global scope of a runtime, as far as the client looks at it. Tests pass that of another runtime. */
export interface Globals {
  readonly process?: { readonly env?: Record<string, string | undefined>; readonly versions?: { node?: string } };
  readonly navigator?: { readonly userAgent?: string };
  readonly document?: object;
}

/** Reads an environment variable; gives undefined in a browser, and where the variable is absent or empty. */
export function readVariable(name: string, globals: Globals = globalThis): string | undefined {
  if (isBrowser(globals)) return undefined;
  try {
    return globals.process?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno throws unless it may read the environment.
  }
}

/**
 * Tells a browser from a server. Bundlers put a `process` into browsers too, but none with a runtime's version. A worker
 * has no document, and every browser's name begins with Mozilla.
 */
export function isBrowser(globals: Globals = globalThis): boolean {
  // Checked first: Node loads its navigator when it is first read.
  if (globals.process?.versions?.node) return false;
  return "document" in globals || (globals.navigator?.userAgent?.startsWith("Mozilla/") ?? false);
}
