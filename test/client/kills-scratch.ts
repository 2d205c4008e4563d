import { importByTwo, importWithKills } from "./fixtures/kills.ts";
for (const [name, o] of [["none", { seed: 11 }], ["2 % 429, 1 % reset", { seed: 12, refused: 0.02, reset: 0.01 }], ["10 % 429, 5 % reset", { seed: 13, refused: 0.1, reset: 0.05 }]] as const)
  console.log(name, JSON.stringify(await importWithKills({ kills: 40, plants: 5_000, ...o })));
