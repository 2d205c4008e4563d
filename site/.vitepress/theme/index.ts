import { inBrowser } from "vitepress";
import theme from "vitepress/theme-without-fonts";
// After the styles of the theme, whose variables it sets.
import "./style.css";

export default theme;

/** A Run button shows the output of its program, which ends with an empty message. */
function run(button: HTMLButtonElement, output: Element): void {
  output.textContent = "";
  button.disabled = true;
  const worker = new Worker(button.value, { type: "module" });
  const end = (message: string) => {
    worker.terminate();
    output.append(message || (output.textContent ? "" : "It ran, and printed nothing."));
    button.disabled = false;
  };
  worker.onmessage = ({ data }) => (data === undefined ? end("") : output.append(`${data}\n`));
  worker.onerror = ({ message }) => end(message || "The program could not be loaded.");
}

if (inBrowser) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>(".run button") : null;
    if (button?.nextElementSibling) run(button, button.nextElementSibling);
  });
}
