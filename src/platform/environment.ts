import { VERSION } from "./version.ts";

/** The globals that the client reads. Tests pass those of another runtime. */
export interface Globals {
  readonly process?: { readonly env?: Record<string, string | undefined>; readonly versions?: { node?: string } };
  readonly navigator?: { readonly userAgent?: string };
  readonly document?: object;
}

/** The environment variables, by the option that each one is the default of. */
const VARIABLES = {
  baseUrl: "PLANT_STORE_BASE_URL",
  token: "PLANT_STORE_TOKEN",
  allowInsecure: "PLANT_STORE_ALLOW_INSECURE",
} as const;

type Option = keyof typeof VARIABLES;

/** Reads the environment variable of an option: undefined in a browser, and if the variable is absent or empty. */
export function readVariable(option: Option, globals: Globals = globalThis): string | undefined {
  if (isBrowser(globals)) return undefined;
  try {
    return globals.process?.env?.[VARIABLES[option]] || undefined;
  } catch {
    return undefined; // Deno throws without the permission to read the environment.
  }
}

/** What a problem of a value from the environment begins with. */
export function originOf(option: Option): string {
  return `(from ${VARIABLES[option]}) `;
}

/** The advice to set the variable of an option; empty in a browser. */
export function orSet(option: Option, value = "", globals: Globals = globalThis): string {
  return isBrowser(globals) ? "" : `, or set ${VARIABLES[option]}${value}`;
}

/**
 * Whether the runtime is a browser. Bundlers add a `process` to browsers too, but without a runtime's version. A worker
 * has no document, but every browser's user agent begins with Mozilla.
 */
export function isBrowser(globals: Globals): boolean {
  // Checked first, because reading `navigator` makes Node load it.
  if (globals.process?.versions?.node) return false;
  return "document" in globals || (globals.navigator?.userAgent?.startsWith("Mozilla/") ?? false);
}

/** The header that names the client. A browser sends its own, and CORS would have to allow another. */
export function identifyClient(globals: Globals = globalThis): Record<string, string> {
  return isBrowser(globals) ? {} : { "user-agent": `plant-store-client/${VERSION}` };
}
