"""Widgets of the pages: they play in the browser and ask nothing of the kernel meanwhile."""

from __future__ import annotations

from app.widgets.page import player_page
from app.widgets.payload import player_payload
from app.widgets.player import Player

__all__ = ["Player", "player_page", "player_payload"]
