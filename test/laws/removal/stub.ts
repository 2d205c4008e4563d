// Takes the place of openapi-fetch in a scratch copy of src: as much of its interface as the client uses.

type Query = Readonly<Record<string, string | number | boolean>>;

interface RequestOptions {
  readonly params?: { readonly path?: Query; readonly query?: Query };
  readonly body?: unknown;
  readonly bodySerializer?: (body: never) => string;
  // biome-ignore lint/suspicious/noExplicitAny: it receives what the class Request constructs.
  readonly fetch?: (request: any) => Promise<Response>;
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly Request: new (url: string, init: RequestInit) => object;
  readonly querySerializer: (query: Query) => string;
}

type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
type Send<Path> = (path: Path, options: RequestOptions) => Promise<{ data?: unknown; error?: unknown }>;

export type Client<Paths extends object> = Readonly<Record<Method, Send<keyof Paths>>>;

export function createQuerySerializer() {
  return (query: Query): string => `${new URLSearchParams(query as Record<string, string>)}`;
}

export default function createClient<Paths extends object>(options: ClientOptions): Client<Paths> {
  const { baseUrl, Request, querySerializer } = options;
  const senderOf =
    (method: Method): Send<keyof Paths> =>
    async (path, { params: { path: fields = {}, query = {} } = {}, body, bodySerializer, fetch }) => {
      const filled = String(path).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${fields[name]}`));
      const search = querySerializer(query);
      const init = { method, body: body === undefined ? null : (bodySerializer?.(body as never) ?? null) };
      const response = await fetch?.(new Request(`${baseUrl}${filled}${search && `?${search}`}`, init));
      const text = (await response?.text()) ?? "";
      if (response?.ok) return { data: text === "" ? undefined : JSON.parse(text) };
      try {
        return { error: JSON.parse(text) };
      } catch {
        return { error: text };
      }
    };
  const methods: Method[] = ["GET", "PUT", "POST", "DELETE", "PATCH"];
  return Object.fromEntries(methods.map((method) => [method, senderOf(method)])) as Client<Paths>;
}
