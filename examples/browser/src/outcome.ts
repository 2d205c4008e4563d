import type { CreatePlantResult, NewPlant } from "plant-store-client";
import { advise } from "./advise.ts";
import { button, element, part } from "./element.ts";
import { proposeNextId } from "./form.ts";
import { login } from "./login.ts";
import { store } from "./store.ts";

/** Shows the result of a call, and offers to send the plant again only if that is safe. */
export function showOutcome(plant: NewPlant, result: CreatePlantResult, sendAgain: () => void): void {
  if (result.ok) {
    const tag = result.plant.tag === undefined ? "" : `, tagged ${result.plant.tag}`;
    show("created", "The plant was created.", `${result.plant.name}${tag}.`, [facts("Yes", result)]);
    proposeNextId(plant.id);
    return;
  }
  const advice = advise(result.error);
  const mayExist = result.error.outcome === "unknown" ? "It may" : "No";
  const actions: Node[] = [facts(mayExist, result)];
  if (advice.sendAgain === "now") actions.push(button("Send it again", sendAgain));
  if (advice.sendAgain === "after logging in") {
    actions.push(
      button("Log in and send it again", () => {
        login.renew();
        sendAgain();
      }),
    );
  }
  if (advice.sendAgain === "after a look") {
    actions.push(button("Check the store", () => showCheck(plant, sendAgain)));
  }
  show(result.error.outcome, advice.title, advice.text, actions);
}

/** Shows that a call is in progress. */
export function showPending(): void {
  show("pending", "Sending…", "", []);
}

/** The contract has no operation that reads plants. Here a person can look: the store is in the page. */
function showCheck(plant: NewPlant, sendAgain: () => void): void {
  if (store.plants.has(plant.id)) {
    show("created", "It was created.", "There is nothing more to do.", []);
    proposeNextId(plant.id);
  } else show("rejected", "It was not created.", "You can safely send it again.", [button("Send it again", sendAgain)]);
  // The button that had the focus is gone.
  part("outcome").querySelector<HTMLElement>("h3")?.focus();
}

function show(className: string, title: string, text: string, rest: readonly Node[]): void {
  const heading = element("h3", { tabIndex: -1 }, title);
  part("outcome").replaceChildren(element("div", { className }, heading, element("p", {}, text), ...rest));
  part("status").textContent = `${title} ${text}`;
}

/** What the client knows, for those who want to see it. */
function facts(mayExist: string, result: CreatePlantResult): HTMLElement {
  const rows = [["Could it exist?", mayExist]];
  if (!result.ok) rows.push(["error.outcome", result.error.outcome], ["error.kind", result.error.kind]);
  const attempts = result.attempts.map(({ status, reason }) => `${status ?? reason}`);
  rows.push(["Attempts", attempts.length === 0 ? "0" : `${attempts.length} (${attempts.join(", then ")})`]);
  return element(
    "dl",
    {},
    ...rows.flatMap(([term = "", fact = ""]) => [element("dt", {}, term), element("dd", {}, fact)]),
  );
}
