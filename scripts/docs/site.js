// What scrolls sideways can be scrolled by keyboard too.
function makeScrollable() {
  for (const box of document.querySelectorAll(".tsd-typography :is(table, pre), .hero pre, .tsd-signature")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

new ResizeObserver(makeScrollable).observe(document.body);

// On a phone, the style sheet shows these tables as lists, each cell below the name of its column.
for (const table of document.querySelectorAll(".tsd-typography table")) {
  const columns = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent);
  if (columns.length < 3 || columns.length > 4) continue;
  table.classList.add("rows");
  for (const { cells } of table.tBodies[0].rows) {
    for (const cell of cells) cell.dataset.column = columns[cell.cellIndex];
  }
}
