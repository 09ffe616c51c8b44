"""Predictions made before anything is measured."""
