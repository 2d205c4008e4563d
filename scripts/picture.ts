/** Takes the picture of the console for the README: `npx tsx scripts/picture.ts`. */
import { fileURLToPath } from "node:url";
import { startMockPlantStore } from "../mock/http.ts";
import { faults } from "../mock/index.ts";
import { launchBrowser } from "../test/browser.ts";

const PLANTS = [
  '{"id":1,"name":"Monstera deliciosa","tag":"climber"}',
  '{"id":9007199254740993,"name":"Wollemia nobilis","tag":"conifer"}',
  '{"id":1,"name":"Ficus lyrata"}',
  '{"id":1.5,"name":"Ficus lyrata"}',
  '{"id":5,"name":"Aloe vera"}',
];

// The port is fixed, so that the address in the picture stays.
await using store = await startMockPlantStore({ port: 4010, duplicateIds: "reject" });
const send = (body: string) => {
  const headers = { Authorization: `Bearer ${store.token}`, "Content-Type": "application/json" };
  return fetch(`${store.baseUrl}/plants`, { method: "POST", headers, body }).catch(() => "lost");
};
store.inject(faults.lostResponse(), { when: { id: 5 } });
store.inject(faults.rateLimited(2), { times: 2, when: { tag: "fern" } });
for (const body of [...PLANTS, '{"id":6,"name":"Adiantum","tag":"fern"}']) await send(body);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(`${store.url}/_mock/`);
  await page.locator("#requests summary").nth(3).click();
  await page.selectOption("#fault", "delay");
  await page.locator("#requests .why").waitFor();
  await page.screenshot({ path: fileURLToPath(new URL("../docs/images/console.png", import.meta.url)) });
} finally {
  await browser.close();
}
