import { type Fault, faults } from "plant-store-client/mock";
import { button, element, part, update } from "./element.ts";
import { login, store } from "./store.ts";

const choices: readonly { label: string; fault: Fault }[] = [
  { label: "The service says no", fault: faults.apiError(17, "the greenhouse is full") },
  { label: "It is busy for a second", fault: faults.rateLimited(1) },
  { label: "It is busy for two minutes", fault: faults.rateLimited(120) },
  { label: "The reply is lost", fault: faults.lostResponse() },
  { label: "The reply breaks off", fault: faults.truncatedBody() },
  { label: "The connection breaks", fault: faults.networkError() },
  { label: "No reply ever comes", fault: faults.hang() },
  { label: "The reply takes 3 seconds", fault: faults.delay(3_000) },
  {
    label: "A proxy answers HTML",
    fault: faults.reply({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<h1>Welcome to the Wi-Fi</h1>",
    }),
  },
];

const injected: Fault[] = [];

/** Puts a button for each fault onto the page. */
export function showFaultButtons(): void {
  const buttons = choices.map(({ label, fault }) =>
    button(label, () => {
      store.inject(fault);
      injected.push(fault);
      showQueue();
    }),
  );
  part("faults").replaceChildren(...buttons, loginButton());
}

/** Not a fault of the service: the token provider of the page fails, and nothing is sent. */
function loginButton(): HTMLButtonElement {
  const toggle = button("The log-in has expired", () => {
    login.isValid = !login.isValid;
    toggle.setAttribute("aria-pressed", String(!login.isValid));
  });
  toggle.setAttribute("aria-pressed", "false");
  return toggle;
}

/** Shows the faults that wait for a request. */
export function showQueue(): void {
  const names = waitingFaults().map(
    (fault) => choices.find((choice) => same(choice.fault, fault))?.label ?? fault.type,
  );
  const items = names.map((name) => element("li", {}, name));
  const list = element("div", {}, element("p", {}, "Waiting for a request:"), element("ol", {}, ...items));
  update("queue", names.length > 0 ? list : element("p", { className: "hint" }, "The next request goes well."));
}

/** Forgets them, after the store was reset. */
export function forgetFaults(): void {
  injected.length = 0;
  showQueue();
}

/** Those injected, without those that the journal has seen. */
function waitingFaults(): Fault[] {
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
