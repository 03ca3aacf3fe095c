"""What is solved on, one folder a kind: graphs, matrices, preferences, roommates.

A folder declares itself by ``KIND`` in its ``__init__.py`` (:class:`gpucore.problem.ProblemKind`).
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
