// An import with a journal. The first process prints a line after some plants, to be killed; the second one continues.
import { createPlants, PlantStoreClient } from "plant-store-client";
import { openJournal } from "plant-store-client/journal";

const { addresses, runtime } = JSON.parse(process.argv[2]);
const key = `${runtime}-killed`;
const baseUrl = `${addresses.service}/create/${key}`;
const client = new PlantStoreClient({ baseUrl, token: "secret" });
const plants = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Fern ${id}` }));

const journal = await openJournal("import.journal", { baseUrl });
const earlier = [...journal.created()].length;
const unknown = [];
let created = 0;
for await (const { ok, index } of createPlants(client, plants, { journal, concurrency: 4 })) {
  if (!ok) unknown.push(index);
  else if (++created === 20 && earlier === 0) console.log("20 created");
}
await journal.close();

const requests = await (await fetch(`${addresses.service}/journal/${key}`)).json();
const sent = requests.map(({ body }) => JSON.parse(body).id);
const seen = {
  continued: earlier >= 16,
  twice: sent.length - new Set(sent).size,
  lost: plants.filter(({ id }) => !sent.includes(id) && !unknown.includes(id)).length,
  tooManyUnknown: unknown.length > 4,
};
const name = "continues a killed import by its journal: nothing is lost, and nothing sent twice";
const isRight = seen.continued && seen.twice + seen.lost === 0 && !seen.tooManyUnknown;
console.log(JSON.stringify([isRight ? { name } : { name, problem: JSON.stringify(seen) }]));
