"""Commands that take one object of options: a dataclass whose fields typer makes options of."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, get_type_hints


def options_from(kind: type[Any]) -> Callable[[Callable[[Any], None]], Callable[..., None]]:
    """Make a command of a function of one dataclass: each annotated field is an option.

    Typer then sees the fields as the function's parameters::

        @dataclass(frozen=True)
        class GreetOptions:
            name: Annotated[str, typer.Argument(help="Whom to greet.")]
            loud: Annotated[bool, typer.Option(help="In capitals.")] = False

        @options_from(GreetOptions)
        def greet(options: GreetOptions) -> None: ...
    """
    types = get_type_hints(kind, include_extras=True)
    parameters = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=types[field.name],
        )
        for field in fields(kind)
    ]

    def decorate(function: Callable[[Any], None]) -> Callable[..., None]:
        @wraps(function)
        def command(**values: Any) -> None:
            function(kind(**values))

        # Typer reads both.
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = types
        return command

    return decorate
