"""Find the CuPy version that fits the NVIDIA driver of this machine."""

from __future__ import annotations

import re
import subprocess


def cuda_extra(nvidia_smi: str) -> str | None:
    """Return the extra ("cuda12", "cuda13") for the driver's CUDA version, or None.

    Parameters
    ----------
    nvidia_smi : str
        Path of the driver's own tool.
    """
    try:
        shown = subprocess.run(
            [nvidia_smi], capture_output=True, text=True, timeout=60, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return extra_for(shown)


def extra_for(shown: str) -> str | None:
    """Return the extra for what ``nvidia-smi`` shows; newer CUDA versions run older binaries.

    >>> extra_for("| NVIDIA-SMI 580.65   Driver Version: 580.65   CUDA Version: 13.0 |")
    'cuda13'
    """
    match = re.search(r"CUDA Version:\s*(\d+)", shown)
    if match is None or int(match[1]) < 12:
        return None
    return "cuda12" if int(match[1]) == 12 else "cuda13"
