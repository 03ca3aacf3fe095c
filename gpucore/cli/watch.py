"""``warplens watch``: CUDA code on the processor, under many schedules."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from gpucore.cli.console import NOT_CERTIFIED, print_json
from gpucore.cli.options import JsonOption
from gpucore.cli.watch_folder import watch_folder
from gpucore.errors import GraphError, ParameterError

if TYPE_CHECKING:
    from gpucore.watching.programs.program import WatchedProgram
    from gpucore.watching.reports.watched import Watched


class Command(TyperCommand):
    """Keeps what stands behind --, which Click would join with the files."""

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        """Take the program's own arguments away."""
        end = words.index("--") if "--" in words else len(words)
        context.obj = words[end + 1 :]
        return super().parse_args(context, words[:end])


def watch(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files of CUDA C++ that are one program, or a folder of programs. What stands "
            "behind -- are the program's arguments.",
            metavar="FILE... [-- ARGUMENT...]",
        ),
    ],
    block: Annotated[
        str,
        typer.Option(
            help="Threads of a block: X, X,Y or X,Y,Z. One kernel is launched; without this, the "
            "program is built and run, and all its launches are watched."
        ),
    ] = "",
    grid: Annotated[
        str | None, typer.Option(help="Blocks: X, X,Y or X,Y,Z; 2 without this option.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Which kernel; a template with arguments: k<float, 256>.")
    ] = None,
    arg: Annotated[
        list[str] | None,
        typer.Option(
            help="An argument, in the order of the parameters: iota:int32:64, zeros:float32:128, "
            "ones:..., empty:... (without content), random:float32:64:SEED, list:int32:3,1,2, a "
            "file .npy, a number, true, false, or auto, which is what the others get."
        ),
    ] = None,
    shared_mem: Annotated[int, typer.Option(help="Bytes of dynamic shared memory.")] = 0,
    schedules: Annotated[int, typer.Option(help="Orders of the threads.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the first order.")] = 0,
    launches: Annotated[
        int, typer.Option(help="How many launches of each kernel of a program are watched.")
    ] = 8,
    steps: Annotated[
        int | None, typer.Option(help="Accesses and basic blocks that end a launch.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time that ends a program.")] = 300,
    include: Annotated[
        list[str] | None, typer.Option(help="A folder of headers; may be repeated.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="For a folder: a CSV table with the columns file (below the folder), label (race, "
            "bounds, uninitialised, barrier, endless, error or none; several with +) and perhaps "
            "arguments; a file with several rows runs as often."
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option(help="For a folder: write all reports to this file, as JSON.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="For a folder: programs side by side.")
    ] = 2,
    json: JsonOption = False,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations for GitHub's actions.")
    ] = False,
) -> None:
    """Watch CUDA code on the processor: races, bad accesses, barriers, loops without end.

    The exit code is 1 if something is wrong. With --json or --github a program prints to stderr.
    """
    from gpucore.watching.programs.program import watch_program
    from gpucore.watching.reports.forms import as_json, details, github_lines
    from gpucore.watching.watch import STEPS

    bound = STEPS if steps is None else steps
    of_program: dict[str, Any] = {
        "schedules": schedules,
        "seed": seed,
        "launches": launches,
        "include": include or [],
        "steps": bound,
        "seconds": seconds,
    }
    file, arguments = files[0], context.obj
    if Path(file).is_dir():
        if len(files) > 1:
            raise ParameterError("one folder is watched at a time; arguments stand behind --")
        if block or grid or name or arg or shared_mem or github:
            raise ParameterError(
                "--block, --grid, --name, --arg, --shared-mem and --github are of one program, "
                "not of a folder"
            )
        watch_folder(file, labels, output, arguments, processes, json, of_program)
        return
    if labels or output:
        raise ParameterError("--labels and --output are of a folder")
    found: Watched | WatchedProgram
    if block:
        if arguments or len(files) > 1:
            raise ParameterError("a kernel of one file is launched, its arguments given with --arg")
        folders = [str(Path(file).parent), *(include or [])]
        found = _kernel(
            _read(file), name, grid or "2", block, arg or [], shared_mem, schedules, seed,
            bound, folders,
        )  # fmt: skip
        report = {"file": file, **as_json(found), **details(found)}
    else:
        if grid or name or arg or shared_mem:
            raise ParameterError(
                "--grid, --name, --arg and --shared-mem are of one kernel: give --block"
            )
        stdout = sys.stderr if json or github else None
        found = watch_program(files, arguments, stdout=stdout, **of_program)
        report = found.as_json()
    if json:
        print_json(report)
    elif github:
        for line in github_lines(file, report):
            print(line)
    else:
        print(found)
    if not found.ok:
        raise typer.Exit(NOT_CERTIFIED)


def _kernel(
    source: str,
    name: str | None,
    grid: str,
    block: str,
    arguments: list[str],
    shared_mem: int,
    schedules: int,
    seed: int,
    steps: int,
    include: list[str],
) -> Watched:
    """Watch one kernel."""
    from gpucore.watching.launches.given import read_arguments
    from gpucore.watching.watch import signature_of
    from gpucore.watching.watch import watch as watch_kernel

    sizes = _size("grid", grid), _size("block", block)
    signature = signature_of(source, name, include)
    threads = math.prod(sizes[0]) * math.prod(sizes[1])
    values, empty = read_arguments(signature, arguments, threads)
    return watch_kernel(
        source, *sizes, values, name=name, shared_mem=shared_mem, schedules=schedules, seed=seed,
        empty=empty, include=include, steps=steps,
    )  # fmt: skip


def _read(file: str) -> str:
    from gpucore.watching.source.hosted import source_text

    try:
        return source_text(Path(file))
    except OSError as error:
        raise GraphError(f"{file} cannot be read: {error.strerror}") from None


def _size(option: str, text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isdecimal() for part in parts):
        raise ParameterError(f"--{option} is {text!r}; it is up to three numbers, as 2 or 8,8")
    return tuple(map(int, parts))
