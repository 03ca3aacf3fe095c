"""The devices of a page, and the schedules of the host executor."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any


@dataclass(frozen=True)
class Policy:
    """A rule by which the host executor chooses the warp that runs next.

    Attributes
    ----------
    label : str
        Its name on the page.
    options : mapping
        Further options of :class:`gpucore.device.host.HostDevice`.
    """

    label: str
    options: Mapping[str, Any] = field(default_factory=dict)


#: The policies that every page offers, the default first. A GPU may switch to another warp at any
#: instruction, so the random policy may switch at any atomic operation.
POLICIES: dict[str, Policy] = {
    "random": Policy("At random", {"yield_atomic": 0.25}),
    "round_robin": Policy("In turns"),
    "sequential": Policy("One after the other"),
}

#: The options of a drop-down.
POLICY_LABELS = [(policy.label, name) for name, policy in POLICIES.items()]

#: The options by which links and results name a schedule.
SCHEDULE = ("policy", "seed")


def host_options(policy: str, seed: int) -> dict[str, Any]:
    """Return the options of the host executor for a schedule, the same on every page."""
    return {"policy": policy, "seed": seed, **POLICIES[policy].options}


def gpu_present() -> bool:
    """Return whether a GPU can be offered, without starting it.

    A page process waits in the pool; it must hold no CUDA context and no CuPy.
    """
    if find_spec("cupy") is None:
        return False
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        return True
    return False
