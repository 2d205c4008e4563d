// The suite in a browser: the driver calls it.
import { runSuite } from "./suite.js";

globalThis.runSuite = runSuite;
