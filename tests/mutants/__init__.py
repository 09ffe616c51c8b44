"""Variants whose truth is known, taken end to end: `make mutants`."""
