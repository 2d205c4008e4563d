import { stepConfig } from "../../step-config.ts";

export default stepConfig(new URL("..", import.meta.url), {
  include: ["**/*.spec.ts"],
  globalSetup: "../install-packages.ts",
});
