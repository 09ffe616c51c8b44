"""Offline checks of an artifact: is it whole, and what its label says?"""
