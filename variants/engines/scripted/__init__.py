"""A deterministic endpoint that stands in for an engine: what it is told to do is the right answer.

It serves known-answer tests of our own instruments. It computes nothing; a number taken from it is
never evidence about a model.
"""
