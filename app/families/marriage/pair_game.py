"""The widget of the blocking-pair game: a card for every person; the visitor chooses two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from ...widgets.bundle import esm, style
from ...widgets.incoming import Incoming, Message, count, text
from ...widgets.player import STYLE

_ENTRY = Path(__file__).with_name("pair_game.js")


class PairGame(anywidget.AnyWidget):
    """Cards of men and women; the visitor chooses one of each.

    Parameters
    ----------
    levels : mapping of str to str
        The levels of difficulty, with labels.
    on_act : callable
        ``on_act(content)``: "kind" is "pick" (with "man" and "woman"), "hint", "all", "round" or
        "level" (with "value").

    Attributes
    ----------
    people : dict
        ``names``, of which the first ``men`` are men, ``lists`` (of the men, then of the women,
        numbers of the other side), ``couples`` and the ``number`` of the round; empty shows
        `placeholder`.
    status : dict
        ``style`` ("good", "other" or ""), ``text``, ``pair`` (to which the text refers), ``hint``
        (a person or -1), ``found`` (pairs), ``score``, ``over`` (round won, or all shown).
    """

    _esm = esm(_ENTRY)
    _css = style((STYLE, _ENTRY.with_suffix(".css")))

    incoming: ClassVar[Incoming] = Incoming(
        {},
        {
            "pick": Message({"man": count, "woman": count}),
            "level": Message({"value": text}),
            **dict.fromkeys(("hint", "all", "round"), Message()),
        },
    )

    levels: traitlets.List[Any] = traitlets.List().tag(sync=True)
    people = traitlets.Dict().tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)

    def __init__(self, levels: Mapping[str, str], on_act: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(levels=[list(level) for level in levels.items()])
        self._on_act = on_act
        self.on_msg(self._receive)

    def deal(
        self,
        *,
        names: Sequence[str],
        men: int,
        lists: Sequence[Sequence[int]],
        couples: Sequence[tuple[int, int]],
        number: int,
    ) -> None:
        """Show the cards of a round."""
        self.people = {
            "names": list(names),
            "men": men,
            "lists": [list(one) for one in lists],
            "couples": [list(couple) for couple in couples],
            "number": number,
        }
        self.placeholder = ""

    def clear(self, text: str = "") -> None:
        """Show a text instead of the cards."""
        with self.hold_sync():
            self.people, self.status, self.placeholder = {}, {}, text

    def _receive(self, _: Any, content: dict[str, Any], __: list[Any]) -> None:
        self._on_act(content)
