import { Agent, request } from "node:http";
import { connectMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { expect, it } from "vitest";

const SESSIONS = 200;
const REQUESTS = 100;

it(`${SESSIONS} sessions at once, ${REQUESTS} requests each: no exchange in the wrong journal, all plants there`, async () => {
  await using mock = await startMockPlantStore();
  await using remote = await connectMockPlantStore(mock.url);
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => remote.session()));
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });

  const send = (token: string, body: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      };
      request(`${mock.url}/plants`, { method: "POST", headers, agent }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode as number));
      })
        .on("error", reject)
        .end(body);
    });

  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, (_, round) =>
      sessions.map(({ token }, index) => send(token, `{"id":${round},"name":"session ${index}"}`)),
    ).flat(),
  );
  agent.destroy();
  expect(statuses.filter((status) => status !== 200)).toEqual([]);

  const expected = Array.from({ length: REQUESTS }, (_, id) => id);
  for (const [index, session] of sessions.entries()) {
    const plants = [];
    for await (const { id, name } of session.plants) {
      expect(name).toBe(`session ${index}`);
      plants.push(Number(id));
    }
    expect(plants.sort((a, b) => a - b)).toEqual(expected);
    const labels = new Set<string | undefined>();
    for await (const { token, plant } of session.requests) {
      labels.add(token);
      expect(plant?.name).toBe(`session ${index}`);
    }
    expect([...labels]).toEqual([await remote.labelOf(session.token)]);
    expect(await session.requests.count).toBe(REQUESTS);
  }
  expect([mock.requests.count, mock.plants.size]).toEqual([0, 0]);
});
