// node run.mjs {"strategy":…,"baseUrl":…,"plants":…,"dist":…}: one strategy, in a process of its own.
import { STRATEGIES } from "./strategies.mjs";

const { strategy, plants: count, ...options } = JSON.parse(process.argv[2]);
const plants = Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `Monstera ${i + 1}`, tag: "araceae" }));
await STRATEGIES[strategy]({ ...options, plants });
process.exit();
