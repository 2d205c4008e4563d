import { faults } from "plant-store-client/mock";
import { afterAll, beforeAll, describe } from "vitest";
import { plantGarden } from "./plant-garden.ts";
import { store, test } from "./session-test.ts";

beforeAll(() => store.listen());
afterAll(() => store.close());

const rose = { id: 1, name: "Rosa canina" };
const wollemia = { id: 9007199254740993n, name: "Wollemia nobilis", tag: "conifer" };

// Sessions make tests independent, even those that run at the same time.
describe.concurrent("plantGarden", () => {
  test("tells which plants were created", async ({ client, session, expect }) => {
    const garden = await plantGarden(client, [rose, wollemia]);

    expect(garden).toEqual({ planted: ["Rosa canina", "Wollemia nobilis"], refused: [], unsure: [] });
    expect([...session.plants]).toEqual([rose, wollemia]);
  });

  test("sends every digit of an id", async ({ client, session, expect }) => {
    await plantGarden(client, [wollemia]);

    expect(session.requests.count).toBe(1);
    expect(session.requests.last).toMatchObject({ method: "POST", path: "/plants", plant: wollemia });
    expect(session.requests.last?.bodyText).toContain('"id":9007199254740993');
  });

  test("goes on after a plant that the service refuses", async ({ client, session, expect }) => {
    session.inject(faults.apiError(17, "the greenhouse is full"), { when: { name: "Rosa canina" } });

    const garden = await plantGarden(client, [rose, wollemia]);

    expect(garden.refused).toEqual(["Rosa canina: the greenhouse is full"]);
    expect(garden.planted).toEqual(["Wollemia nobilis"]);
  });

  test("is unsure of a plant when the reply is lost, and sends it once", async ({ client, session, expect }) => {
    session.inject(faults.lostResponse());

    const garden = await plantGarden(client, [rose]);

    expect(garden.unsure).toEqual(["Rosa canina"]);
    expect(session.requests.count).toBe(1);
    expect(session.plants.has(1)).toBe(true);
  });

  test("waits and sends again when the service is busy", async ({ client, session, expect }) => {
    session.inject(faults.rateLimited(0));

    const garden = await plantGarden(client, [rose]);

    expect(garden.planted).toEqual(["Rosa canina"]);
    expect([...session.requests].map(({ status }) => status)).toEqual([429, 200]);
  });
});
