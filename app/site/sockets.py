"""How the server reaches a page process: through sockets that are files.

A port is chosen by the server and bound by the process some tenths of a second later. Another
program may take it in between, and the page would die at its start.
"""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path
from typing import Any

from jupyter_server.services.kernels.kernelmanager import ServerKernelManager
from traitlets import default

from .forks import ForkProvisioner, Forks

#: Characters of a socket's path: 104 on macOS, 108 on Linux, with the zero at the end.
_LONGEST_PATH = 103

#: Characters that ZeroMQ's path has behind ``ip``: a dash and the number of the socket.
_NUMBER = len("-5")


class PageKernel(ServerKernelManager):
    """Jupyter's manager of one process; its sockets lie beside the connection file.

    Ports are used where a path is too long, and on Windows, where ZeroMQ has no such sockets.
    """

    @default("transport")
    def _choose_transport(self) -> str:
        fits = len(os.fsencode(self._socket_path())) + _NUMBER <= _LONGEST_PATH
        return "ipc" if fits and sys.platform != "win32" else "tcp"

    def _ip_default(self) -> str:
        return self._socket_path() if self.transport == "ipc" else str(super()._ip_default())

    def _socket_path(self) -> str:
        file = Path(self.connection_file)
        # Shorter than the name of the file, which has the whole identifier of the process.
        return str(file.with_name(uuid.uuid5(uuid.NAMESPACE_OID, file.name).hex[:8]))

    async def _async_pre_start_kernel(self, **kwargs: Any) -> tuple[list[str], dict[str, Any]]:
        """Let the process be a copy, where that is possible."""
        forks: Forks | None = getattr(self.parent, "forks", None)
        if forks is not None:
            self.provisioner = ForkProvisioner(
                forks, kernel_id=kwargs["kernel_id"], kernel_spec=self.kernel_spec, parent=self
            )
        return await super()._async_pre_start_kernel(**kwargs)


__all__ = ["PageKernel"]
