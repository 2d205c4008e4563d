const { once } = require("node:events");
const { createServer } = require("node:http");

/** What a client does that tells one build from the other: a call of a service, and one after the service has ended. */
module.exports = async function observe(PlantStoreClient) {
  let userAgent;
  const service = createServer((request, response) => {
    userAgent = request.headers["user-agent"];
    response.setHeader("content-type", "application/json").end('{"name":"Fern"}');
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const baseUrl = `http://127.0.0.1:${service.address().port}`;
  const client = new PlantStoreClient({ baseUrl, token: "secret", maxRetries: 0 });
  const plant = await client.createPlant({ id: 7, name: "Fern" });
  service.close();
  service.closeAllConnections();
  await once(service, "close");
  const { error } = await client.tryCreatePlant({ id: 7, name: "Fern" });
  return { plant, namesItself: /^plant-store-client\//.test(userAgent), refused: error.outcome };
};
