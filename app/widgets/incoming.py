"""What a browser may send to a widget: values of some of its traits, and messages of known kinds.

Every synced trait can be set by a message, also those that only the page process sets: the ends of
a slider, the limit of an upload. So each class of widgets declares what its own script sends, as
``incoming``; anything else is refused before the widget sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ipywidgets as w

from gpucore.errors import ParameterError
from gpucore.params import is_number, is_whole

#: Returns whether a widget can take a value.
Check = Callable[[Any, Any], bool]

#: Longest text that a browser may send.
MOST_CHARACTERS = 10_000


def flag(value: Any, _: Any = None) -> bool:
    """Return whether a value is a bool."""
    return isinstance(value, bool)


def text(value: Any, _: Any = None) -> bool:
    """Return whether a value is a text of limited length."""
    return isinstance(value, str) and len(value) <= MOST_CHARACTERS


def count(value: Any, _: Any = None) -> bool:
    """Return whether a value is a whole number from 0 to 2^53, the largest one of a browser."""
    return is_whole(value) and 0 <= value <= 1 << 53


def place(value: Any, _: Any = None) -> bool:
    """Return whether a value is a pair of 32-bit integers."""
    pair = isinstance(value, list) and len(value) == 2
    return pair and all(is_whole(one) and abs(one) < 1 << 31 for one in value)


def in_range(value: Any, widget: Any) -> bool:
    """Return whether a value is a number between the ends of a slider or field."""
    fits = is_whole if isinstance(widget, w.widget_int._BoundedInt) else is_number
    return fits(value) and widget.min <= value <= widget.max


def offered(value: Any, widget: Any) -> bool:
    """Return whether a value is the index of one of a widget's options."""
    return is_whole(value) and 0 <= value < len(widget.options)


@dataclass(frozen=True)
class Message:
    """A kind of message.

    Attributes
    ----------
    fields : mapping of str to callable
        Its entries, all required, with their checks.
    buffers : int
        Number of binary parts.
    """

    fields: Mapping[str, Check] = field(default_factory=dict)
    buffers: int = 0


@dataclass(frozen=True)
class Incoming:
    """What a browser may send to the widgets of a class.

    Attributes
    ----------
    values : mapping of str to callable
        Traits that it may set, with their checks.
    messages : mapping of str to Message
        Kinds of messages.
    key : str
        The entry of a message that names its kind.
    ignores : bool
        Whether other messages are dropped without an error.
    """

    values: Mapping[str, Check] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    key: str = "kind"
    ignores: bool = False

    def check_values(self, widget: Any, state: Any) -> None:
        """Raise ParameterError unless a browser may set these traits to these values."""
        if not isinstance(state, dict):
            raise _refusal("values without names")
        for name, value in state.items():
            check = self.values.get(name)
            if check is None:
                raise _refusal(f"a value for {shown(name)}, which it cannot set")
            if not check(value, widget):
                label = getattr(widget, "description", "") or name
                raise _refusal(f"{shown(value)} for {shown(label)}, which cannot be chosen")

    def check_message(self, widget: Any, content: Any, buffers: Sequence[Any]) -> bool:
        """Return whether the widget is to see a message; raise ParameterError to refuse it."""
        kind = content.get(self.key) if isinstance(content, dict) else None
        known = self.messages.get(kind) if isinstance(kind, str) else None
        if known is None:
            if self.ignores:
                return False
            raise _refusal(f"a message of an unknown kind ({shown(kind)})")
        given = {name: value for name, value in content.items() if name != self.key}
        if given.keys() != known.fields.keys() or len(buffers) != known.buffers:
            raise _refusal(f"a message {shown(kind)} with other parts than it has")
        for name, check in known.fields.items():
            if not check(given[name], widget):
                raise _refusal(f"{shown(given[name])} for {shown(name)}, which cannot be chosen")
        return True


def incoming_of(widget: Any) -> Incoming:
    """Return what a browser may send to a widget; of unknown classes, nothing."""
    own = getattr(widget, "incoming", None)
    return own if isinstance(own, Incoming) else _OF_IPYWIDGETS.get(type(widget), _NOTHING)


def shown(value: Any) -> str:
    """Return a value of any type and size as a short text of printable characters."""
    if isinstance(value, str):
        return ascii(value[:40])
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**18):
        return repr(value)
    if isinstance(value, int):
        return "a huge number"
    return "nothing" if value is None else f"a {type(value).__name__}"


def _refusal(what: str) -> ParameterError:
    return ParameterError(f"the browser sent {what}; nothing is changed. Reload the page")


_NOTHING = Incoming()
_VALUE = Incoming({"value": in_range})
_CLICK = {"click": Message()}
#: The widgets of ipywidgets that the pages use, and what their scripts send.
_OF_IPYWIDGETS: dict[type, Incoming] = {
    w.BoundedIntText: _VALUE,
    w.FloatSlider: _VALUE,
    w.IntSlider: _VALUE,
    w.Checkbox: Incoming({"value": flag}),
    w.ToggleButton: Incoming({"value": flag}),
    w.Dropdown: Incoming({"index": offered}),
    w.ToggleButtons: Incoming({"index": offered}, _CLICK, "event"),
    w.Button: Incoming({}, _CLICK, "event"),
    w.Text: Incoming({"value": text}, {"submit": Message()}, "event"),
}
