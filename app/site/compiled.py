"""Templates of pages, compiled once for all pages of a server.

Voila makes an environment of Jinja for each page. Without a common cache each compiles every
template again, and the server gives no answer meanwhile.
"""

from __future__ import annotations

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """Keeps compiled templates in memory; Jinja compares their sources before it takes one."""

    def __init__(self) -> None:
        self._compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket with the compiled template, if there is one of the same source."""
        if bucket.key in self._compiled:
            bucket.bytecode_from_string(self._compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        self._compiled[bucket.key] = bucket.bytecode_to_string()
