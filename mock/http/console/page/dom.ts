import { visible } from "../../visible-text.ts";

type Child = Node | string;

/** Creates an element. Text is never set as HTML, because names and bodies come from outside. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)));
  return element;
}

/** A button whose action may fail. */
export function button(
  text: string,
  attributes: Readonly<Record<string, string>>,
  work: () => Promise<string>,
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", () => act(element, work));
  return element;
}

/**
 * Changes the children of an element into others. A child stays in the document if one with the same `data-key` (or, if
 * it has none, at the same place) is among them: it may have the focus, or be under a pressed mouse button.
 */
export function update(parent: Element, next: readonly Node[]): void {
  const present = [...parent.childNodes].filter((child) => !isNotice(child));
  const shown = new Map(present.map((child, index) => [keyOf(child, index), child]));
  const kept = next.map((child, index) => {
    const same = shown.get(keyOf(child, index));
    if (same !== undefined) updateNode(same, child);
    return same ?? child;
  });
  const keep = new Set(kept);
  for (const child of present) if (!keep.has(child)) child.remove();
  let at = parent.firstChild;
  for (const child of kept) {
    while (isNotice(at)) at = at.nextSibling;
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
}

function updateNode(shown: Node, next: Node): void {
  if (shown.isEqualNode(next)) return;
  if (!(shown instanceof Element && next instanceof Element)) {
    shown.nodeValue = next.nodeValue;
    return;
  }
  for (const { name, value } of next.attributes) shown.setAttribute(name, value);
  update(shown, [...next.childNodes]);
}

const keyOf = (node: Node, index: number) => (node as HTMLElement).dataset?.key ?? `${index} ${node.nodeName}`;

export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

/** The number of the latest action: the outcome of an earlier one is not shown. */
let latest = 0;

/**
 * Runs the action of a button. Its error, or the text that it returns, stands beside the button until the next action.
 */
async function act(source: Element, work: () => Promise<string>): Promise<void> {
  clearNotice();
  const own = latest;
  const notice = await work().then(
    (text) => text && h("p", { class: "notice", role: "status" }, text),
    ({ message }: Error) => h("p", { class: "notice failed", role: "alert" }, message),
  );
  if (notice && own === latest) source.after(notice);
}

/** Removes the outcome of an action, and that of one under way when it arrives. */
export function clearNotice(): void {
  latest++;
  document.querySelector(".notice")?.remove();
}

/** Runs an action when a button of the page is clicked. */
export function onClick(id: string, work: () => Promise<string>): void {
  byId(id).addEventListener("click", () => act(byId(id), work));
}

const isNotice = (node: Node | null): node is Element =>
  (node as Element | null)?.classList?.contains("notice") ?? false;

/** Shows what happens to the page itself, which screen readers announce. */
export function say(text: string): void {
  if (byId("message").textContent !== text) byId("message").textContent = text;
}
