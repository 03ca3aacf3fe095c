"""Benchmarks of this family, their plots and tables, and the figures of its paper."""
