import { createFetch } from "ofetch";

export default ({ baseUrl, token, fetch = globalThis.fetch }) => {
  const api = createFetch({ fetch, Headers }).create({ baseURL: baseUrl, timeout: 30_000 });
  return (plant) => api("/plants", { method: "POST", headers: { authorization: `Bearer ${token}` }, body: plant });
};
