import { Agent, request } from "undici";

/** undici's request, by hand, with a deadline. */
export default ({ baseUrl, token }) => {
  const dispatcher = new Agent();
  return async (plant) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 30_000);
    try {
      const { statusCode, body } = await request(`${baseUrl}/plants`, {
        dispatcher,
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(plant),
        signal: controller.signal,
      });
      if (statusCode !== 200) throw new Error(`${statusCode}`);
      return await body.json();
    } finally {
      clearTimeout(timer);
    }
  };
};
