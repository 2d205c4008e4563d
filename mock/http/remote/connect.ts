import type { MockSessionOptions } from "../../service/mock-plant-store.ts";
import { ControlClient } from "./control-client.ts";
import type { RemoteMockPlantStore, RemoteMockSession } from "./remote-mock-plant-store.ts";
import { RemoteSession, type RemoteSessionInfo } from "./remote-session.ts";

/** Options of the remote control. */
export interface ConnectMockPlantStoreOptions {
  /**
   * The control token that the mock was started with.
   *
   * @defaultValue none
   */
  controlToken?: string | undefined;
}

/**
 * Takes control of a mock that runs in another process.
 *
 * @param url - Where it listens, e.g. `http://127.0.0.1:4010`; a path is ignored.
 * @param options - The control token, where the mock asks for one.
 * @returns the same members as the mock itself has, all asynchronous.
 * @throws TypeError when the URL is no http URL.
 * @throws Error when no mock answers there, or it refuses to be controlled from here.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/connect.ts}
 */
export async function connectMockPlantStore(
  url: string | URL,
  options: ConnectMockPlantStoreOptions = {},
): Promise<RemoteMockPlantStore> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "http:") {
    throw new TypeError(`url: must be an http URL, such as http://127.0.0.1:4010; it is ${JSON.stringify(`${url}`)}`);
  }
  const { origin } = parsed;
  const control = new ControlClient(origin, options.controlToken);
  const { sessions } = (await control.call<{ sessions: [RemoteSessionInfo] }>("listSessions")).value;
  return new RemoteRoot(control, origin, sessions[0]);
}

class RemoteRoot extends RemoteSession implements RemoteMockPlantStore {
  readonly #control: ControlClient;
  readonly #origin: string;
  readonly #opened = new Set<RemoteMockSession>();

  constructor(control: ControlClient, origin: string, info: RemoteSessionInfo) {
    super(control, relocate(info, origin));
    this.#control = control;
    this.#origin = origin;
  }

  async session(options: MockSessionOptions = {}): Promise<RemoteMockSession> {
    const { value } = await this.#control.call<RemoteSessionInfo>("openSession", { body: options });
    const session = new RemoteSession(this.#control, relocate(value, this.#origin));
    this.#opened.add(session);
    return session;
  }

  async labelOf(token: string): Promise<string> {
    return (await this.#control.call<{ label: string }>("labelOf", { body: { token } })).value.label;
  }

  async close(): Promise<void> {
    for (const session of this.#opened) await session[Symbol.asyncDispose]();
    this.#control.close();
  }

  override [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The address of the service as seen from here: behind a mapped port the mock does not know it. */
function relocate(info: RemoteSessionInfo, origin: string): RemoteSessionInfo {
  const path = new URL(info.baseUrl).pathname.replace(/\/$/, "");
  return { ...info, baseUrl: `${origin}${path}` };
}
