import { createMockPlantStore, type Fault } from "plant-store-client/mock";
import { connectMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { type Observed, observe } from "./observe.ts";

/** One adapter of the mock, as a column of the parity table. */
export interface ParityAdapter {
  /** The heading of its column. */
  readonly name: string;
  /** Whether it can reproduce every fault. */
  readonly isInMemory: boolean;
  /** Starts it. */
  open(): Promise<OpenAdapter>;
}

/** A running adapter of the mock. */
export interface OpenAdapter {
  /** Injects the fault, creates one plant and reports the result; rejects if `inject` throws. */
  observe(fault: Fault): Promise<Observed>;
  close(): Promise<void>;
}

const memory: ParityAdapter = {
  name: "in memory",
  isInMemory: true,
  open: async () => {
    const mock = createMockPlantStore();
    return { observe: (fault) => observe(mock, fault), close: async () => mock[Symbol.dispose]() };
  },
};

const msw: ParityAdapter = {
  name: "MSW in Node",
  isInMemory: false,
  open: async () => {
    const mock = setupMockPlantStore();
    mock.listen();
    return { observe: (fault) => observe(mock, fault), close: async () => mock.close() };
  },
};

const http: ParityAdapter = {
  name: "HTTP",
  isInMemory: false,
  open: async () => {
    const mock = await startMockPlantStore();
    return { observe: (fault) => observe(mock, fault), close: () => mock.close() };
  },
};

const remote: ParityAdapter = {
  name: "HTTP, by remote control",
  isInMemory: false,
  open: async () => {
    const mock = await startMockPlantStore();
    const connected = await connectMockPlantStore(mock.url);
    const close = () => connected.close().then(mock.close);
    return { observe: (fault) => observe(connected, fault), close };
  },
};

/** The adapters that are tested in this process. The service worker has its own test, in a page. */
export const adapters: readonly ParityAdapter[] = [memory, msw, http, remote];
