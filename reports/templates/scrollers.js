"use strict";
// Lets the keyboard stop at what scrolls in itself and at nothing else: a report has dozens of
// tables, and few are wider than the screen. Without it the keyboard stops at each table.
(() => {
  const settle = (one) => {
    const isScroller =
      one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    if (isScroller) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => settle(target)));
  document.querySelectorAll(".scroll, .chart-frame, pre").forEach((one) => sizes.observe(one));
})();
