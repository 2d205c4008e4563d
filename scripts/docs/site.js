// What scrolls sideways can be scrolled by keyboard too.
function makeScrollable() {
  for (const box of document.querySelectorAll(".tsd-typography :is(table, pre), .hero pre, .tsd-signature")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

new ResizeObserver(makeScrollable).observe(document.body);
