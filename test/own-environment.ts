/*
 * Removes from the environment what a person has set for their own use, and npm for its scripts: it would change what the
 * tests see, and what the processes that they start print. Configurations of Vitest import this first.
 */
const FOREIGN = /^(PLANT_STORE_(?!TEST_).*|FORCE_COLOR|INIT_CWD)$/;

for (const name of Object.keys(process.env)) {
  if (FOREIGN.test(name)) delete process.env[name];
}
