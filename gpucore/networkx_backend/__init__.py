"""The NetworkX backend ``warplens``: NetworkX's own functions, answered by our algorithms.

``nx.community.louvain_communities(G, backend="warplens")`` converts the graph, runs Louvain on the
GPU, or natively on the processor where there is none, and certifies the answer. Families declare
the functions that they can answer (:attr:`gpucore.family.Family.networkx`). NetworkX imports this
module whenever it is imported itself, so nothing heavy is imported before a call.

Three parameters are ours, for every function that runs an algorithm: ``device`` ("auto", "cuda" or
"cpu"), ``certify`` (True), and ``record``, the path of an ``.npz`` file to which the run is written
event by event. A recorded run is one of the kernels, on the host executor if there is no GPU.
"""

from __future__ import annotations

from typing import Any

from gpucore.networkx_backend.interface import NAME, Backend

backend = Backend()


def get_info() -> dict[str, Any]:
    """Return what NetworkX shows of the backend: functions, with our own parameters."""
    return {
        "backend_name": NAME,
        "project": NAME,
        "package": "gpucore",
        "short_summary": "GPU graph algorithms with certificates and records.",
        "functions": {name: backend.about(name) for name in backend.references()},
    }
