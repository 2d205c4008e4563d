import { expect, it } from "vitest";
import { settings } from "../../mock/cli/settings.ts";
import type { ControlRoute } from "../../mock/http/control/control-route.ts";
import { routes } from "../../mock/http/control/routes.ts";
import { checkFault } from "../../mock/service/faults/check-fault.ts";
import { faultTable } from "../../mock/service/faults/fault-table.ts";
import { absolute, read } from "./blocks.ts";

const page = "docs/other-languages.md";

const rows = Object.values<ControlRoute>(routes).map(({ method, path, query = [], summary, body }) => {
  const parameters = query.length === 0 ? "" : ` Parameters: ${query.map((name) => `\`${name}\``).join(", ")}.`;
  const sent = body === undefined ? "" : ` ${body.isOptional ? "Optional body" : "Body"}: \`${body.example}\``;
  return `| \`${method} /_mock${path}\` | ${summary}${parameters}${sent} |`;
});

const flags = Object.entries(settings).map(([flag, { option, value, variable, help }]) => {
  const key = option === "config" ? "" : `\`${option}\``;
  return `| \`--${flag}${value === undefined ? "" : ` ${value}`}\` | ${variable === undefined ? "" : `\`${variable}\``} | ${key} | ${help} |`;
});

/** The page with a table between its marks. */
function withTable(text: string, mark: string, heading: string, lines: readonly string[]): string {
  const [before = "", after = ""] = text.split(new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`));
  const rule = `|${heading.replace(/[^|]+/g, "---").slice(1)}`;
  return `${before}<!-- ${mark} -->\n\n${[heading, rule, ...lines].join("\n")}\n\n<!-- /${mark} -->${after}`;
}

/** `npx vitest run test/docs/other-languages.test.ts -u` writes the tables. */
it("the page on other languages lists exactly the calls and settings of the code", async () => {
  const calls = withTable(read(page), "calls", "| call | what it does |", rows);
  const shown = withTable(calls, "settings", "| flag | environment variable | key in the file | meaning |", flags);
  await expect(shown).toMatchFileSnapshot(absolute(page));
});

it("the page shows each fault that has fields, as the control API accepts it", () => {
  const shown = Array.from(read(page).matchAll(/`(\{"type":.*?\})`/g), ([, json = ""]) => JSON.parse(json));
  for (const fault of shown) expect(checkFault(fault)).toEqual(fault);
  const withFields = Object.entries(faultTable).filter(([, { fields }]) => Object.keys(fields).length > 0);
  expect(shown.map(({ type }) => type)).toEqual(withFields.map(([type]) => type));
});
