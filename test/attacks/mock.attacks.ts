import { createMockPlantStore, faults, type MockPlantStoreOptions } from "plant-store-client/mock";
import { encodeNewPlant } from "../../src/contract/json.ts";
import { type Attack, thrownBy } from "./attack.ts";

const PLANT = encodeNewPlant({ id: 1, name: "Monstera" });
const MEBIBYTE = 2 ** 20;

function open(options?: MockPlantStoreOptions) {
  const mock = createMockPlantStore(options);
  const send = async (body: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
    const response = await mock.fetch(`${mock.baseUrl}/plants`, { method: "POST", headers, body, ...init });
    return `${response.status}: ${await response.text()}`;
  };
  return { mock, send };
}

export const mockAttacks: readonly Attack[] = [
  {
    attack: "An id of a million zeros between two ones, which took hours to read",
    run: async () => {
      const { send } = open();
      return send(`{"id":1${"0".repeat(1_000_000)}1,"name":"x"}`);
    },
  },
  {
    attack: "The same without a token, when each request is logged",
    run: async () => {
      const { mock, send } = open();
      const answer = await send(`{"id":1${"0".repeat(1_000_000)}1,"name":"x"}`, { headers: {} });
      return `${answer}; recorded: ${mock.requests.last?.bodyText.length} characters`;
    },
  },
  {
    attack: '`{ type: ["reply"], status: 99999 }`, a fault whose type is an array, which ended the process',
    run: () => thrownBy(() => open().mock.inject({ type: ["reply"], status: 99999 } as never)),
  },
  {
    attack: '`{ type: "apiError", code: "x" }`, which broke the Error of the contract',
    run: () => thrownBy(() => open().mock.inject({ type: "apiError", code: "x", message: "y" } as never)),
  },
  {
    attack: "A header that names the trailers of a reply, which ended the process",
    run: () => thrownBy(() => open({ replies: { notFound: { status: 404, headers: { Trailer: "X" } } } })),
  },
  {
    attack: "A fault that is changed after it was injected",
    run: async () => {
      const { mock, send } = open();
      const body = { message: ["as injected"] };
      mock.inject(faults.reply({ status: 503, body }));
      body.message[0] = "as changed";
      return send(PLANT);
    },
  },
  {
    attack: "100 refused bodies of 1 MiB, which were recorded",
    run: async () => {
      const { mock, send } = open({ auth: { tokens: ["valid"] } });
      const name = "x".repeat(MEBIBYTE - 100);
      const headers = { Authorization: "Bearer invalid", "Content-Type": "application/json" };
      for (let id = 0; id < 100; id++) await send(`{"id":${id},"name":"${name}"}`, { headers });
      const kept = [...mock.requests].reduce(
        (sum, { bodyText, plant }) => sum + bodyText.length + (plant ? MEBIBYTE : 0),
        0,
      );
      return `${mock.requests.count} requests, ${kept} characters of bodies`;
    },
  },
  {
    attack: "An option with a typing error: `duplicateId`",
    run: () => thrownBy(() => open({ duplicateId: "reject" } as never)),
  },
  {
    attack: "A condition with a typing error: `inject(fault, { wehn: { id: 7 } })`",
    run: () => thrownBy(() => open().mock.inject(faults.hang(), { wehn: { id: 7 } } as never)),
  },
  {
    attack: "A session with a token under the wrong name: `session({ token })`",
    run: () => thrownBy(() => open().mock.session({ token: "mine" } as never)),
  },
  {
    attack: "Requests that arrive while a test iterates over them, of which one was shown twice",
    run: async () => {
      const { mock, send } = open({ maxRecordedRequests: 3 });
      for (let id = 1; id <= 4; id++) await send(`{"id":${id},"name":"x"}`);
      const seen: unknown[] = [];
      for (const { plant } of mock.requests) {
        seen.push(plant?.id);
        await send(PLANT);
      }
      return `shown: ${seen.join(", ")}`;
    },
  },
  {
    attack: "1,000 tokens of others, after which a token in constant use had another label",
    run: () => {
      const { mock } = open();
      const before = mock.labelOf("mine");
      for (let i = 0; i < 1_000; i++) {
        mock.labelOf(`other ${i}`);
        mock.labelOf("mine");
      }
      return mock.labelOf("mine") === before ? "the same label" : "another label";
    },
  },
  {
    attack: "A client that gives up on a hanging request, which stayed in memory until a reset",
    run: async () => {
      const { mock, send } = open();
      mock.inject(faults.hang());
      const controller = new AbortController();
      const sent = thrownBy(() => send(PLANT, { signal: controller.signal }));
      const waiting = await thrownBy(() => mock.verify());
      controller.abort();
      await sent;
      return `${waiting}; then ${await thrownBy(() => mock.verify())}`;
    },
  },
  {
    attack: "A late request with the token of a session that has ended, which the root stored",
    run: async () => {
      const { mock, send } = open();
      const session = mock.session();
      session[Symbol.dispose]();
      const headers = { Authorization: `Bearer ${session.token}`, "Content-Type": "application/json" };
      return `${await send(PLANT, { headers })}; ${mock.plants.size} stored`;
    },
  },
];
