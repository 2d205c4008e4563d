/** The console: shows the state of a session as it changes, and controls the session. */
import { call, session, setControlToken } from "./api.ts";
import { showDetails } from "./details.ts";
import { attempt, byId, h, say } from "./dom.ts";
import { ExchangeList } from "./exchange-list.ts";
import { inject, listFaults, showFaults, showGates } from "./faults-panel.ts";
import { follow, type Line, type Overview } from "./feed.ts";
import { forgetPlants, showPlants } from "./plants-panel.ts";
import { forgetToken, sendPlant, showToken } from "./send-panel.ts";

let overview: Overview | undefined;

const list = new ExchangeList((selected) => showDetails(selected, overview?.baseUrl ?? location.origin));

function onLine({ session: name = "", isCleared, requests, overview: next }: Line): void {
  if (isCleared) list.clear(name);
  if (isCleared && name === session()) {
    forgetPlants();
    showToken();
  }
  if (requests) list.add(requests.map((request) => ({ ...request, session: name })));
  if (next) showOverview(next);
}

function showOverview(next: Overview): void {
  overview = next;
  byId("address").textContent = next.baseUrl;
  showSessions(next.sessions.map(({ session }) => session));
  showFaults(next.faults);
  showGates(next.gates);
  showPlants(next.plants);
}

function showSessions(names: readonly string[]): void {
  const select = byId<HTMLSelectElement>("session");
  const shown = [...select.options].map(({ value }) => value);
  if (names.join() === shown.join()) return;
  const { value } = select;
  select.replaceChildren(...names.map((name) => h("option", {}, name)));
  select.value = names.includes(value) ? value : "root";
}

/** Follows the selected session from its first request. */
function start(): void {
  list.clear();
  forgetPlants();
  forgetToken();
  attempt(async () => {
    await listFaults();
    await follow(onLine);
  });
}

function onSubmit(id: string, work: () => Promise<void>): void {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(work);
  });
}

onSubmit("inject", inject);
onSubmit("create", () =>
  sendPlant(`${new URL(overview?.baseUrl ?? "/").pathname.replace(/\/$/, "")}/plants`, overview?.faults ?? []),
);
onSubmit("unlock", async () => {
  setControlToken(byId<HTMLInputElement>("control-token").value);
  say("");
  start();
});

for (const id of ["session", "filter-session"]) byId(id).addEventListener("change", start);
byId("hold").addEventListener("click", () => attempt(() => call("POST", "/gates")));

byId("verify").addEventListener("click", () => {
  attempt(async () => {
    const result = byId("verify-result");
    const problems = await call("GET", "/verify").then(
      () => "",
      (error: Error) => error.message,
    );
    result.hidden = problems === "";
    result.textContent = problems;
    say(problems === "" ? "Verify found no problems." : "Verify found problems.", problems !== "");
  });
});

let confirmTimer: ReturnType<typeof setTimeout> | undefined;
byId("reset").addEventListener("click", ({ currentTarget }) => {
  const reset = currentTarget as HTMLElement;
  const stopAsking = () => {
    clearTimeout(confirmTimer);
    confirmTimer = undefined;
    reset.textContent = "Reset";
  };
  if (confirmTimer === undefined) {
    reset.textContent = "Reset now?";
    say("Press again to reset the session: plants return to the seed; requests, faults and gates are removed.");
    confirmTimer = setTimeout(stopAsking, 5000);
    return;
  }
  stopAsking();
  attempt(async () => {
    await call("POST", "/reset");
    byId("verify-result").hidden = true;
    say("Session reset.");
  });
});

start();
