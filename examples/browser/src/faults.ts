import { type Fault, faults } from "plant-store-client/mock";
import { button, element, part, update } from "./element.ts";
import { login } from "./login.ts";
import { store } from "./store.ts";

/** A fault, and what the caller should do about it. */
interface Choice {
  readonly label: string;
  readonly advice: string;
  readonly fault: Fault;
}

const choices: readonly Choice[] = [
  {
    label: "An error response",
    advice: "Not created: show the reason, and change the plant.",
    fault: faults.apiError(17, "the greenhouse is full"),
  },
  {
    label: "Too many requests: 1 second",
    advice: "Do nothing: the client waits and sends it again.",
    fault: faults.rateLimited(1),
  },
  {
    label: "Too many requests: 2 minutes",
    advice: "Not created: send it again in two minutes.",
    fault: faults.rateLimited(120),
  },
  {
    label: "The response is lost",
    advice: "Check whether it exists (it does) before you send it again.",
    fault: faults.lostResponse(),
  },
  {
    label: "The body is cut off",
    advice: "Check first: a status of 200 alone does not show that it exists.",
    fault: faults.truncatedBody(),
  },
  {
    label: "The connection is reset",
    advice: "Check first: nobody can tell this from a lost response.",
    fault: faults.networkError(),
  },
  {
    label: "No response",
    advice: "Cancel, or wait for the deadline; then check first.",
    fault: faults.hang(),
  },
  {
    label: "The response is late: 3 seconds",
    advice: "Do nothing: the deadline has not passed.",
    fault: faults.delay(3_000),
  },
  {
    label: "Any response: the page of a proxy",
    advice: "Check first: the request may have reached the service.",
    fault: faults.reply({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<h1>Welcome to the Wi-Fi</h1>",
    }),
  },
];

const injected: Fault[] = [];

/** Shows a button for each fault, and its sentence. */
export function showFaultButtons(): void {
  const rows = choices.map(({ label, advice, fault }) => {
    const inject = button(label, () => {
      store.inject(fault);
      injected.push(fault);
      showQueue();
    });
    return element("p", {}, inject, element("span", { className: "hint" }, advice));
  });
  part("faults").replaceChildren(...rows);
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
