import type { NewPlant } from "../../src/contract/plant.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { AssumptionName } from "../service/service-reply.ts";

/** The name of every plant that calibrate creates; one with an empty name has it as its tag. */
export const PLANT_NAME = "plant-store-mock calibrate";

/** How to find out what a real service does: a valid request to create a plant, with one change. */
export interface Probe {
  /** What is sent, for the report, e.g. `a request without a token`. */
  readonly sends: string;
  /** Default: the method of the operation. A request with another method has no body. */
  readonly method?: "GET";
  /** Default: the path of the operation. */
  readonly path?: string;
  /** Default: the valid token. Without a value, the header is absent. */
  readonly authorization?: (token: string) => string | undefined;
  /** Default: `application/json`. */
  readonly mediaType?: string;
  /** Default: an unused id, and {@link PLANT_NAME}. */
  readonly fields?: Partial<NewPlant>;
  /** Default: the plant as JSON. */
  readonly body?: (plant: NewPlant) => string | Uint8Array<ArrayBuffer>;
  /** Whether the plant is one that exists. */
  readonly isDuplicate?: true;
  /** The options of a mock that accepts the request, or rejects it; absent if there are none. */
  readonly accepted?: MockPlantStoreOptions;
  readonly rejected?: MockPlantStoreOptions;
}

/** No service has issued this token. */
const INVALID = "Bearer plant-store-mock-calibrate";

/** The probes of one assumption, by the names that the report gives them; or why there is none. */
type ProbesOf<Name extends string> = (Readonly<Record<Name, Probe>> & Readonly<Record<string, Probe>>) | string;

/** What is asked about each assumption. */
const byAssumption: { readonly [Name in AssumptionName]: ProbesOf<Name> } = {
  outside: "it is about the `fetch` of the mock, not about the service",
  notFound: {
    notFound: { sends: "a path that no operation has", method: "GET", path: "/plant-store-mock-calibrate" },
  },
  methodNotAllowed: { methodNotAllowed: { sends: "a method that no operation has", method: "GET" } },
  severalTokens: {
    severalTokens: { sends: "two tokens", authorization: (token) => `Bearer ${token}, ${INVALID}` },
  },
  missingToken: {
    missingToken: {
      sends: "no token",
      authorization: () => undefined,
      accepted: { auth: false },
      rejected: { auth: {} },
    },
  },
  invalidToken: {
    invalidToken: {
      sends: "an invalid token",
      authorization: () => INVALID,
      accepted: { auth: {} },
      rejected: { auth: { tokens: ["a-valid-token"] } },
    },
  },
  anyToken: "the request with an invalid token shows it: see invalidToken",
  rateLimited: "it would take more requests than calibrate sends",
  mediaType: {
    mediaType: {
      sends: "the media type text/plain",
      mediaType: "text/plain",
      accepted: { mediaType: "any" },
      rejected: { mediaType: "json" },
    },
  },
  tooLarge: "no plant comes near the limit of a service; set `maxBodyBytes` yourself",
  encoding: {
    encoding: {
      sends: "a body that is ill-formed UTF-8",
      body: (plant) => Uint8Array.from(JSON.stringify({ ...plant, tag: "\xff" }), (letter) => letter.charCodeAt(0)),
    },
  },
  json: {
    json: { sends: "a body that is not JSON", body: (plant) => JSON.stringify(plant).slice(0, -1) },
    emptyBody: { sends: "an empty body", body: () => "" },
  },
  newPlant: {
    newPlant: { sends: "a plant without a name", body: ({ id }) => JSON.stringify({ id }) },
    emptyName: { sends: "an empty name", fields: { name: "", tag: PLANT_NAME } },
    nullTag: { sends: "the tag null", body: (plant) => JSON.stringify({ ...plant, tag: null }) },
    idAsText: { sends: "an id that is a string", body: (plant) => JSON.stringify({ ...plant, id: `${plant.id}` }) },
    idWithFraction: { sends: "an id that ends in .0", body: (plant) => JSON.stringify(plant).replace(/\d+/, "$&.0") },
    // A random one: a service that accepts it may reject it in the next run as a duplicate.
    idBeyondInt64: {
      sends: "an id from 2^63 on",
      body: (plant) => JSON.stringify(plant).replace(/\d+/, (id) => `${2n ** 63n + BigInt(id)}`),
    },
  },
  unknownFields: {
    unknownFields: {
      sends: "a plant with the field isCalibrated",
      body: (plant) => JSON.stringify({ ...plant, isCalibrated: true }),
      accepted: { unknownFields: "accept" },
      rejected: { unknownFields: "reject" },
    },
  },
  duplicateId: {
    duplicateId: {
      sends: "a plant whose id exists",
      isDuplicate: true,
      accepted: { duplicateIds: "accept" },
      rejected: { duplicateIds: "reject" },
    },
  },
};

const entries = Object.entries(byAssumption);

/** The first probe, which asks whether this is a plant store. */
export const CREATED: Probe = { sends: "a valid plant" };

/** All probes, by their names, in the order in which they are sent. */
export const probes: Readonly<Record<string, Probe>> = Object.assign(
  { created: CREATED, createdWithTag: { sends: "a valid plant with a tag", fields: { tag: "calibrate" } } },
  ...entries.map(([, named]) => (typeof named === "string" ? {} : named)),
);

/** What stays unknown in every run. */
export const UNTRIED = entries.flatMap(([name, named]) => (typeof named === "string" ? `${name}: ${named}` : []));
