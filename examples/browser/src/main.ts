import type { NewPlant } from "plant-store-client";
import { showCode } from "./code.ts";
import { part } from "./element.ts";
import { forgetFaults, showFaultButtons, showQueue, waitingFaults } from "./faults.ts";
import { onSubmit, readPlant } from "./form.ts";
import { login } from "./login.ts";
import { showOutcome, showPending } from "./outcome.ts";
import { showRecorded } from "./recorded.ts";
import { createClient, store } from "./store.ts";

const client = createClient(showState);
let call: AbortController | undefined;

async function create(plant: NewPlant): Promise<void> {
  if (call !== undefined) return;
  call = new AbortController();
  showCall(true);
  showPending();
  const before = { hasPlant: store.plants.has(plant.id), isLoggedIn: login.isValid, faults: waitingFaults() };
  // A request that is held is recorded too, and is shown meanwhile.
  const watch = setInterval(showState, 250);
  const result = await client.tryCreatePlant(plant, { signal: call.signal });
  clearInterval(watch);
  call = undefined;
  showCall(false);
  showState();
  showCode(plant, { ...before, faults: before.faults.slice(0, before.faults.length - waitingFaults().length) }, result);
  showOutcome(plant, result, () => {
    part("create").focus();
    void create(plant);
  });
}

function showCall(isInProgress: boolean): void {
  const cancel = part("cancel");
  // Not `disabled`, which would take the focus away.
  part("create").setAttribute("aria-disabled", String(isInProgress));
  if (!isInProgress && document.activeElement === cancel) part("create").focus();
  cancel.hidden = !isInProgress;
}

function showState(): void {
  showRecorded();
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
  // Until here a click would make the browser submit the form itself.
  for (const id of ["create", "reset"]) part(id).removeAttribute("disabled");
}

try {
  await store.start();
  begin();
} catch (error) {
  part("outcome").textContent = `This page needs a service worker, which works over https and on localhost. ${error}`;
}
