import { type FaultRow, faultTable } from "../../service/faults/fault-table.ts";
import { css, html, script } from "./page-files.ts";

export interface ConsoleFile {
  readonly headers: readonly string[];
  readonly body: string;
}

/** The page may only load its own script and style sheet, and call its own origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The files by their path below `/_mock`. They contain no data of the mock: the script gets it with control calls. */
export const consoleFiles: Readonly<Record<string, ConsoleFile>> = {
  "/": {
    headers: [
      ...["Content-Type", "text/html; charset=utf-8"],
      ...["Content-Security-Policy", POLICY],
      ...["Referrer-Policy", "no-referrer"],
    ],
    body: html.replace("<!-- faults -->", faultOptions),
  },
  "/console.css": { headers: ["Content-Type", "text/css; charset=utf-8"], body: css },
  "/console.js": { headers: ["Content-Type", "text/javascript; charset=utf-8"], body: script },
};

/** An option of the page for each fault, with the body of the call that injects it. */
function faultOptions(): string {
  const reproducible = Object.entries<FaultRow>(faultTable).filter(([, { isInMemoryOnly }]) => !isInMemoryOnly);
  const options = reproducible.map(([type, { title, description, template }]) => {
    const body = JSON.stringify({ fault: template, times: 1 }, null, 2);
    const about = description.replaceAll("`", "");
    return `<option value="${type}" data-about="${about}" data-body="${body.replaceAll('"', "&quot;")}">${title.replace(/^./, (first) => first.toUpperCase())}</option>`;
  });
  return options.join("");
}
