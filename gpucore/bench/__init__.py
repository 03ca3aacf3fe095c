"""Benchmarks: experiments, the harness that runs them, performance profiles and reports.

Each family declares a :class:`~gpucore.bench.suite.Suite`; ``warplens bench FAMILY`` runs it.
"""
