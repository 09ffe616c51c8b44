"""Verbs for Prefect: one call each."""
