/** The code by hand with a deadline, whose signal is the cost. */
export default ({ baseUrl, token, fetch = globalThis.fetch }) =>
  async (plant) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 30_000);
    try {
      const response = await fetch(`${baseUrl}/plants`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(plant),
        signal: controller.signal,
      });
      if (!response.ok) throw new Error(`${response.status}`);
      return await response.json();
    } finally {
      clearTimeout(timer);
    }
  };
