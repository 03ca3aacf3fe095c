"""The limits of one page: sizes, memory and times that a visitor may use.

The server passes the limits to its page processes in one environment variable, because a process of
the pool starts long before a visitor opens its page.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from gpucore.errors import ParameterError
from gpucore.params import is_whole

#: Environment variable in which the server passes its limits to the page processes.
VARIABLE = "WARPLENS_LIMITS"

#: Environment variable: whether pages offer to lead a live class.
CLASSROOM = "WARPLENS_CLASSROOM"

MEBIBYTE = 1 << 20


def may_teach() -> bool:
    """Return whether pages of this server offer to lead a live class."""
    return os.environ.get(CLASSROOM) == "1"


@dataclass(frozen=True)
class PageLimits:
    """Limits of one page.

    Attributes
    ----------
    upload_bytes : int
        Largest file that can be uploaded; the server's websocket takes this much and little more.
    vertices, edges : int
        Largest graph a page loads, generates or runs on.
    graph_bytes : int
        Peak memory for reading one graph.
    draw_vertices, draw_edges : int
        Largest graph drawn as vertices and edges; a larger one is drawn as cells, one a vertex.
    record_edges : int
        Largest graph recorded event by event; larger ones are recorded as counters.
    record_bytes : int
        Memory one record may take on the device.
    payload_bytes : int
        Largest message to the browser; a longer record is charted but not played.
    run_seconds : int
        Longest run, with layout and certificate.
    profile_edges, profile_seconds : int
        Largest graph whose kernels are profiled, and the longest profile: every access to memory is
        observed.
    process_bytes : int
        Memory a page process may take in all, its libraries and addresses included; also its
        largest file.
    process_seconds : int
        Processor time a page process may use in all.
    """

    upload_bytes: int = 32 * MEBIBYTE
    vertices: int = 500_000
    edges: int = 2_000_000
    graph_bytes: int = 512 * MEBIBYTE
    draw_vertices: int = 10_000
    draw_edges: int = 40_000
    record_edges: int = 100_000
    record_bytes: int = 64 * MEBIBYTE
    payload_bytes: int = 40 * MEBIBYTE
    run_seconds: int = 120
    profile_edges: int = 200_000
    profile_seconds: int = 60
    process_bytes: int = 2048 * MEBIBYTE
    process_seconds: int = 3600

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not is_whole(value) or value <= 0:
                raise ParameterError(
                    f"the limit {field.name} must be a whole number above 0, not {value!r}"
                )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> PageLimits:
        """Return the limits the server set, or the defaults outside a server.

        Raises
        ------
        ParameterError
            The variable does not hold known limits.
        """
        text = (os.environ if environment is None else environment).get(VARIABLE, "{}")
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError) as error:
            raise ParameterError(
                f"the environment variable {VARIABLE} does not hold limits: {error}"
            ) from None

    def to_environment(self) -> dict[str, str]:
        """Return the environment variable that :meth:`from_environment` reads."""
        return {VARIABLE: json.dumps(dataclasses.asdict(self))}
