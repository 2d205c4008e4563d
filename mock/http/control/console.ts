import { createHash } from "node:crypto";
import { consoleScript } from "./console-script.ts";
import { consoleStyle } from "./console-style.ts";

/** The one page of the console. It holds no data: its script asks the control API, as anybody else would. */
export const consolePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Plant Store Mock</title>
<link rel="icon" href="data:,">
<style>${consoleStyle}</style>
</head>
<body>
<a class="skip" href="#exchanges">Skip to the exchanges</a>
<header>
  <h1>Plant Store Mock</h1>
  <p><code id="address"></code></p>
  <div class="controls">
    <label for="session">Session</label>
    <select id="session"><option>root</option></select>
    <button type="button" id="reset" class="danger">Reset</button>
  </div>
</header>
<p id="message" role="status"></p>
<form id="unlock" class="card" hidden>
  <h2>Control token</h2>
  <p>The mock was started with a control token.</p>
  <label for="control-token">Control token</label>
  <input id="control-token" type="password" autocomplete="off" required>
  <button>Unlock</button>
</form>
<main>
  <div class="forms">
    <form id="create" class="card">
      <h2>Send a plant</h2>
      <label for="plant-id">Id</label>
      <input id="plant-id" inputmode="numeric" autocomplete="off" required value="1" aria-describedby="id-hint">
      <p id="id-hint" class="hint">An integer of up to 64 bits, sent digit for digit.</p>
      <label for="plant-name">Name</label>
      <input id="plant-name" autocomplete="off" value="Monstera deliciosa">
      <label for="plant-tag">Tag <span class="hint">(optional)</span></label>
      <input id="plant-tag" autocomplete="off">
      <label for="token">Bearer token <span class="hint">(empty sends none)</span></label>
      <input id="token" autocomplete="off" spellcheck="false">
      <button class="primary">Send</button>
      <output id="answer" for="plant-id plant-name plant-tag token"></output>
    </form>
    <form id="inject" class="card">
      <h2>Inject a fault</h2>
      <label for="fault">Fault</label>
      <select id="fault">
        <option value="apiError">apiError: 400, error body</option>
        <option value="reply">reply: any status, any body</option>
        <option value="rateLimited">rateLimited: 429 with Retry-After</option>
        <option value="delay">delay: the reply comes later</option>
        <option value="hang">hang: no reply ever comes</option>
        <option value="networkError">networkError: connection reset</option>
        <option value="lostResponse">lostResponse: stored, no reply</option>
        <option value="truncatedBody">truncatedBody: stored, half sent</option>
        <option value="stalledBody">stalledBody: stored, stops half way</option>
      </select>
      <div id="fault-fields"></div>
      <label for="times">Times</label>
      <input id="times" type="number" min="1" value="1" required>
      <button class="primary">Inject</button>
    </form>
  </div>
  <div class="tables">
    <section class="card" aria-labelledby="exchanges-title">
      <h2 id="exchanges-title">Exchanges <span id="request-count" class="hint"></span></h2>
      <div class="scroll" id="exchanges" tabindex="0" role="region" aria-labelledby="exchanges-title">
        <table>
          <thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Plant</th><th scope="col">Token</th>
            <th scope="col">Status</th><th scope="col">Provenance</th><th scope="col">Fault</th><th scope="col">Took</th></tr></thead>
          <tbody id="request-rows"></tbody>
        </table>
        <p class="empty" id="no-requests">Nothing was sent yet.</p>
      </div>
    </section>
    <section class="card" aria-labelledby="plants-title">
      <h2 id="plants-title">Plants <span id="plant-count" class="hint"></span></h2>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="plants-title">
        <table>
          <thead><tr><th scope="col" class="number">Id</th><th scope="col">Name</th><th scope="col">Tag</th></tr></thead>
          <tbody id="plant-rows"></tbody>
        </table>
        <p class="empty" id="no-plants">The store is empty.</p>
      </div>
    </section>
  </div>
</main>
<footer><p>The newest 100 are listed. <a href="/_mock/openapi.json">Control API</a></p></footer>
<script type="module">${consoleScript}</script>
</body>
</html>
`;

/** Headers of the page: it may run its own script and style, talk to its own origin, and nothing else. */
export function consoleHeaders(): readonly string[] {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(consoleScript)}'`,
    `style-src '${digest(consoleStyle)}'`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    ...["Content-Type", "text/html; charset=utf-8"],
    ...["Content-Security-Policy", policy.join("; ")],
    ...["Referrer-Policy", "no-referrer"],
  ];
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
