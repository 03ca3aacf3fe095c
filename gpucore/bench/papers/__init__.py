"""Figures of papers: what a paper drew and printed, and the same from our measurements.

A family declares its papers' figures (``Family.figures``); ``warplens figures`` measures what they
need, evaluates them to JSON and draws them.
"""
