/** The name of each adapter in messages. The in-memory adapter can reproduce every fault. */
export const adapterNames = {
  memory: "the in-memory mock (session.fetch)",
  msw: "MSW in Node",
  browser: "the MSW service worker",
  http: "the HTTP mock",
} as const;

export type AdapterName = keyof typeof adapterNames;
