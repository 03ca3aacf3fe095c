"""Runs as a few words in the address of a page."""
