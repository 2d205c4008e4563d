import { createMockPlantStore } from "plant-store-client/mock";
import { type Attack, thrownBy } from "./attack.ts";

/** The attacks on the mock. */
export const mockAttacks: readonly Attack[] = [
  {
    attack: 'A fault whose type is an array: `{ type: ["reply"], status: 99999 }`',
    run: () => thrownBy(() => createMockPlantStore().inject({ type: ["reply"], status: 99_999 } as never)),
  },
];
