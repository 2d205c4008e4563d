import { type Fault, faults } from "plant-store-client/mock";
import { button, element, part, update } from "./element.ts";
import { login } from "./login.ts";
import { store } from "./store.ts";

const choices: readonly { label: string; fault: Fault }[] = [
  { label: "An error response", fault: faults.apiError(17, "the greenhouse is full") },
  { label: "Too many requests: 1 second", fault: faults.rateLimited(1) },
  { label: "Too many requests: 2 minutes", fault: faults.rateLimited(120) },
  { label: "The response is lost", fault: faults.lostResponse() },
  { label: "The body is cut off", fault: faults.truncatedBody() },
  { label: "The connection is reset", fault: faults.networkError() },
  { label: "No response", fault: faults.hang() },
  { label: "The response is late: 3 seconds", fault: faults.delay(3_000) },
  {
    label: "Any response: the page of a proxy",
    fault: faults.reply({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<h1>Welcome to the Wi-Fi</h1>",
    }),
  },
];

const injected: Fault[] = [];

/** Shows a button for each fault. */
export function showFaultButtons(): void {
  const buttons = choices.map(({ label, fault }) =>
    button(label, () => {
      store.inject(fault);
      injected.push(fault);
      showQueue();
    }),
  );
  part("faults").replaceChildren(...buttons);
  login.onChange(showQueue);
}

/** Shows the faults that the next requests meet. */
export function showQueue(): void {
  const names = waitingFaults().map(
    (fault) => choices.find((choice) => same(choice.fault, fault))?.label ?? fault.type,
  );
  const items = names.map((name) => element("li", {}, name));
  const list = element("div", {}, element("p", {}, "Queued for the next requests:"), element("ol", {}, ...items));
  const hint = login.isValid ? "The next request succeeds." : "Nothing is sent until you log in again.";
  update("queue", names.length > 0 ? list : element("p", { className: "hint" }, hint));
}

/** Forgets the queued faults and the expired session, after a reset of the store. */
export function forgetFaults(): void {
  injected.length = 0;
  login.renew();
}

/** The injected faults except those that a recorded request has met. */
export function waitingFaults(): Fault[] {
  const waiting = [...injected];
  for (const { fault } of store.requests) {
    const index = waiting.findIndex((other) => fault !== undefined && same(other, fault));
    if (index >= 0) waiting.splice(index, 1);
  }
  return waiting;
}

function same(one: Fault, other: Fault): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
