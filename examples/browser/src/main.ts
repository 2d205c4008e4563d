import type { NewPlant } from "plant-store-client";
import { part } from "./element.ts";
import { forgetFaults, showFaultButtons, showQueue } from "./faults.ts";
import { onSubmit, readPlant } from "./form.ts";
import { showJournal } from "./journal.ts";
import { showOutcome, showPending } from "./outcome.ts";
import { createClient, store } from "./store.ts";

const client = createClient(showState);
let call: AbortController | undefined;

async function create(plant: NewPlant): Promise<void> {
  if (call !== undefined) return;
  call = new AbortController();
  showCall(true);
  showPending();
  // A request that waits is in the journal too, and is shown while it does.
  const watch = setInterval(showState, 250);
  const result = await client.tryCreatePlant(plant, { signal: call.signal });
  clearInterval(watch);
  call = undefined;
  showCall(false);
  showState();
  showOutcome(plant, result, () => {
    part("create").focus();
    void create(plant);
  });
}

function showCall(isUnderWay: boolean): void {
  const cancel = part("cancel");
  // Not `disabled`, which would take the focus away.
  part("create").setAttribute("aria-disabled", String(isUnderWay));
  if (!isUnderWay && document.activeElement === cancel) part("create").focus();
  cancel.hidden = !isUnderWay;
}

function showState(): void {
  showJournal();
  showQueue();
}

function begin(): void {
  showFaultButtons();
  showState();
  onSubmit(() => {
    const plant = readPlant();
    if (plant !== undefined) void create(plant);
  });
  part("cancel").addEventListener("click", () => call?.abort());
  part("reset").addEventListener("click", () => {
    store.reset();
    forgetFaults();
    showState();
  });
}

try {
  await store.start();
  begin();
} catch (error) {
  part("outcome").textContent = `This page needs a service worker, which works over https and on localhost. ${error}`;
}
