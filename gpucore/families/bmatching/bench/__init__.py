"""Benchmarks of weighted b-matching."""
