import { type ValidNewPlant, validateRequestBody } from "../../src/contract/plant.ts";
import { decodeNewPlant } from "./plant-json.ts";

/** A request as plain data. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query as sent, including the path of the base URL. */
  readonly path: string;
  /** A native `Headers`, or a cheaper object. It is recorded: do not change it afterwards. */
  readonly headers: RequestHeaders;
  /** Text, if the bytes are known to be UTF-8 (with a leading BOM kept); otherwise the bytes. */
  readonly body: string | Uint8Array;
}

/** Headers as the service reads them: a few lookups, and the whole list only if a test reads them. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** The value for a lower-case name; several values are joined by `", "`. */
  get(name: string): string | null | undefined;
}

/** The body of one request, for the service and for its record. It is decoded once, and its JSON read at most once. */
export class RequestBody {
  /** The whole body until the request is over, then only its beginning. Bytes only if they are not valid UTF-8. */
  #content: string | Uint8Array;
  #byteLength: number | undefined;
  #json: ReturnType<typeof readJson> | undefined;
  /** The plant in it, which is recorded; `null` if there is none. */
  #plant: ValidNewPlant | null | undefined;

  constructor(body: string | Uint8Array) {
    if (typeof body === "string") this.#content = body;
    else {
      this.#byteLength = body.byteLength;
      // A copy: `slice` of a Buffer would keep the whole body in memory.
      this.#content = decodeUtf8(body) ?? new Uint8Array(body.subarray(0, BODY_TEXT_LIMIT));
    }
  }

  /** The text; `undefined` if the body is not valid UTF-8. */
  get text(): string | undefined {
    return typeof this.#content === "string" ? this.#content : undefined;
  }

  /** The first {@link BODY_TEXT_LIMIT} characters, with replacement characters for ill-formed bytes. */
  get shown(): string {
    return beginning(this.text ?? decodeUtf8Leniently(this.#content as Uint8Array), BODY_TEXT_LIMIT);
  }

  isLongerThan(maxBytes: number): boolean {
    // UTF-8 takes at most three bytes for a unit of text: most texts need not be encoded to know.
    if (this.#byteLength === undefined && this.#content.length * 3 <= maxBytes) return false;
    this.#byteLength ??= new TextEncoder().encode(this.text).byteLength;
    return this.#byteLength > maxBytes;
  }

  /** The JSON, with exact integers in the fields of a plant, and the plant in it; `undefined` if the text is not JSON. */
  get json() {
    this.#json ??= readJson(this.text ?? "");
    return this.#json === "invalid" ? undefined : this.#json;
  }

  /** The plant in the body, even if the service has not read it; not that of a long body whose request is over. */
  get plant(): ValidNewPlant | undefined {
    if (this.#plant === undefined) {
      const checked = this.json?.plant;
      this.#plant = checked && !checked.issues ? checked.value : null;
    }
    return this.#plant ?? undefined;
  }

  /** Called when the request is over: keeps what is recorded. */
  shorten(): void {
    if (this.#content.length > BODY_TEXT_LIMIT) {
      this.#content = this.shown;
      this.#plant = null;
    } else if (this.#json !== undefined) {
      this.#plant = this.plant ?? null;
    }
    this.#json = undefined;
  }
}

function readJson(text: string) {
  try {
    const value = decodeNewPlant(text);
    return { value, plant: validateRequestBody(value) };
  } catch {
    return "invalid" as const;
  }
}

/** How many characters of a body are recorded. */
export const BODY_TEXT_LIMIT = 16_384;

// `ignoreBOM` keeps a byte order mark in the text, which the service rejects. Decoders are created on first use, so that
// a runtime without them gets a clear message from the mock.
let strict: TextDecoder | undefined;
let lenient: TextDecoder | undefined;

/** Decodes UTF-8, or returns `undefined` if the bytes are ill-formed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  strict ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, with replacement characters for ill-formed bytes. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  lenient ??= new TextDecoder("utf-8", { ignoreBOM: true });
  return lenient.decode(bytes);
}

/** A copy of the beginning of a long text: a slice would keep the whole text in memory. */
export function beginning(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : decodeUtf8Leniently(new TextEncoder().encode(text.slice(0, maxLength)));
}
