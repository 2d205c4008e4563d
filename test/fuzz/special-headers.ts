/** The header names that node:http, fetch or undici treats in a way of its own, and those that an object treats so. */
export const SPECIAL_HEADERS =
  `Age Authorization Connection Content-Encoding Content-Length Content-Location Content-Type
Cookie Date ETag Expect Expires From Host HTTP2-Settings If-Modified-Since Keep-Alive Last-Modified Location Max-Forwards
Proxy-Authenticate Proxy-Authorization Proxy-Connection Referer Retry-After Server Set-Cookie Set-Cookie2 Status TE Trailer
Transfer-Encoding Upgrade User-Agent Vary Via __proto__ constructor toString`.split(/\s+/);
