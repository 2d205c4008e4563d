import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { parse } from "node:path";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { Interview } from "../../../mock/calibrate/interview.ts";
import { survey } from "../../../mock/calibrate/survey.ts";
import { absolute } from "../blocks.ts";
import { creating, type Group, messageOf, PLANT, type Row } from "./row.ts";

const inTests: readonly Row[] = [
  {
    produce: () => {
      const store = createMockPlantStore();
      store.inject(faults.hang());
      return messageOf(() => store.verify());
    },
    meaning: "The code under test did not send the requests that the test had prepared, or sent others.",
    fix: "Each line explains a problem and how to fix it.",
  },
  {
    produce: async () => {
      const { setupMockPlantStore } = await import("plant-store-client/mock/node");
      const first = setupMockPlantStore();
      first.listen();
      const message = await messageOf(() => setupMockPlantStore().listen());
      first.close();
      return message;
    },
    meaning:
      "Of two MSW servers, only the last one receives requests. An earlier file or module may have left its mock open.",
    fix: "Call `close()` after the tests. In node:test and Mocha, [put the hooks in a `describe`](testing-node.md#if-your-code-calls-the-global-fetch).",
  },
  {
    produce: async () => {
      const program = "import('msw').catch(({ message }) => console.log(message))";
      // No package is installed in the root of the file system.
      const options = { cwd: parse(process.cwd()).root, encoding: "utf8" } as const;
      return execFileSync(process.execPath, ["--input-type=module", "--eval", program], options).trim();
    },
    meaning: "`msw` and `undici` are optional peer dependencies, which npm does not install by itself.",
    fix:
      "`npm install --save-dev msw` for `plant-store-client/mock/msw`, `mock/node` and `mock/browser`; " +
      "`npm install undici` for `plant-store-client/undici`. If Jest then says `Cannot use import statement outside " +
      "a module`, [configure it](testing-jest.md#if-your-code-calls-the-global-fetch).",
  },
  {
    produce: () => {
      const { resolve } = createRequire(absolute("package.json"));
      return messageOf(() => resolve("plant-store-client/mock/browser"));
    },
    meaning:
      "Each entry point refuses an unsuitable environment. Jest under jsdom says " +
      "`Cannot find module 'plant-store-client/mock/node'`.",
    fix:
      "Import `mock/browser` in pages; `mock/node` and `mock/http` in Node. " +
      "Under Jest, [use jest-fixed-jsdom](testing-jest.md#if-your-code-runs-in-a-browser).",
  },
  {
    produce: async () => {
      await using store = await startMockPlantStore();
      return await messageOf(() => startMockPlantStore({ port: Number(new URL(store.url).port) }));
    },
    meaning: "Another mock still runs there, or another program.",
    fix: "With `--port 0` the system chooses the port, and the first line of the output names it.",
  },
  {
    produce: creating(faults.rateLimited(1), { maxRetries: 0 }),
    meaning: "A test has injected the first fault of this session: an earlier test, if this one has injected none.",
    fix: "Give each test its own session, or call `verify()`, which names faults that are left, and `reset()` after each.",
  },
  {
    produce: async () => {
      await using store = await startMockPlantStore();
      const socket = connect(Number(new URL(store.url).port), "127.0.0.1").setEncoding("utf8");
      socket.write("\x16\x03\x01\x02\x00\x01\x00"); // As every TLS connection begins.
      const [reply] = await once(socket, "data");
      return JSON.parse(reply.split("\r\n\r\n")[1]).message;
    },
    meaning:
      "In the log of the mock: the client was given an address with `https`. The client itself reports a TLS error.",
    fix: "Give it the `baseUrl` of the mock, which begins with `http`.",
  },
  {
    produce: () => {
      const store = createMockPlantStore({ auth: { tokens: [] } });
      return messageOf(() => new PlantStoreClient({ ...store.clientOptions, token: "other" }).createPlant(PLANT));
    },
    meaning: "The code under test has another token than the session of the test.",
    fix: "Give it `session.clientOptions` or `session.token`. `store.requests` shows the request.",
  },
  {
    produce: async () => {
      const { fetch } = createMockPlantStore({ baseUrl: "https://sandbox.example" });
      const baseUrl = "https://sandbox.example/api";
      return messageOf(() => survey(new Interview({ baseUrl, token: "token", send: fetch }, {}, async () => {})));
    },
    meaning: "`plant-store-mock calibrate` sent a valid plant, which the service at this address did not create.",
    fix: "Give the address in front of `/plants`, such as `https://sandbox.example/v1`.",
  },
];

export const mockGroups: readonly Group[] = [{ title: "In tests", rows: inTests }];
