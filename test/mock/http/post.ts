/** Posts to the service with plain fetch, without the client. */
export function post(baseUrl: string, body: string | Uint8Array<ArrayBuffer>, token = "raw-token"): Promise<Response> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return fetch(`${baseUrl}/plants`, { method: "POST", headers, body });
}
