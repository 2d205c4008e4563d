/** The console: shows the state of a session as it changes, and controls the session. */
import { CREATE_PLANT } from "../../../../src/contract/operations.ts";
import { type State, send, session, setControlToken } from "./api.ts";
import { byId, clearNotice, h, onClick, say, update } from "./dom.ts";
import { showFaults, showGates } from "./faults.ts";
import { follow, refresh } from "./poll.ts";
import { showRequests } from "./requests.ts";
import { curlOf, plantWords } from "./text.ts";

const sessions = byId<HTMLSelectElement>("session");

function show(state: State): void {
  byId("address").textContent = state.baseUrl;
  showSessions(state);
  showCurl(state);
  showRequests(state);
  showFaults(state);
  showGates(state);
  showPlants(state);
}

/** The selected session stays selected, even if there are so many that it is not among those listed. */
function showSessions({ sessions: names, sessionCount }: State): void {
  const shown = names.includes(session()) ? names : [...names, session()];
  const options = shown.map((name) => h("option", { "data-key": name }, name));
  const hidden = sessionCount - shown.length;
  update(sessions, hidden > 0 ? [...options, h("option", { disabled: true }, `and ${hidden} more`)] : options);
}

/** Shows how to send a plant to the session from a shell. */
function showCurl({ baseUrl, token }: State): void {
  const { method, path, headers } = CREATE_PLANT;
  const request = { method, path: new URL(baseUrl).pathname.replace(/\/$/, "") + path };
  const bodyText = '{"id":1,"name":"Monstera deliciosa"}';
  byId("curl").textContent = curlOf(
    { ...request, headers: { ...headers, Authorization: `Bearer ${token}` }, bodyText },
    baseUrl,
  );
}

function showPlants({ plants, plantCount }: State): void {
  byId("plant-count").textContent = plantCount.toLocaleString("en");
  const items = plants.map((plant) => {
    const { id: _id, name: _name, ...others } = plant;
    return h("li", {}, plantWords(plant), h("span", { class: "soft line" }, Object.values(others).join(" · ")));
  });
  update(byId("plants"), items);
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

onClick("copy", async () => {
  await navigator.clipboard.writeText(byId("curl").textContent as string);
  return "Copied.";
});
onClick("verify", async () => {
  await send("GET", "/verify");
  return "No problems.";
});
onClick("reset", async () => {
  if (!confirm("Reset the session? Plants return to the seed; requests, faults and gates are removed.")) return "";
  await send("POST", "/reset");
  refresh();
  return "Session reset.";
});

start();
