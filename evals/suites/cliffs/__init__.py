"""Cliffs: the same items under rising numbers of tools, turns, tokens and requests in flight."""

from evals.suites.cliffs.axis import Axis, base_of, item_id
from evals.suites.cliffs.break_point import Curve, Standing, curve_of
from evals.suites.cliffs.comparing import Comparison, compare

__all__ = ["Axis", "Comparison", "Curve", "Standing", "base_of", "compare", "curve_of", "item_id"]
