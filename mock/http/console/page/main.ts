/** The console: shows the state of a session as it changes, and controls the session. */
import { call, type State, session, setControlToken } from "./api.ts";
import { showDetails } from "./details.ts";
import { attempt, button, byId, h, say, update } from "./dom.ts";
import { inject, listFaults, showFaults, showGates } from "./faults-panel.ts";
import { showPlants } from "./plants.ts";
import { follow, refresh } from "./poll.ts";
import { RequestList } from "./request-list.ts";
import { curlExample, forgetExchange, sendPlant, showToken } from "./send-panel.ts";

const sessions = byId<HTMLSelectElement>("session");
let state: State | undefined;

const list = new RequestList((selected) => showDetails(selected, state?.baseUrl ?? location.origin));

function show(next: State): void {
  state = next;
  byId("address").textContent = next.baseUrl;
  showSessions(next);
  list.show(next.requests);
  showFaults(next);
  showGates(next);
  showPlants(next);
  showCurl();
}

/** Shows how to send the plant in the form from a shell. */
function showCurl(): void {
  byId("curl").textContent = curlExample(state?.baseUrl ?? location.origin);
}

/** The selected session stays selected, even if there are so many that it is not among those listed. */
function showSessions({ sessions: names, sessionCount }: State): void {
  const shown = names.includes(session()) ? names : [...names, session()];
  const options = shown.map((name) => h("option", { "data-key": name }, name));
  const hidden = sessionCount - shown.length;
  update(sessions, hidden > 0 ? [...options, h("option", { disabled: true }, `and ${hidden} more`)] : options);
}

/** Shows the selected session, from now on. */
function start(): void {
  attempt(async () => {
    await listFaults();
    showToken();
    await follow(show);
  });
}

/** Runs an action, then shows its effect without waiting for the next poll. */
function act(work: () => Promise<void>): void {
  attempt(async () => {
    await work();
    refresh();
  });
}

function onSubmit(id: string, work: () => Promise<void>): void {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act(work);
  });
}

onSubmit("inject", inject);
onSubmit("create", () => sendPlant(state?.baseUrl ?? location.origin));
byId("create").addEventListener("input", showCurl);
byId("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  setControlToken(byId<HTMLInputElement>("control-token").value);
  say("");
  start();
});

/** Forgets what belongs to the session that the page showed before. */
sessions.addEventListener("change", () => {
  forgetExchange();
  byId("verify-result").hidden = true;
  say("");
  start();
});
byId("hold").addEventListener("click", () => act(() => call("POST", "/gates")));
byId("copy-curl").addEventListener("click", () => {
  attempt(async () => {
    await navigator.clipboard.writeText(byId("curl").textContent ?? "");
    say("Copied.");
  });
});

byId("verify").addEventListener("click", () => {
  attempt(async () => {
    const verified = session();
    const problems = await call("GET", "/verify").then(
      () => "",
      (error: Error) => error.message,
    );
    if (verified !== session()) return;
    const result = byId("verify-result");
    result.hidden = problems === "";
    const dismiss = button("Dismiss", {}, () => {
      result.hidden = true;
      say("");
    });
    result.replaceChildren(h("pre", { tabindex: "0", "aria-label": "Problems" }, problems), dismiss);
    say(problems === "" ? "Verify found no problems." : "Verify found problems.", problems !== "");
  });
});

byId("reset").addEventListener("click", () => {
  if (!confirm("Reset the session? Plants return to the seed; requests, faults and gates are removed.")) return;
  act(async () => {
    await call("POST", "/reset");
    byId("verify-result").hidden = true;
    say("Session reset.");
  });
});

start();
