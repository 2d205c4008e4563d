import { parse, type State, send } from "./api.ts";
import { byId, say } from "./dom.ts";

const INTERVAL_MS = 1_000;
const LOST = "The mock does not respond. Trying again…";

let show: (state: State) => void = () => {};
/** Increases whenever polling begins again: the earlier loop ends. */
let latest = 0;

/** Shows the state of the selected session now, and then whenever it has changed. */
export function follow(onState: (state: State) => void): void {
  show = onState;
  refresh();
}

/** Shows the state now, without waiting for the next poll. */
export function refresh(): void {
  void poll();
}

async function poll(): Promise<void> {
  const own = ++latest;
  let shown = "";
  while (own === latest) {
    try {
      const text = await send("GET", "/state");
      if (own !== latest) return;
      if (byId("message").textContent === LOST) say("The mock responds again.");
      if (text !== shown) show(parse(text) as State);
      shown = text;
    } catch (error) {
      if (own !== latest) return;
      const { message, cause: status } = error as Error;
      if (status === 404) return showRoot();
      say(status === 0 ? LOST : message);
      if (status !== 0) return;
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

function showRoot(): void {
  const sessions = byId<HTMLSelectElement>("session");
  sessions.value = "root";
  sessions.dispatchEvent(new Event("change")); // It follows the root session.
  say("The session has ended. The page shows the root session.");
}
