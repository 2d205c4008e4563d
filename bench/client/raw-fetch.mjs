/** The code by hand. */
export default ({ baseUrl, token, fetch = globalThis.fetch }) =>
  async (plant) => {
    const response = await fetch(`${baseUrl}/plants`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(plant),
    });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.json();
  };
