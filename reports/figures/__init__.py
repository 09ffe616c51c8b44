"""Figures read off evidence: each by a rule of its own, none of them decides."""
