import { createClient, createConfig } from "@hey-api/client-fetch";

/** The fetch client of hey-api, called as its generated code calls it. */
export default ({ baseUrl, token, fetch = globalThis.fetch }) => {
  const client = createClient(createConfig({ baseUrl, auth: () => token, fetch }));
  return async (plant) => {
    const { data } = await client.post({
      security: [{ scheme: "bearer", type: "http" }],
      url: "/plants",
      body: plant,
      headers: { "Content-Type": "application/json" },
      throwOnError: true,
    });
    return data;
  };
};
