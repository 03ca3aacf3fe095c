"""The kernel specification of page processes."""

from __future__ import annotations

import sys

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpec, KernelSpecManager

#: The module that a page process runs.
_PROGRAM = f"{__package__}.page_process"


class OwnKernelSpecManager(KernelSpecManager):
    """Knows one kernel specification: our program, run by the Python that runs the server.

    A specification called ``python3`` in the user's own Jupyter directories usually belongs to
    another environment, where Warplens is not installed.
    """

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the native specification only."""
        from ipykernel.kernelspec import RESOURCES

        return {NATIVE_KERNEL_NAME: RESOURCES}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the specification; there is only one."""
        from ipykernel.kernelspec import get_kernel_dict

        # -P: the working directory is not searched for modules.
        argv = [sys.executable, "-P", "-m", _PROGRAM, "-f", "{connection_file}"]
        return KernelSpec(**{**get_kernel_dict(), "argv": argv})
