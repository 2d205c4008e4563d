import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";
import { declaredOperations } from "../declared-operations.ts";
import { INT64_MAX, INT64_MIN } from "../int64-values.ts";

const document = parse(readFileSync(new URL("../../openapi.yaml", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);
ajv.addVocabulary(["openapi", "info", "servers", "security", "paths", "components"]);
ajv.addSchema(document, "openapi.yaml");

function schemaAt(pointer: string): ValidateFunction {
  return ajv.compile({ $ref: `openapi.yaml#${pointer}` });
}

/** An operation of the contract, as the document has it. */
export const operation = document.paths["/plants"].post;

const isNewPlantShape = schemaAt("/components/schemas/NewPlant");

/** The body of each response with one, by the operation and the status, e.g. `POST /plants 200`. */
const replyBodies = new Map<string, ValidateFunction>();
for (const { method, path } of declaredOperations) {
  const { responses } = document.paths[path][method.toLowerCase()];
  for (const status of Object.keys(responses).filter((status) => responses[status].content)) {
    const place = [path.replaceAll("/", "~1"), method.toLowerCase(), "responses", status, "content"].join("/");
    replyBodies.set(`${method} ${path} ${status}`, schemaAt(`/paths/${place}/application~1json/schema`));
  }
}

/**
 * The ways in which a response with a body violates the contract; empty for a declared response.
 *
 * @param operation - For example `POST /plants`.
 */
export function judgeReply(operation: string, status: number, contentType: string | null, body: string): string[] {
  const isBody = replyBodies.get(`${operation} ${status}`);
  if (!isBody) return [`status ${status} of ${operation} is not declared`];
  if (contentType !== "application/json") return [`${contentType} is not declared`];
  return isBody(JSON.parse(body))
    ? []
    : (isBody.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A JSON document whose top-level `id` is kept as its digits. */
export interface Draft {
  /** The fields except `id`, or any other JSON value. */
  readonly rest: unknown;
  /** The JSON text of `id`; `undefined` if there is none. Only an object can have one. */
  readonly id: string | undefined;
}

/** The text of a draft; `id` comes last, so that `JSON.parse` uses it. */
export function textOf({ rest, id }: Draft): string {
  const text = JSON.stringify(rest);
  if (id === undefined) return text;
  return text === "{}" ? `{"id":${id}}` : `${text.slice(0, -1)},"id":${id}}`;
}

/** Whether a draft is a NewPlant by the contract: Ajv checks the shape, decimal arithmetic the id. */
export function isNewPlant({ rest, id }: Draft): boolean {
  // Ajv gets 0 for every id in range, and 0.5 for any other: its own int64 accepts 2^63, and has no bigint.
  const stand =
    id === undefined ? {} : { id: typeof JSON.parse(id) !== "number" ? JSON.parse(id) : isInt64Text(id) ? 0 : 0.5 };
  return isNewPlantShape(isPlainObject(rest) ? { ...rest, ...stand } : rest);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON number is an int64 by its exact decimal value, however it is written. */
function isInt64Text(text: string): boolean {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) throw new SyntaxError(`${text} is not a JSON number`);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const mantissa = BigInt(sign + whole + fraction);
  if (mantissa === 0n) return true;
  const power = BigInt(exponent) - BigInt(fraction.length);
  // With larger exponents, no mantissa in these tests can be in range.
  if (power > 10_000n || power < -10_000n) return false;
  const scale = 10n ** (power < 0n ? -power : power);
  if (power < 0n && mantissa % scale !== 0n) return false;
  const value = power < 0n ? mantissa / scale : mantissa * scale;
  return value >= INT64_MIN && value <= INT64_MAX;
}
