import createClient from "openapi-fetch";

/** openapi-fetch, the bearer token in a middleware, as its guide shows. */
export default ({ baseUrl, token, fetch }) => {
  const client = createClient({ baseUrl, fetch });
  client.use({
    onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${token}`);
      return request;
    },
  });
  return async (plant) => {
    const { data, response } = await client.POST("/plants", { body: plant });
    if (!response.ok) throw new Error(`${response.status}`);
    return data;
  };
};
