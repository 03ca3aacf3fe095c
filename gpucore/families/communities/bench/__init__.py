"""Benchmarks of the family."""
