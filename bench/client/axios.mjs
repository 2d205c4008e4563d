import { Agent } from "node:http";
import axios from "axios";

/** Over a stub with its fetch adapter; over the network with its Node adapter and keep-alive connections. */
export default ({ baseUrl, token, fetch }) => {
  const transport = fetch
    ? { adapter: "fetch", env: { fetch, Request, Response } }
    : { httpAgent: new Agent({ keepAlive: true }) };
  const api = axios.create({
    baseURL: baseUrl,
    timeout: 30_000,
    headers: { Authorization: `Bearer ${token}` },
    ...transport,
  });
  return async (plant) => (await api.post("/plants", plant)).data;
};
