"use strict";
// Says what a mark of a chart stands for when it is pointed at or tapped, and the exact value of a
// number that is tapped (a mouse has its title). Without it the page holds the same: every number
// of a chart stands in a table.
(() => {
  // CSS pixels: marks are small, fingers are not.
  const AROUND = [[0, 0], [0, -7], [7, 0], [0, 7], [-7, 0]];
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);
  const hide = () => { tip.hidden = true; };
  const markNear = (x, y) => {
    for (const [right, down] of AROUND) {
      const mark = document.elementFromPoint(x + right, y + down)?.closest("[data-tip]");
      if (mark) return mark;
    }
    return null;
  };
  const saidAt = ({ target, clientX, clientY, pointerType }) => {
    if (!(target instanceof Element)) return "";
    if (target.closest(".chart-frame")) return markNear(clientX, clientY)?.dataset.tip;
    return pointerType === "mouse" ? "" : target.closest("[title]")?.title;
  };
  const show = (event) => {
    const said = saidAt(event);
    tip.hidden = !said;
    if (!said) return;
    tip.textContent = said;
    const left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8);
    const above = event.clientY - tip.offsetHeight - 12;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${above < 8 ? event.clientY + 20 : above}px`;
  };
  addEventListener("pointermove", show, { passive: true });
  addEventListener("pointerdown", show, { passive: true });
  addEventListener("scroll", hide, { passive: true, capture: true }); // in a frame too
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.documentElement.addEventListener("mouseleave", hide);
})();
