type Child = Node | string;

/** Control characters (except those of lines, and tab), and characters that break lines or change the direction of text. */
export const INVISIBLE = /[^\P{Cc}\n\r\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Escapes such characters as JSON does (`\u202e`), so that a name cannot disguise the text that follows it, and a terminal
 * into which it is pasted does not obey it: after Ctrl-C, it would run the rest.
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

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

export function button(
  text: string,
  attributes: Readonly<Record<string, string>>,
  onClick: () => void,
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/**
 * Changes the children of an element into others. A child stays in the document if one with the same `data-key` (or, if
 * it has none, at the same place) is among them: it may have the focus, or be under a pressed mouse button.
 */
export function update(parent: Element, next: readonly Node[]): void {
  const shown = new Map(Array.from(parent.childNodes, (child, index) => [keyOf(child, index), child]));
  const kept = next.map((child, index) => {
    const same = shown.get(keyOf(child, index));
    if (same !== undefined) updateNode(same, child);
    return same ?? child;
  });
  const keep = new Set(kept);
  for (const child of shown.values()) if (!keep.has(child)) child.remove();
  let at = parent.firstChild;
  for (const child of kept) {
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

/** Shows a status message, which screen readers announce. */
export function say(text: string, isFailure = false): void {
  const message = byId("message");
  if (message.textContent !== text) message.textContent = text;
  message.classList.toggle("failed", isFailure);
}

/** Runs an action, and shows its error if it fails. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say((error as Error).message, true);
  }
}
