"""The command line: our commands, commands of other packages, errors and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gpucore.cli import (
    bench,
    check,
    compare,
    datasets,
    doctor,
    fetch,
    figures,
    run,
    slabs,
    warm,
    watch,
)
from gpucore.cli.console import (
    BAD_INPUT,
    DEVICE,
    drop_output,
    error_line,
    exit_code,
    installed_version,
    output_failure,
    prepare_streams,
)
from gpucore.errors import DeviceError, MissingDependency, WarplensError
from gpucore.installing import install_hint

#: Entry-point group in which packages add commands; each is a function for Typer.
GROUP = "warplens.commands"


class Commands(TyperGroup):
    """A group that prints our errors as one line, and loads added commands when they are used."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line; if its output cannot be written, one line on stderr says why."""
        prepare_streams()
        try:
            try:
                return super().main(*args, **extra)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:  # the reader has what it wanted
            drop_output()
            sys.exit(1)
        except OSError as error:
            failure = output_failure(error)
            if not failure:
                raise
            drop_output()
            error_line(f"the output cannot be written: {failure}; send it to another place")
            sys.exit(BAD_INPUT)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a WarplensError becomes a line on stderr and an exit code."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            said = str(error) or "none is left"
            error_line(f"there is too little memory: {said}; take a smaller problem")
            raise typer.Exit(DEVICE) from None
        except WarplensError as error:
            error_line(str(error), log=isinstance(error, DeviceError))
            raise typer.Exit(exit_code(error)) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all commands, added ones first: serving is the most used one."""
        own = super().list_commands(ctx)
        return [point.name for point in _added() if point.name not in own] + own

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command of ours, or load the added one."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        found = [point for point in _added() if point.name == cmd_name]
        return _load(found[0]) if found else None


def _added() -> list[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _load(point: EntryPoint) -> Any:
    """Return the entry point's function as a command; a missing package shows when it is run."""
    function: Callable[..., Any]
    try:
        function = point.load()
    except ImportError as error:
        function = _explain(point.name, error)
    single = typer.Typer(add_completion=False)
    single.command(point.name)(function)
    command = typer.main.get_command(single)
    command.name = point.name
    return command


def _explain(name: str, error: ImportError) -> Callable[..., Any]:
    def unavailable(context: typer.Context) -> None:
        raise MissingDependency(
            f"warplens {name} needs a package that is not installed ({error}); "
            f"get it with: {install_hint('app')}"
        )

    unavailable.__doc__ = f"Not available: {error}."
    return unavailable


def _version(wanted: bool) -> None:
    if wanted:
        print(f"warplens {installed_version()}")
        raise typer.Exit


def build() -> typer.Typer:
    """Return the application."""
    app = typer.Typer(
        cls=Commands,
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,  # any other error is a bug: a plain traceback
    )

    @app.callback()
    def warplens(
        version: Annotated[
            bool,
            typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
        ] = False,
    ) -> None:
        """See how GPU graph algorithms work: run, record, certify, compare and watch them."""

    for module in (
        run, check, compare, watch, bench, figures, datasets, fetch, slabs, warm, doctor
    ):  # fmt: skip
        name = module.__name__.rpartition(".")[2]
        app.command(name, cls=getattr(module, "Command", None))(getattr(module, name))
    return app
