"""The families, one folder each: algorithms, kernels, methods, records, certificate, benchmarks.

A folder declares itself by ``FAMILY`` in its ``__init__.py`` (:class:`gpucore.family.Family`) and
is found by that; nothing else knows it. A folder ``gpucore/families/NAME`` on another entry of
``sys.path`` is a family too.
"""

from gpucore.declarations import on_path

__path__ = on_path(__path__, "gpucore", "families")
