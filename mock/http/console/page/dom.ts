type Child = Node | string;

/** Makes an element. Everything shown is set as text, never as HTML: names and bodies come from outside. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** A button with what it does. */
export function button(
  text: string,
  attributes: Readonly<Record<string, string>>,
  onClick: () => void,
): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/** The element of the page with this id. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

/** Tells the reader, and the screen reader, what happened. */
export function say(text: string, isFailure = false): void {
  const message = byId("message");
  if (message.textContent !== text) message.textContent = text;
  message.classList.toggle("failed", isFailure);
}

/** Does something that may fail, and says so if it does. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(error instanceof TypeError ? "The mock does not respond." : (error as Error).message, true);
  }
}
