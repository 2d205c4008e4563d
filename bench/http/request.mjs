/** The request of every load. */
export const request = {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer 0123456789abcdef0123456789abcdef" },
  body: '{"id":42,"name":"Monstera deliciosa","tag":"araceae"}',
};
