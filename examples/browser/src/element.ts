/** Makes an element: `element("p", { className: "hint" }, "text")`. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(label: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", onclick }, label);
}

/** Shows content in a part of the page, unless it is there already: a screen reader would say it again. */
export function update(id: string, content: Node): void {
  const next = element("div", {}, content);
  if (part(id).innerHTML !== next.innerHTML) part(id).replaceChildren(...next.childNodes);
}

/** A part of the page, by its id. */
export function part(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}
