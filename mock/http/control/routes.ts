import type { ControlRoute } from "./control-route.ts";
import { faultRoutes } from "./routes/faults.ts";
import { gateRoutes } from "./routes/gates.ts";
import { healthRoutes } from "./routes/health.ts";
import { plantRoutes } from "./routes/plants.ts";
import { requestRoutes } from "./routes/requests.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { stateRoutes } from "./routes/state.ts";

/** Every call of the control API, by its operation id. */
export const routes = {
  ...healthRoutes,
  ...plantRoutes,
  ...requestRoutes,
  ...faultRoutes,
  ...gateRoutes,
  ...sessionRoutes,
  ...stateRoutes,
} satisfies Readonly<Record<string, ControlRoute>>;

export type RouteName = keyof typeof routes;

/** The value in the response to a call. */
export type ResultOf<Name extends RouteName> = Awaited<ReturnType<(typeof routes)[Name]["handle"]>>;

/** The path and query of a call, below `/_mock`. */
export function targetOf({ path }: ControlRoute, name = "", query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return path.replace(VARIABLE, encodeURIComponent(name)) + (search === "" ? "" : `?${search}`);
}

/** The variable part of a path; "" if the route has none, `undefined` if it is not a path of the route. */
export function nameIn({ path }: ControlRoute, pathname: string): string | undefined {
  const [before, after] = path.split(VARIABLE) as [string, string | undefined];
  if (after === undefined) return pathname === path ? "" : undefined;
  if (!pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
  const name = pathname.slice(before.length, pathname.length - after.length);
  return name === "" || name.includes("/") ? undefined : name;
}

const VARIABLE = /\{\w+\}/;
