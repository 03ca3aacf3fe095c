"""Widgets of the pages; they play in the browser without messages to the page process."""

from __future__ import annotations

from .player import Player
from .player.payload import player_payload

__all__ = ["Player", "player_payload"]
