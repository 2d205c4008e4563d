import { stepConfig } from "../step-config.ts";

export default stepConfig(import.meta.url, { globalSetup: "./pack.ts" });
