import { inBrowser } from "vitepress";

export { default } from "vitepress/theme-without-fonts";

import "./style.css"; // After the styles of the theme, whose variables it sets.

/**
 * A Run button shows the output of its program, which ends with an empty message. While the program runs, the button
 * keeps the focus and does nothing.
 */
function run({ target: button }: MouseEvent): void {
  if (!(button instanceof HTMLButtonElement && button.matches(".run button:not([aria-disabled])"))) return;
  const output = button.nextElementSibling as HTMLOutputElement;
  const worker = new Worker(button.value, { type: "module" });
  let printed = "";
  const show = (note = "") => {
    output.value = printed + note;
  };
  const waiting = setTimeout(() => show("running …"), 1000);
  const end = (message: string) => {
    clearTimeout(waiting);
    worker.terminate();
    printed += message;
    show(printed === "" ? "finished, no output" : "");
    button.removeAttribute("aria-disabled");
  };
  output.value = "";
  button.setAttribute("aria-disabled", "true");
  worker.onmessage = ({ data }) => {
    if (data === undefined) return end("");
    printed += `${data}\n`;
    show();
  };
  worker.onerror = ({ message }) => end(message || "The program could not be loaded.");
}

if (inBrowser) document.addEventListener("click", run);
