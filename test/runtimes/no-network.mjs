// Node 26 with --permission and without --allow-net: its own error could not be caught, and would end the process.
import { startMockPlantStore } from "plant-store-client/mock/http";

const name = "explains why a mock on a port cannot listen without leave to use the network";
const { message } = await startMockPlantStore().catch((reason) => reason);
const isExplained = message?.endsWith("start Node with --allow-net, too");
console.log(JSON.stringify([isExplained ? { name } : { name, problem: message }]));
