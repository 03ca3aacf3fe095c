"""Whole programs, each in a process of its own, and folders of them."""
