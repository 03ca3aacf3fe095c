"""Kinds of problems, one folder each: graphs, matrices, preferences, roommates, ratings.

A folder declares itself by ``KIND`` in its ``__init__.py`` (:class:`gpucore.problem.ProblemKind`).
"""

from gpucore.declarations import on_path

__path__ = on_path(__path__, "gpucore", "problems")
