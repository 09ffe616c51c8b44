"""One horizontal bar per table row: stacked parts, and a tick for a value to compare with."""

from dataclasses import dataclass

from markupsafe import Markup

from reports.charts import svg

WIDTH, HEIGHT = 260, 22


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bar, from solid (0) to light (2)."""

    label: str
    value: float
    shade: int = 0


def bar_row(parts: tuple[Part, ...], colour: int, top: float, tick: Part | None = None) -> Markup:
    """Draw the parts end to end on an axis from 0 to `top`."""
    scale = svg.Scale(0, top, 0, WIDTH - 2)
    drawn, start = [], 0.0
    for part in parts:
        drawn.append(
            svg.element(
                "rect",
                svg.element("title", part.label),
                x=scale(start),
                y=4,
                width=max(1.0, scale(start + part.value) - scale(start)),
                height=HEIGHT - 8,
                class_=f"bar shade{part.shade} c{colour}",
            )
        )
        start += part.value
    if tick is not None:
        x = scale(tick.value)
        title = svg.element("title", tick.label)
        drawn.append(svg.element("line", title, x1=x, y1=0, x2=x, y2=HEIGHT, class_="predicted"))
    label = "; ".join(part.label for part in (*parts, *([tick] if tick else [])))
    return svg.drawing(WIDTH, HEIGHT, label, *drawn)
