import type { Validation } from "../../src/checks/schema.ts";
import { type NewPlant, type ValidNewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { BODY_TEXT_LIMIT, beginning, decodeUtf8, decodeUtf8Leniently } from "./body-text.ts";
import { decodeNewPlant } from "./plant-json.ts";

/** The JSON of a body. */
export interface BodyJson {
  readonly value: unknown;
  /** The value as a plant to create. */
  readonly plant: Validation<ValidNewPlant>;
}

/** The body of one request, for the service and for the journal. It is decoded once, and its JSON read at most once. */
export class RequestBody {
  /** The whole body until the request is over, then only its beginning. Bytes only if they are not valid UTF-8. */
  #content: string | Uint8Array;
  #byteLength: number | undefined;
  #json: BodyJson | "invalid" | undefined;
  /** The plant in it, which the journal keeps; `null` if there is none. */
  #plant: NewPlant | null | undefined;

  constructor(body: string | Uint8Array, byteLength?: number) {
    if (typeof body === "string") {
      this.#content = body;
      this.#byteLength = byteLength;
    } else {
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

  /** The JSON, with exact integers in the fields of a plant; `undefined` if the text is not JSON. */
  get json(): BodyJson | undefined {
    this.#json ??= readJson(this.text ?? "");
    return this.#json === "invalid" ? undefined : this.#json;
  }

  /** The plant in the body, even if the service has not read it; not that of a long body whose request is over. */
  get plant(): NewPlant | undefined {
    if (this.#plant === undefined) {
      const checked = this.json?.plant;
      this.#plant = checked && !checked.issues ? checked.value : null;
    }
    return this.#plant ?? undefined;
  }

  /** Called when the request is over: keeps what the journal shows. */
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

function readJson(text: string): BodyJson | "invalid" {
  try {
    const value = decodeNewPlant(text);
    return { value, plant: validateNewPlant(value) };
  } catch {
    return "invalid";
  }
}
