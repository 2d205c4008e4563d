import { expect, it } from "vitest";
import type { Route } from "../../mock/http/control/route.ts";
import { routes } from "../../mock/http/control/routes.ts";
import { absolute, read } from "./blocks.ts";

const page = "docs/control-api.md";

const rows = Object.values<Route>(routes).map(({ method, path, query = {}, summary, body }) => {
  const own = Object.keys(query).filter((name) => name !== "session");
  const parameters = own.length === 0 ? "" : `; parameters: ${own.map((name) => `\`${name}\``).join(", ")}`;
  const sent = body === undefined ? "" : ` ${body.isRequired ? "Body" : "Optional body"}: \`${body.example}\``;
  return `| \`${method} /_mock${path}\` | ${summary.replace(/\.$/, "")}${parameters}.${sent} | ${"session" in query ? "yes" : ""} |`;
});

/** `npx vitest run test/docs/control-api.test.ts -u` writes the table. */
it("the page on the control API lists every call as the table of routes describes it", async () => {
  const [before = "", after = ""] = read(page).split(/<!-- calls -->[\s\S]*<!-- \/calls -->/);
  const table = `| call | what it does | \`?session=\` |\n|---|---|---|\n${rows.join("\n")}`;
  await expect(`${before}<!-- calls -->\n\n${table}\n\n<!-- /calls -->${after}`).toMatchFileSnapshot(absolute(page));
});
