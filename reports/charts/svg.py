"""Scalable vector graphics as text: one element builder that escapes, and one linear scale.

Colours are classes (`c0` is the baseline, `c1` the first variant), so that the page's style sheet
decides them for light, dark and print.
"""

import math
from dataclasses import dataclass

from markupsafe import Markup, escape

MARKS = ("circle", "square", "diamond", "triangle")


def element(tag: str, *children: str, **attributes: object) -> Markup:
    """Build one element; text is escaped unless it is markup already.

    Example: `element("text", "a<b", text_anchor="end")` is
    `<text text-anchor="end">a&lt;b</text>`.
    """
    named = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), _attribute(value))
        for name, value in attributes.items()
    )
    inner = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(tag, named, inner)


def _attribute(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def drawing(width: float, height: float, label: str, *children: str) -> Markup:
    """Wrap elements in a drawing that scales with its container and is read aloud as `label`."""
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=label,
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Draw a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def text(x: float, y: float, words: str, anchor: str = "start", class_: str = "") -> Markup:
    """Write words; anchor is start, middle or end."""
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=class_)


def mark(x: float, y: float, colour: int, tip: str) -> Markup:
    """Draw a variant's mark: colour and shape both tell variants apart."""
    shape = MARKS[colour % len(MARKS)]
    points = {
        "circle": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
        "square": "M-4-4h8v8h-8z",
        "diamond": "M0-5.5L5.5 0L0 5.5L-5.5 0z",
        "triangle": "M0-5L5.2 4H-5.2z",
    }[shape]
    title = element("title", tip)
    move = f"translate({x:.1f} {y:.1f})"
    return element("path", title, d=points, transform=move, class_=f"mark c{colour}")


@dataclass(frozen=True, slots=True)
class Scale:
    """Values of a domain -> pixels of a range."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value, held inside the range."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def ticks(self, aim: int = 4) -> list[float]:
        """Return round values inside the domain, about `aim` of them."""
        step = nice_step((self.high - self.low) / aim)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [index * step for index in range(first, last + 1)]


def nice_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least as large as `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def swatch(colour: int) -> Markup:
    """Draw a variant's mark alone, to stand before its name."""
    return element(
        "svg",
        mark(6.0, 6.0, colour, ""),
        viewBox="0 0 12 12",
        class_="swatch",
        aria_hidden="true",
    )
