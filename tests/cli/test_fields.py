"""Commands whose options are the fields of a dataclass."""

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from gpucore.cli.fields import options_from


@dataclass(frozen=True)
class Wanted:
    """Options of a command."""

    name: Annotated[str, typer.Argument(help="Whom to greet.")]
    times: Annotated[int, typer.Option("--times", "-t", min=1, help="How often.")] = 1
    loud: Annotated[bool, typer.Option(help="In capitals.")] = False


@options_from(Wanted)
def greet(options: Wanted) -> None:
    """Greet a person."""
    print(options)


def called(*arguments):
    app = typer.Typer()
    app.command()(greet)
    return CliRunner().invoke(app, arguments)


def test_options_become_one_object():
    assert called("Ann").output.strip() == str(Wanted("Ann"))
    assert called("Ann", "-t", "3", "--loud").output.strip() == str(Wanted("Ann", 3, True))


def test_typer_checks_them():
    for arguments in ([], ["Ann", "-t", "0"], ["Ann", "--shout"]):
        assert called(*arguments).exit_code == 2


def test_help_has_the_command_and_each_field():
    text = called("--help").output
    for words in ("Greet a person.", "Whom to greet.", "How often.", "In capitals."):
        assert words in text
