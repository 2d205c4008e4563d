import { startMockPlantStore } from "plant-store-client/mock/http";
import { expect, it } from "vitest";
import { collectGarbage } from "../../collect-garbage.ts";
import { exchange, PLANT, post, RawConnection } from "./raw.ts";

const MIB = 2 ** 20;

it("idle connections do not keep the bodies of their last requests in memory", async () => {
  await using mock = await startMockPlantStore();
  const body = JSON.stringify({ id: 1, name: "a".repeat(MIB - 100) });
  const before = process.memoryUsage().arrayBuffers;
  const connections: RawConnection[] = [];
  for (let i = 0; i < 40; i++) {
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(body.replace("1", `"${i}"`)));
    await connection.received(/400 Bad Request/);
    connections.push(connection);
  }
  await exchange(mock.url, post(PLANT, ["Connection: close"]));
  const kept = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(kept).toBeLessThan(10 * MIB);
  for (const connection of connections) connection.cut();
});
