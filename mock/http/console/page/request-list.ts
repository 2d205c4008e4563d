import { type Summary, session } from "./api.ts";
import { byId, h, update } from "./dom.ts";
import { plantWords } from "./plants.ts";
import { outcomeOf, timeOf } from "./text.ts";

/** The list of requests, newest first. */
export class RequestList {
  readonly #onSelect: (selected: Summary | undefined) => void;
  readonly #box = byId("requests");
  #all: readonly Summary[] = [];
  #shown: readonly Summary[] = [];
  #selected: string | undefined;

  constructor(onSelect: (selected: Summary | undefined) => void) {
    this.#onSelect = onSelect;
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    const selectAt = ({ target }: Event) => {
      const key = (target as Element).closest<HTMLElement>('[role="option"]')?.dataset.key;
      if (key !== undefined && key !== this.#selected) this.#select(key);
      return key;
    };
    // As in a native list box, because the row may move before the button is released.
    this.#box.addEventListener("mousedown", (event) => {
      if (event.button === 0) selectAt(event);
    });
    this.#box.addEventListener("click", (event) => {
      if (selectAt(event) === undefined) return;
      // On a narrow screen the details are below the list.
      if (matchMedia("(max-width: 44rem)").matches) byId("details-title").scrollIntoView();
    });
    byId("filter-text").addEventListener("input", () => this.#draw());
  }

  /** Shows other requests. If the selected one is not among them, the newest takes its place. */
  show(requests: readonly Summary[]): void {
    const before = this.#find(this.#selected);
    this.#all = requests;
    const after = this.#find(this.#selected) ?? requests[0];
    this.#selected = after && keyOf(after);
    this.#draw();
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#onSelect(after);
  }

  #find(key: string | undefined): Summary | undefined {
    return this.#all.find((summary) => keyOf(summary) === key);
  }

  #select(key: string): void {
    this.#selected = key;
    this.#draw();
    this.#onSelect(this.#find(key));
  }

  #draw(): void {
    const text = byId<HTMLInputElement>("filter-text").value.trim().toLowerCase();
    this.#shown = this.#all.filter((summary) => wordsOf(summary).includes(text));
    const all = this.#all.length;
    byId("request-count").textContent = this.#shown.length === all ? `${all}` : `${this.#shown.length} of ${all}`;
    byId("no-match").hidden = all === 0 || this.#shown.length > 0;
    byId("welcome").hidden = all > 0;
    this.#box.hidden = this.#shown.length === 0;
    update(
      this.#box,
      this.#shown.map((summary) => this.#row(summary)),
    );
    const isShown = this.#shown.some((summary) => keyOf(summary) === this.#selected);
    if (isShown) this.#box.setAttribute("aria-activedescendant", `request-${this.#selected}`);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #row(summary: Summary): HTMLElement {
    const { method, path, plant, at, fault, assumption, token } = summary;
    const key = keyOf(summary);
    const [outcome, kind] = outcomeOf(summary);
    const attributes = {
      id: `request-${key}`,
      role: "option",
      "data-key": key,
      "aria-selected": `${key === this.#selected}`,
    };
    const weak = [fault ?? assumption, plant && `${method} ${path}`, token].filter((part) => part !== undefined);
    return h(
      "div",
      attributes,
      h("span", { class: `badge ${kind}` }, outcome),
      h("span", { class: "strong" }, plant === undefined ? `${method} ${path}` : plantWords(plant)),
      h("span", { class: "soft" }, timeOf(at)),
      h("span", { class: "soft about" }, weak.join(" · ")),
    );
  }

  #onKey(event: KeyboardEvent): void {
    const { length } = this.#shown;
    const at = this.#shown.findIndex((summary) => keyOf(summary) === this.#selected);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: length - 1 };
    const step = steps[event.key];
    if (step === undefined || length === 0) return;
    event.preventDefault();
    const key = keyOf(this.#shown[Math.min(length - 1, step)] as Summary);
    this.#select(key);
    byId(`request-${key}`).scrollIntoView({ block: "nearest" });
  }
}

const keyOf = ({ number }: Summary) => `${session()}-${number}`;

function wordsOf(summary: Summary): string {
  const { method, path, plant, token, fault, assumption } = summary;
  const [outcome] = outcomeOf(summary);
  return [outcome, method, path, ...Object.values(plant ?? {}), token, fault, assumption].join(" ").toLowerCase();
}
