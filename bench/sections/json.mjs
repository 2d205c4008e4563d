import { dist } from "../lib/build.mjs";
import { interleave } from "../lib/interleave.mjs";
import { versionsOf } from "../lib/report.mjs";
import { node } from "../lib/runtimes.mjs";
import { medianRatio, ratioOverRuns } from "../lib/statistics.mjs";

const TASK = new URL("../json/task.mjs", import.meta.url).href;
const CODECS = ["JSON", "ours", "lossless-json", "json-bigint"];
const NAMES = { JSON: "JSON.stringify, JSON.parse", ours: "**plant-store-client**" };

/** JSON.stringify refuses a bigint: for int64 limits, encoding has no baseline of its own. */
const SCENARIOS = [
  { key: "encode", title: "encode, safe ids", task: "encode", ids: "safe", codecs: CODECS },
  { key: "decode", title: "decode, safe ids", task: "decode", ids: "safe", codecs: CODECS },
  { key: "limits", title: "decode, ids at the int64 limit", task: "decode", ids: "limits", codecs: CODECS },
];

export const title = "JSON: exact ids";
export const versions = () => `Node 24.21.0, ${versionsOf(["lossless-json", "json-bigint"])}`;

export async function run({ quick, log }) {
  const effort = quick
    ? { generations: 1, rounds: 15, batchMs: 20, warmUpMs: 500 }
    : { generations: 5, rounds: 12, batchMs: 25, warmUpMs: 800 };
  const ratios = {};
  const runs = {};
  for (const { key, title, task, ids, codecs } of SCENARIOS) {
    log(title);
    const candidates = codecs.map((codec) => ({
      name: codec,
      module: TASK,
      options: { codec, task, ids, built: { encode: dist("encode.js"), decode: dist("decode.js") } },
      execPath: node(24),
    }));
    const times = await interleave(candidates, effort);
    const ratio = (codec) => medianRatio(times.get(codec).cpu, times.get("JSON").cpu);
    ratios[key] = Object.fromEntries(codecs.map((codec) => [codec, ratio(codec)]));
    runs[key] = ratioOverRuns(times.get("ours").cpu, times.get("JSON").cpu, effort.generations);
  }
  return {
    tables: [
      {
        title: "CPU time of one plant, as a ratio to JSON.stringify and JSON.parse",
        note: "JSON.parse rounds the ids at the limit, which the others keep: it is the baseline nevertheless. Encoding 64-bit ids has no baseline, since JSON.stringify refuses a bigint.",
        columns: ["codec", ...SCENARIOS.map(({ title }) => title)],
        rows: CODECS.map((codec) => [
          NAMES[codec] ?? codec,
          ...SCENARIOS.map(({ key }) => ratios[key][codec].toFixed(2)),
        ]),
      },
    ],
    targets: [
      { figure: "encode to JSON.stringify", atMost: 0.9, ...runs.encode },
      { figure: "decode to JSON.parse, safe ids", atMost: 1.05, ...runs.decode },
      { figure: "decode to JSON.parse, ids at the int64 limit", atMost: 2.2, ...runs.limits },
    ],
  };
}
