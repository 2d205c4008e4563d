import type { Summary } from "./api.ts";
import { byId, h, update } from "./dom.ts";
import { matchesStatus, outcomeOf } from "./status.ts";
import { timeOf } from "./text.ts";

const ROW_PX = 56;
const SPARE_ROWS = 8;
const MAX_ROWS = 20_000;

/** The list of requests, newest first. Only the visible rows are elements, so that a long list stays fast. */
export class ExchangeList {
  readonly #all = new Map<string, Summary>();
  readonly #onSelect: (selected: Summary | undefined) => void;
  readonly #box = byId("exchanges");
  readonly #rows = byId("exchange-rows");
  #shown: Summary[] = [];
  #selected: string | undefined;
  #isDue = false;

  constructor(onSelect: (selected: Summary | undefined) => void) {
    this.#onSelect = onSelect;
    this.#box.addEventListener("scroll", () => this.#draw());
    this.#box.addEventListener("keydown", (event) => this.#onKey(event));
    const selectAt = ({ target }: Event) => {
      const key = (target as Element).closest<HTMLElement>('[role="option"]')?.dataset.key;
      if (key !== undefined && key !== this.#selected) this.#select(key);
      return key;
    };
    // As in a native list box, because the row may move before the button is released.
    this.#rows.addEventListener("mousedown", (event) => {
      if (event.button === 0) selectAt(event);
    });
    this.#rows.addEventListener("click", (event) => {
      if (selectAt(event) === undefined) return;
      // On a narrow screen the details are below the list.
      if (matchMedia("(max-width: 44rem)").matches) byId("details-title").scrollIntoView();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#box);
    for (const id of ["filter-status", "filter-text"]) byId(id).addEventListener("input", () => this.#refresh());
  }

  /** Forgets the requests of some sessions, or all of them. */
  clear(sessions?: Iterable<string>): void {
    const cleared = sessions && new Set(sessions);
    for (const [key, { session }] of this.#all) if (cleared?.has(session) ?? true) this.#all.delete(key);
    if (this.#selected !== undefined && !this.#all.has(this.#selected)) this.#select(undefined);
    this.#refresh();
  }

  /** Adds or updates requests. It forgets the oldest above a limit, so that a page that is open for days stays fast. */
  add(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      const key = keyOf(summary);
      this.#all.set(key, summary);
      if (key === this.#selected) this.#onSelect(summary);
    }
    const tooMany = Math.max(0, this.#all.size - MAX_ROWS);
    for (const key of [...this.#all.keys()].slice(0, tooMany)) this.#all.delete(key);
    this.#refresh();
  }

  #select(key: string | undefined): void {
    this.#selected = key;
    this.#onSelect(key === undefined ? undefined : this.#all.get(key));
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
      .sort((a, b) => b.sequence - a.sequence);
    const all = this.#all.size;
    byId("exchange-count").textContent = this.#shown.length === all ? `${all}` : `${this.#shown.length} of ${all}`;
    byId("no-exchanges").hidden = this.#shown.length > 0;
    byId("no-exchanges").textContent = all === 0 ? "No request has arrived yet." : "No request matches the filters.";
  }

  #draw(): void {
    const first = Math.max(0, Math.floor(this.#box.scrollTop / ROW_PX) - SPARE_ROWS);
    const last = Math.ceil((this.#box.scrollTop + this.#box.clientHeight) / ROW_PX) + SPARE_ROWS;
    this.#rows.style.height = `${this.#shown.length * ROW_PX}px`;
    update(
      this.#rows,
      this.#shown.slice(first, last).map((summary, index) => this.#row(summary, first + index)),
    );
    for (const [index, row] of [...this.#rows.children].entries()) {
      (row as HTMLElement).style.transform = `translateY(${(first + index) * ROW_PX}px)`;
    }
    const isVisible = this.#rows.querySelector('[aria-selected="true"]') !== null;
    if (isVisible) this.#box.setAttribute("aria-activedescendant", `exchange-${this.#selected}`);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #row(summary: Summary, index: number): HTMLElement {
    const { method, path, plant, at, fault, assumption, token } = summary;
    const key = keyOf(summary);
    const [text, kind] = outcomeOf(summary);
    const attributes = {
      id: `exchange-${key}`,
      role: "option",
      "data-key": key,
      "aria-selected": `${key === this.#selected}`,
      "aria-setsize": `${this.#shown.length}`,
      "aria-posinset": `${index + 1}`,
    };
    const about = [
      plant === undefined ? "" : `${plant.id} ${plant.name}`,
      fault?.type ?? assumption ?? "",
      token ?? "",
    ];
    return h(
      "div",
      attributes,
      h("span", { class: `badge ${kind}` }, text),
      h("span", { class: "line" }, `${method} ${path}`),
      h("span", { class: "soft" }, timeOf(at)),
      h("span", { class: "soft about" }, about.filter((part) => part !== "").join(" · ")),
    );
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#box.clientHeight / ROW_PX) - 1);
    const { length } = this.#shown;
    const at = this.#shown.findIndex((summary) => keyOf(summary) === this.#selected);
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
    this.#select(keyOf(this.#shown[next] as Summary));
  }

  #scrollTo(index: number): void {
    const top = index * ROW_PX;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) this.#box.scrollTop = top + ROW_PX - clientHeight;
  }
}

const keyOf = ({ session, number }: Summary) => `${session}-${number}`;

function wordsOf({ method, path, plant, status, token, fault, assumption }: Summary): string {
  return [method, path, plant?.id, plant?.name, plant?.tag, status, token, fault?.type, assumption]
    .join(" ")
    .toLowerCase();
}
