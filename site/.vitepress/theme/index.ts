import { inBrowser } from "vitepress";

export { default } from "vitepress/theme-without-fonts";

import "./style.css"; // After the styles of the theme, whose variables it sets.

/** A Run button shows the output of its program, which ends with an empty message. */
function run({ target: button }: MouseEvent): void {
  if (!(button instanceof HTMLButtonElement && button.matches(".run button"))) return;
  const output = button.nextElementSibling as HTMLOutputElement;
  const worker = new Worker(button.value, { type: "module" });
  const end = (message: string) => {
    worker.terminate();
    output.append(message);
    button.disabled = false;
  };
  output.value = "";
  button.disabled = true;
  worker.onmessage = ({ data }) => (data === undefined ? end("") : output.append(`${data}\n`));
  worker.onerror = ({ message }) => end(message || "The program could not be loaded.");
}

if (inBrowser) document.addEventListener("click", run);
