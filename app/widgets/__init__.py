"""Widgets of the pages: they play in the browser and ask nothing of the kernel meanwhile."""

from __future__ import annotations

from .page import player_page
from .payload import player_payload
from .player import Player

__all__ = ["Player", "player_page", "player_payload"]
