"""Pseudo-code, kernel sources and the profile lens."""
