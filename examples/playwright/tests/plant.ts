import type { Page } from "@playwright/test";

/** Fills in the form and sends it, as a person does. */
export async function plant(page: Page, id: string, name: string): Promise<void> {
  await page.getByLabel("Id").fill(id);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Plant" }).click();
}
