"""Layouts: the positions of vertices."""
