import { kindOf } from "../../../src/checks/describe.ts";
import { checkToken, randomToken, sessionRules } from "../bearer-tokens.ts";
import { checkOptions } from "../check-options.ts";
import type { MockPlantStore, MockSession, MockSessionOptions } from "../mock-plant-store.ts";
import { Session, type SessionInit } from "./session.ts";

/** What an adapter gives the root session; every session has the same `fetch`. */
type RootInit = Pick<SessionInit, "service" | "fetch" | "isInMemory"> & Pick<MockPlantStore, "handle">;

/** Creates the {@link MockPlantStore}: the session of every request that belongs to no other session. */
export function createRootSession({ handle, ...shared }: RootInit): MockPlantStore {
  const { service } = shared;
  const { options, sessions, labels } = service;
  const token = options.auth?.token ?? randomToken("root", options.clock);

  const session = (given?: MockSessionOptions): MockSession => {
    const { tokens = [randomToken("session", options.clock)] } = checkOptions(given, sessionRules);
    const checked = tokens.map((own, index) => checkToken(own, `tokens[${index}]`));
    const [first] = checked;
    if (first === undefined) throw new TypeError("tokens: must not be empty; omit the option for a random token");
    return new Session({ ...shared, entry: sessions.open(checked), token: first });
  };
  const labelOf = (bearer: string): string => {
    if (typeof bearer !== "string") throw new TypeError(`token: must be a string, not ${kindOf(bearer)}`);
    return labels.of(bearer);
  };
  const root = new Session({ ...shared, entry: sessions.root, token });
  return Object.assign(root, { handle, session, labelOf, close: () => service.close() });
}
