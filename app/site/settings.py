"""The options of the server, and what Voila and Jupyter make of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from traitlets.config import Config

from ..classroom.rooms import STUDENTS_OF_ADDRESS
from ..limits import MEBIBYTE, PageLimits
from . import assets
from .kernel_pool import PageKernelManager
from .kernel_spec import OwnKernelSpecManager
from .places import Places
from .sockets import PageKernel

#: The only extensions of the front end our pages use; others are not sent to the browser.
EXTENSIONS = [
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "@bokeh/jupyter_bokeh",
    "anywidget",
]


@dataclass(frozen=True)
class Settings:
    """The options of ``warplens serve``; times are in seconds.

    Where the number of pages of one visitor or address is 0, it is half or three quarters of all.
    ``seconds_per_visitor`` is the processor time of one visitor in an hour, see :mod:`.priority`.
    """

    pool: int = 3
    max_pages: int = 16
    disconnected_timeout: int = 120
    connected_timeout: int = 7200
    token: str = ""
    allowed_hosts: tuple[str, ...] = ()
    base_url: str = "/"
    embedders: tuple[str, ...] = ()
    classroom: bool = False
    students_per_address: int = STUDENTS_OF_ADDRESS
    static_pages: bool = True
    pages_per_visitor: int = 0
    pages_per_address: int = 0
    seconds_per_visitor: float = 600.0
    verbose: bool = False
    limits: PageLimits = field(default_factory=PageLimits)

    @property
    def websocket_bytes(self) -> int:
        """Largest message from a browser: an upload and the message around it."""
        return self.limits.upload_bytes + MEBIBYTE

    def places(self) -> Places:
        """Return the places of the site."""
        total = self.max_pages
        return Places(
            total,
            self.pages_per_visitor or max(1, total // 2),
            self.pages_per_address or max(1, total * 3 // 4),
        )


def configuration(settings: Settings) -> Config:
    """Return the configuration of Voila and its Jupyter parts."""
    return Config(
        {
            "VoilaConfiguration": {
                "template": assets.TEMPLATE,
                "theme": "light",
                "allow_template_override": "NO",
                "allow_theme_override": "NO",
                "show_tracebacks": False,
                "strip_sources": True,
                # Our manager has a pool of its own.
                "preheat_kernel": False,
                "multi_kernel_manager_class": PageKernelManager,
                "kernel_spec_manager_class": OwnKernelSpecManager,
                "extension_allowlist": EXTENSIONS,
                "file_allowlist": [],
            },
            "PageKernelManager": {
                "kernel_manager_class": f"{PageKernel.__module__}.{PageKernel.__name__}",
                # Other users of the computer cannot read the messages of page process and server.
                "transport_encryption": "auto",
            },
            # A restarted process would not have the state of the page in the browser.
            "KernelManager": {"autorestart": False},
            # When a class opens its pages at once, a process may take minutes to start, and the
            # output of a cell may come seconds after the message that it has run. Without these
            # waits a page is not drawn, or stays empty.
            "VoilaExecutor": {
                "startup_timeout": 300,
                "iopub_timeout": 120,
                "raise_on_iopub_timeout": True,
            },
            # Jupyter keeps no database of the signatures of our notebooks.
            "NotebookNotary": {"db_file": ":memory:"},
        }
    )
