/** Header names that node:http, fetch, undici or plain objects treat specially. */
export const SPECIAL_HEADERS =
  `Age Authorization Connection Content-Encoding Content-Length Content-Location Content-Type
Cookie Date ETag Expect Expires From Host HTTP2-Settings If-Modified-Since Keep-Alive Last-Modified Location Max-Forwards
Proxy-Authenticate Proxy-Authorization Proxy-Connection Referer Retry-After Server Set-Cookie Set-Cookie2 Status TE Trailer
Transfer-Encoding Upgrade User-Agent Vary Via __proto__ constructor toString`.split(/\s+/);
