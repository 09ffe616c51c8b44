"""Artifacts, evidence and channels on the disk: whole or absent, named by content."""
