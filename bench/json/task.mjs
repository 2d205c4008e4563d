// One JSON task over several plants, so that no engine can cache one text.
const PLANTS = 64;
const REPETITIONS = 16;
const INT64_MAX = 9223372036854775807n;

const names = ["Monstera deliciosa", "Ficus lyrata", 'Aloe "vera"', "Ñandú – Pilea", "Sansevieria trifasciata"];

function plants(ids) {
  return Array.from({ length: PLANTS }, (_, i) => ({
    id: ids === "safe" ? 1000 + i * 7919 : INT64_MAX - BigInt(i),
    name: `${names[i % names.length]} ${i}`,
    ...(i % 3 && { tag: "araceae" }),
  }));
}

function textOf({ id, ...rest }) {
  return `{"id":${id},${JSON.stringify(rest).slice(1)}`;
}

/** Encoded text is a rope until it is read. A request reads it, so each candidate pays for it here. */
function flatten(text) {
  return text.charCodeAt(text.length >> 1);
}

const codecs = {
  JSON: async () => ({ encode: JSON.stringify, decode: JSON.parse }),
  ours: async (built) => {
    const [{ encodeNewPlant }, { decodeNewPlant }] = await Promise.all([import(built.encode), import(built.decode)]);
    return { encode: encodeNewPlant, decode: decodeNewPlant };
  },
  "lossless-json": async () => {
    const { stringify, parse } = await import("lossless-json");
    return { encode: stringify, decode: (text) => parse(text) };
  },
  "json-bigint": async () => {
    const { default: jsonBigInt } = await import("json-bigint");
    const { stringify, parse } = jsonBigInt({ useNativeBigInt: true });
    return { encode: stringify, decode: parse };
  },
};

/** How many plants one call of the worker takes. */
export const PLANTS_A_CALL = PLANTS * REPETITIONS;

export default async function setup({ codec, task, ids, built }) {
  const { encode, decode } = await codecs[codec](built);
  const inputs = task === "encode" ? plants(ids) : plants(ids).map(textOf);
  const once = task === "encode" ? (plant) => flatten(encode(plant)) : (text) => decode(text).name.length;
  return () => {
    let sum = 0;
    for (let i = 0; i < REPETITIONS; i++) for (const input of inputs) sum += once(input);
    return sum;
  };
}
