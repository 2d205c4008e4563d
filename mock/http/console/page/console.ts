/** The console: shows the state of a session as it changes, and controls the session. */
import { call, session, setControlToken } from "./api.ts";
import { showDetails } from "./details.ts";
import { attempt, byId, h, say } from "./dom.ts";
import { ExchangeList } from "./exchange-list.ts";
import { inject, listFaults, showFaults, showGates } from "./faults-panel.ts";
import { follow, type Line, type Overview } from "./feed.ts";
import { forgetPlants, reloadPlants, showPlants } from "./plants-panel.ts";
import { forgetExchange, sendPlant, showToken } from "./send-panel.ts";

const sessions = byId<HTMLSelectElement>("session");
let overview: Overview | undefined;

const list = new ExchangeList((selected) => showDetails(selected, overview?.baseUrl ?? location.origin));

/** Forgets everything that was shown before the stream began. */
function onConnect(): void {
  list.clear();
  forgetPlants();
  showToken();
  for (const option of [...sessions.options]) if (option.value !== "root" && !option.selected) option.remove();
}

function onLine({ opened = [], ended = [], session: name = "", isCleared, requests, overview: next }: Line): void {
  showSessions(opened, new Set(ended));
  if (isCleared) list.clear([name]);
  if (isCleared && name === session()) reloadPlants();
  if (requests) list.add(requests.map((request) => ({ ...request, session: name })));
  if (next) showOverview(next);
}

function showOverview(next: Overview): void {
  overview = next;
  byId("address").textContent = next.baseUrl;
  showFaults(next);
  showGates(next);
  showPlants(next.plants);
}

/** Changes the list of sessions only where it differs, because there may be thousands of them. */
function showSessions(opened: readonly string[], ended: ReadonlySet<string>): void {
  const shown = ["root", session()];
  for (const name of opened) if (!shown.includes(name)) sessions.append(h("option", {}, name));
  if (ended.size === 0) return;
  list.clear(ended);
  for (const option of [...sessions.options]) if (ended.has(option.value)) option.remove();
}

/** Follows the selected session from its first request. */
function start(): void {
  attempt(async () => {
    await listFaults();
    await follow(onConnect, onLine);
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
  sendPlant(new URL(overview?.baseUrl ?? "/").pathname.replace(/\/$/, ""), overview?.faults ?? []),
);
onSubmit("unlock", async () => {
  setControlToken(byId<HTMLInputElement>("control-token").value);
  say("");
  start();
});

/** Forgets what belongs to the session that the page showed before. */
sessions.addEventListener("change", () => {
  stopAsking();
  forgetExchange();
  byId("verify-result").hidden = true;
  say("");
});
for (const id of ["session", "filter-session"]) byId(id).addEventListener("change", start);
byId("hold").addEventListener("click", () => attempt(() => call("POST", "/gates")));

byId("verify").addEventListener("click", () => {
  attempt(async () => {
    const result = byId("verify-result");
    const verified = session();
    const problems = await call("GET", "/verify").then(
      () => "",
      (error: Error) => error.message,
    );
    if (verified !== session()) return;
    result.hidden = problems === "";
    result.textContent = problems;
    say(problems === "" ? "Verify found no problems." : "Verify found problems.", problems !== "");
  });
});

const reset = byId("reset");
let confirmTimer: ReturnType<typeof setTimeout> | undefined;

function stopAsking(): void {
  clearTimeout(confirmTimer);
  confirmTimer = undefined;
  reset.textContent = "Reset";
}

reset.addEventListener("click", () => {
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
