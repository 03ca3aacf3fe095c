"""Handlers that wait for their turn, and stop waiting when the visitor has gone."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from tornado.web import Finish

from .access import Access
from .rates import Shares


class InTurn:
    """Lets a handler wait until its visitor may have more."""

    request: Any

    def initialize_turns(self, shares: Shares, access: Access) -> None:
        """Take what visitors may have."""
        self._shares, self._who = shares, access
        self._gone = asyncio.Event()

    async def turn(self, amount: float = 1) -> None:
        """Wait until an amount is paid for.

        Raises
        ------
        Finish
            The visitor has gone; what was taken is given back.
        """
        who = self._who.name_of(self.request), self._who.address_of(self.request)
        turn = self._shares.take(*who, amount)
        if not turn.wait:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._gone.wait(), turn.wait)
        if self._gone.is_set():
            turn.give_back()
            raise Finish

    def on_connection_close(self) -> None:
        """Note that the visitor has gone."""
        self._gone.set()
        super().on_connection_close()  # type: ignore[misc]


__all__ = ["InTurn"]
