import { part } from "./element.ts";

const box = part("logged-in") as HTMLInputElement;

/** The session of the person: without one, the token provider of the page throws, and nothing is sent. */
export const login = {
  get isValid(): boolean {
    return box.checked;
  },
  renew(): void {
    box.checked = true;
    box.dispatchEvent(new Event("change"));
  },
  onChange(callback: () => void): void {
    box.addEventListener("change", callback);
  },
};
