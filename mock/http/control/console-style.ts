/** The looks of the console, light and dark, from phone to desk. */
export const consoleStyle = `
:root {
  color-scheme: light dark;
  --page: #f4f6f3; --card: #fff; --text: #1b241c; --soft: #556057; --line: #d5dcd4; --accent: #1d6b3a; --on-accent: #fff;
  --ok: #17602f; --refused: #8a4b00; --failed: #a3201f; --focus: #0a5cc2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111612; --card: #1a211b; --text: #e5ece5; --soft: #a0ada1; --line: #344036; --accent: #6fcf8f; --on-accent: #0d1a11;
    --ok: #7fdc9d; --refused: #f0b45c; --failed: #ff9089; --focus: #7db5ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main, footer, #message, #unlock { max-width: 84rem; margin-inline: auto; padding-inline: 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; padding-block: 1rem .5rem; }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .75rem; }
p { margin: 0; }
code, .mono { font-family: ui-monospace, monospace; font-size: .92em; }
.hint, .empty, footer { color: var(--soft); font-size: .87rem; font-weight: normal; }
.empty { padding: .75rem 0; }
.controls { display: flex; align-items: center; gap: .5rem; margin-left: auto; }
#message { min-height: 1.5rem; }
#message.failed { color: var(--failed); font-weight: 600; }
main { display: grid; grid-template-columns: 21rem minmax(0, 1fr); gap: 1.25rem; padding-block: .5rem 1rem; align-items: start; }
.forms, .tables { display: grid; gap: 1.25rem; min-width: 0; }
.card { min-width: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem 1.25rem; }
#unlock.card { padding: 1rem 1.25rem; }
form label { display: block; margin: .6rem 0 .2rem; font-weight: 600; }
input, select, textarea, button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem; background: var(--page); }
form input, form select, form textarea { width: 100%; }
input, select, textarea { border-color: var(--soft); }
button { cursor: pointer; font-weight: 600; border-color: var(--soft); }
form button { margin-top: 1rem; }
button.primary { width: 100%; background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.danger { color: var(--failed); border-color: currentColor; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
output { display: block; margin-top: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .87rem; }
output:empty { display: none; }
.scroll { overflow: auto; max-height: 34rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .82rem; color: var(--soft); white-space: nowrap; position: sticky; top: 0; background: var(--card); }
td:last-child, th:last-child { padding-right: 0; }
td.cut { min-width: 12.4rem; max-width: 20rem; overflow-wrap: anywhere; }
td.request { overflow-wrap: anywhere; }
td .hint { display: block; white-space: normal; grid-column: 2; }
form .hint { display: inline; } form p.hint { display: block; margin-top: .25rem; }
td.still { white-space: nowrap; }
.number { font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: 0 .45rem; border: 1px solid currentColor; border-radius: 999px; font-size: .8rem; white-space: nowrap; }
.ok { color: var(--ok); } .refused { color: var(--refused); } .failed { color: var(--failed); } .open { color: var(--soft); }
summary { cursor: pointer; white-space: nowrap; }
pre { margin: .4rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .82rem; max-width: 26rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; z-index: 1; }
footer { padding-block: 0 1.5rem; }
a { color: inherit; }
@media (max-width: 56rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  header, main, footer, #message, #unlock { padding-inline: .75rem; }
  .controls { margin-left: 0; width: 100%; }
  .controls select { flex: 1; min-width: 0; }
  .card { padding: .85rem .9rem 1rem; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  th { position: static; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem; max-width: none; justify-items: start; }
  td.cut, td.request { min-width: 0; max-width: none; }
  td::before { content: attr(data-label); color: var(--soft); font-size: .82rem; }
  td.blank { display: none; }
}
`;
