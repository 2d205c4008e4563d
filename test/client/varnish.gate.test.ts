import { type AnyPlantStoreError, type Attempt, PlantStoreClient } from "plant-store-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";
import { type Behavior, PLANT, type Post, reply, ScriptedServer } from "./faults/server.ts";
import { startVarnish, varnishPath } from "./varnish/varnish.ts";

if (varnishPath === undefined) console.warn("No varnishd: gateways are not tried. To include it, install Varnish.");

const HEALTHY = ({ process, socket }: Post) => {
  process();
  reply(socket, "200 OK", PLANT);
};
const AN_ERROR = '{"error":7,"message":"closed for repotting"}';

/** What the service behind Varnish does; how many plants it stores, and what the client must say of it. */
interface Row {
  readonly service: string;
  readonly does: (post: Post) => void;
  readonly expected: { readonly stored: number; readonly end: string };
}

const row = (service: string, does: Row["does"], stored: number, end: string): Row => ({
  ...{ service, does },
  expected: { stored, end },
});
const storing = (service: string, then: (post: Post) => void, end = "`response`, `unknown`") =>
  row(
    `stores the plant, and ${service}`,
    (post) => {
      post.process();
      then(post);
    },
    1,
    end,
  );

const TRUNCATED = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"name":';
const REFUSED = ({ socket }: Post) => reply(socket, "503 Service Unavailable", AN_ERROR, "Retry-After: 0");
const rows: readonly Row[] = [
  row("answers", HEALTHY, 1, "created"),
  storing("crashes", ({ socket }) => socket.resetAndDestroy()),
  storing("closes the connection without a response", ({ socket }) => socket.end()),
  storing("is slower than Varnish's timeout", () => {}),
  storing("answers with invalid HTTP", ({ socket }) => socket.write("garbage\r\n\r\n")),
  storing("stops within the response's body", ({ socket }) => socket.write(TRUNCATED), "`connection`, `unknown`"),
  row("crashes before it stores the plant", ({ socket }) => socket.resetAndDestroy(), 0, "`response`, `unknown`"),
  row("refuses with 503, Retry-After and its own Error", REFUSED, 0, "`api`, `rejected`"),
];

describe.skipIf(varnishPath === undefined)("behind a Varnish as Debian ships it", () => {
  let does: (post: Post) => void = HEALTHY;
  const behavior: Behavior = { posted: (post) => does(post) };
  let service: ScriptedServer;
  let varnish: Awaited<ReturnType<typeof startVarnish>>;

  beforeAll(async () => {
    service = await ScriptedServer.start(behavior);
    varnish = await startVarnish(varnishPath as string, service.port);
  });
  afterAll(async () => {
    await varnish?.stop();
    await service?.close();
  });

  /** Creates one plant, with the default options, while the service behaves so. */
  async function run(row: Row, id: number) {
    does = row.does;
    const baseUrl = `http://127.0.0.1:${varnish.port}`;
    const client = new PlantStoreClient({ baseUrl, token: "t", maxRetries: 2 });
    const result = await client.tryCreatePlant({ id, name: "Fern" });
    const end = result.ok ? "created" : endOf(result.error);
    return { stored: service.processed.get(`${id}`) ?? 0, end, attempts: result.attempts };
  }

  const endOf = ({ kind, outcome }: AnyPlantStoreError) => `\`${kind}\`, \`${outcome}\``;
  const statusOf = (attempts: readonly Attempt[]) => `${attempts.at(-1)?.status}`;

  test("no plant is created twice, and no existing plant is reported as refused", async () => {
    const lines: string[] = [];
    for (const [index, row] of rows.entries()) {
      const { stored, end, attempts } = await run(row, index + 1);
      expect({ service: row.service, stored, end }).toEqual({ service: row.service, ...row.expected });
      lines.push(`| ${row.service} | ${statusOf(attempts)} | ${stored} | ${end} | ${attempts.length} |`);
    }
    await expect(evidenceWith("varnish", section(lines))).toMatchFileSnapshot(evidencePage);
  });
});

/** `npx vitest run test/client/varnish.gate.test.ts -u` writes it. */
const section = (
  lines: readonly string[],
) => `A gateway answers for a service that did not answer. Varnish 7.1, as Debian ships it, then sends 503 with
\`Retry-After: 5\`, whether or not the service had stored the plant. That is why a 503 with \`Retry-After\` counts as the
service's refusal only if its body is the contract's Error.

Each row is one create with the default options, through a real Varnish with its own rules, and a service that counts
what it stores.

| the service | status that the client sees | plants stored | client's kind and outcome | requests |
| --- | --- | --- | --- | --- |
${lines.join("\n")}

A service that crashes before it stores the plant looks the same as one that crashes afterwards: the outcome is
\`unknown\` in both cases.
`;
