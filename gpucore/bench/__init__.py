"""Measuring: experiments, the harness that runs them, performance profiles and reports.

Each family has one module here with its ``SUITE`` (see :mod:`gpucore.bench.suite`);
``warpscope bench FAMILY`` runs it.
"""
