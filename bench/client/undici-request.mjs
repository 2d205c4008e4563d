import { Agent, request } from "undici";

/** undici's request, by hand. */
export default ({ baseUrl, token }) => {
  const dispatcher = new Agent();
  return async (plant) => {
    const { statusCode, body } = await request(`${baseUrl}/plants`, {
      dispatcher,
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(plant),
    });
    if (statusCode !== 200) throw new Error(`${statusCode}`);
    return body.json();
  };
};
