"""The text of a card as a reader sees it."""

from __future__ import annotations

import re


def plain(html):
    """Return HTML without tags and without the meanings that terms of the glossary show."""
    text = re.sub(r'<span class="ws-meaning".*?</span>', "", html, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", "", text)
