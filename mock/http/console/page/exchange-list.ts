import type { Summary } from "./api.ts";
import { byId, h } from "./dom.ts";
import { matchesStatus, outcomeOf } from "./status.ts";
import { timeOf } from "./text.ts";

const ROW_PX = 56;
const SPARE_ROWS = 8;

/** The list of requests, newest first. Only the visible rows exist, so that a long list is as fast as a short one. */
export class ExchangeList {
  readonly #all = new Map<number, Summary>();
  readonly #onSelect: (number: number | undefined) => void;
  readonly #box = byId("exchanges");
  readonly #rows = byId("exchange-rows");
  #shown: Summary[] = [];
  #selected: number | undefined;
  #isDue = false;

  constructor(onSelect: (number: number | undefined) => void) {
    this.#onSelect = onSelect;
    this.#box.addEventListener("scroll", () => this.#draw());
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    this.#rows.addEventListener("click", ({ target }) => {
      const number = (target as Element).closest<HTMLElement>("[data-number]")?.dataset.number;
      if (number === undefined) return;
      this.select(Number(number));
      // On a phone the request is shown below the list.
      if (matchMedia("(max-width: 44rem)").matches) byId("details-title").scrollIntoView();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#box);
    for (const id of ["filter-status", "filter-text"]) byId(id).addEventListener("input", () => this.#refresh());
  }

  clear(): void {
    this.#all.clear();
    this.select(undefined);
    this.#refresh();
  }

  add(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      this.#all.set(summary.number, summary);
      if (summary.number === this.#selected) this.#onSelect(summary.number);
    }
    this.#refresh();
  }

  select(number: number | undefined): void {
    this.#selected = number;
    this.#onSelect(number);
    this.#draw();
  }

  /** Updates the list at most once per frame, however many requests arrive. */
  #refresh(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#filter();
      this.#draw();
    });
  }

  #filter(): void {
    const status = byId<HTMLSelectElement>("filter-status").value;
    const text = byId<HTMLInputElement>("filter-text").value.trim().toLowerCase();
    this.#shown = [...this.#all.values()]
      .filter((summary) => matchesStatus(summary, status) && (text === "" || wordsOf(summary).includes(text)))
      .reverse();
    const all = this.#all.size;
    byId("exchange-count").textContent = this.#shown.length === all ? `${all}` : `${this.#shown.length} of ${all}`;
    byId("no-exchanges").hidden = this.#shown.length > 0;
    byId("no-exchanges").textContent = all === 0 ? "No request has arrived yet." : "No request matches the filters.";
  }

  #draw(): void {
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW_PX) - SPARE_ROWS);
    const last = Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / ROW_PX) + SPARE_ROWS;
    this.#rows.style.height = `${this.#shown.length * ROW_PX}px`;
    this.#rows.replaceChildren(
      ...this.#shown.slice(first, last).map((summary, index) => this.#row(summary, first + index)),
    );
    const isInSight = this.#rows.querySelector('[aria-selected="true"]') !== null;
    if (isInSight) this.#box.setAttribute("aria-activedescendant", `exchange-${this.#selected}`);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #row(summary: Summary, index: number): HTMLElement {
    const { number, method, path, plant, at, fault, assumption, token } = summary;
    const [text, kind] = outcomeOf(summary);
    const attributes = {
      id: `exchange-${number}`,
      role: "option",
      "data-number": `${number}`,
      "aria-selected": `${number === this.#selected}`,
      "aria-setsize": `${this.#shown.length}`,
      "aria-posinset": `${index + 1}`,
    };
    const about = [
      plant === undefined ? "" : `${plant.id} ${plant.name}`,
      fault?.type ?? assumption ?? "",
      token ?? "",
    ];
    const row = h(
      "div",
      attributes,
      h("span", { class: `badge ${kind}` }, text),
      h("span", { class: "line" }, `${method} ${path}`),
      h("span", { class: "time" }, timeOf(at)),
      h("span", { class: "about" }, about.filter((part) => part !== "").join(" · ")),
    );
    row.style.transform = `translateY(${index * ROW_PX}px)`;
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW_PX) - 1);
    const { length } = this.#shown;
    const at = this.#shown.findIndex(({ number }) => number === this.#selected);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(0, at - 1),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: length - 1,
    };
    const step = steps[event.key];
    if (step === undefined || length === 0) return;
    event.preventDefault();
    const next = Math.min(length - 1, Math.max(0, step));
    this.#scrollTo(next);
    this.select((this.#shown[next] as Summary).number);
  }

  #scrollTo(index: number): void {
    const top = index * ROW_PX;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) this.#box.scrollTop = top + ROW_PX - clientHeight;
  }
}

function wordsOf({ method, path, plant, status, token, fault, assumption }: Summary): string {
  return [method, path, plant?.id, plant?.name, plant?.tag, status, token, fault?.type, assumption]
    .join(" ")
    .toLowerCase();
}
