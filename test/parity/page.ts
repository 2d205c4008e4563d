import { setupMockPlantStoreWorker } from "plant-store-client/mock/browser";
import { type RowName, rows } from "./fault-rows.ts";
import { observe } from "./observe.ts";

const mock = setupMockPlantStoreWorker();

/** The functions that a test calls in the page. */
const page = {
  mock,
  observe: (name: RowName) => observe(mock, rows[name].example),
};

export type Page = typeof page;

Object.assign(globalThis, { page });
