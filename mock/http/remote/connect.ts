import { received } from "../../../src/checks/http/base-url.ts";
import { tokenProblem } from "../../../src/checks/http/header-rules.ts";
import { integer, MAX_TIMER_MS, type Rules } from "../../../src/checks/rules.ts";
import { sessionRules } from "../../service/authentication.ts";
import { checkOptions } from "../../service/check-options.ts";
import { CONTROL_VERSION } from "../control/control-route.ts";
import type { ResultOf } from "../control/routes.ts";
import { type ControlClient, createControlClient } from "./control-client.ts";
import type { RemoteMockPlantStore, RemoteMockSession } from "./remote-mock-plant-store.ts";
import { createRemoteSession, type RemoteSessionInfo } from "./remote-session.ts";

/** Options of {@link connectMockPlantStore}. */
export interface ConnectMockPlantStoreOptions {
  /**
   * The control token that the mock was started with.
   *
   * @defaultValue no token
   */
  controlToken?: string | undefined;
  /**
   * The timeout of each call to the mock, in milliseconds; at most 5 s count for the first. {@link RemoteGate.arrived} may
   * take longer, because it repeats its call until the requests have arrived.
   *
   * @defaultValue 30,000 (30 s)
   */
  timeoutMs?: number | undefined;
}

/**
 * Connects to a mock that runs in another process.
 *
 * @param url - The URL of the mock, e.g. `http://127.0.0.1:4010`; a path is ignored.
 * @param options - The control token, if the mock requires one, and a timeout.
 * @returns The mock, with asynchronous methods.
 * @throws TypeError if the URL is not an http URL, or if an option is invalid.
 * @throws Error if no mock responds there, if its control API has another major version, or if it rejects the calls.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/connect.ts}
 */
export async function connectMockPlantStore(
  url: string | URL,
  options?: ConnectMockPlantStoreOptions,
): Promise<RemoteMockPlantStore> {
  const { controlToken, timeoutMs = 30_000 } = checkOptions(options, RULES);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "http:") {
    throw new TypeError(`url: must be an http URL, such as http://127.0.0.1:4010${received(String(url))}`);
  }
  const { origin } = parsed;
  const control = createControlClient(origin, controlToken, timeoutMs);
  try {
    const health = await control.call("getHealth");
    checkHealth(health, origin);
    control.instance = health.instance;
    const { token } = await control.call("getToken");
    return createRemoteRoot(control, { session: "root", baseUrl: health.baseUrl, token });
  } catch (error) {
    control.close();
    throw error;
  }
}

const RULES: Rules<ConnectMockPlantStoreOptions> = { controlToken: tokenProblem, timeoutMs: integer(1, MAX_TIMER_MS) };

function checkHealth(health: unknown, origin: string): void {
  const { version } = Object(health) as Partial<ResultOf<"getHealth">>;
  if (version === undefined) throw new Error(`the server at ${origin} is not a mock; start one with plant-store-mock`);
  if (version.split(".")[0] === CONTROL_VERSION.split(".")[0]) return;
  throw new Error(
    `the mock at ${origin} has version ${version} of the control API, this process has ${CONTROL_VERSION}; ` +
      "install the same version of plant-store-client on both sides",
  );
}

function createRemoteRoot(control: ControlClient, info: RemoteSessionInfo): RemoteMockPlantStore {
  const opened = new Set<RemoteMockSession>();
  const calls: Pick<RemoteMockPlantStore, "session" | "labelOf" | "close"> = {
    async session(options) {
      const opening = await control.call("openSession", { body: checkOptions(options, sessionRules) });
      const session = createRemoteSession(control, opening, () => opened.delete(session));
      opened.add(session);
      return session;
    },
    labelOf: async (token) => (await control.call("labelOf", { body: { token } })).label,
    async close() {
      try {
        await Promise.all([...opened].map((session) => session.close()));
      } finally {
        control.close();
      }
    },
  };
  return Object.assign(createRemoteSession(control, info), calls);
}
