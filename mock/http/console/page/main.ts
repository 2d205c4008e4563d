/** The console: shows the state of a session as it changes, and controls the session. */
import { type State, send, setControlToken } from "./api.ts";
import { byId, clearNotice, h, onClick, say, update } from "./dom.ts";
import { showFaults, showGates } from "./faults.ts";
import { follow, refresh } from "./poll.ts";
import { showRequests } from "./requests.ts";

const sessions = byId<HTMLSelectElement>("session");

function show(state: State): void {
  byId("address").textContent = state.baseUrl;
  const options = state.sessions.map((name) => h("option", { "data-key": name }, name));
  update(sessions, options);
  showRequests(state);
  showFaults(state);
  showGates(state);
}

/** Shows the selected session, from now on. */
function start(): void {
  clearNotice();
  say("");
  follow(show);
}

sessions.addEventListener("change", start);
byId("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  setControlToken(byId<HTMLInputElement>("control-token").value);
  start();
});

onClick("verify", async () => {
  await send("GET", "/verify");
  return "No problems.";
});
onClick("reset", async () => {
  if (!confirm("Reset the session? Plants return to the initial ones; requests, faults and gates are removed."))
    return "";
  await send("POST", "/reset");
  refresh();
  return "Session reset.";
});

start();
