"""Graphs that ranks load in parts: from generators, slabs, and ranges of Matrix Market files."""
