"""Variants that were refused or stopped early, with the engine's own words."""

from reports.blocks import Block, Missing, Section, Verbatim
from reports.view import VariantView, View


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = tuple(block for variant in view.variants for block in _words(variant))
    return found or (Missing("No variant was refused or stopped at an early look."),)


def _words(variant: VariantView) -> tuple[Block, ...]:
    return tuple(
        Verbatim(f"{variant.name} was stopped at {stop.stage} ({stop.name})", stop.reason)
        for stop in variant.stops
    )


SECTION = Section("stopped", "Refused and stopped", build)
