import type { Details } from "./api.ts";

/** Formats JSON with one member per line and the same digits. Any other text is returned unchanged. */
export function pretty(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let output = "";
  let isString = false;
  const indent = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '"') isString = !isString;
    if (isString || token === '"') output += token;
    else if (token === "{" || token === "[") {
      depth++;
      output += token + indent();
    } else if (token === "}" || token === "]") {
      depth--;
      output += indent() + token;
    } else if (token === ",") output += token + indent();
    else if (token === ":") output += ": ";
    else output += token.replace(/\s/g, "");
  }
  return output;
}

/**
 * An empty object or array, a punctuation mark, an escape, white space, or other text. A pattern for whole strings would
 * repeat a group, which overflows V8's stack on millions of characters.
 */
const TOKEN = /\{\s*\}|\[\s*\]|["{}[\],:]|\\.|\s+|[^\s"{}[\],:\\]+/g;

/** The curl command that sends a request again, with `$TOKEN` in place of the bearer token. */
export function curlOf({ method, path, headers, bodyText }: Details, origin: string): string {
  const parts = [`curl -X ${method} ${quote(origin + path)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (name === "authorization") parts.push('-H "Authorization: Bearer $TOKEN"');
    else if (!OMITTED.has(name)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (bodyText !== "") parts.push(`--data-raw ${quote(bodyText)}`);
  return parts.join(" \\\n  ");
}

/** Headers that curl sets itself. */
const OMITTED = new Set(["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]);

/** A text as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The local time of day, in 24-hour format. */
export function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}
