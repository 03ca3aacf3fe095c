"""The kernels of a source, and those that a name means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpucore.errors import KernelCompileError, KernelError
from gpucore.watching.source.declarations import Declaration


def is_kernel(one: Declaration) -> bool:
    """Return whether it is a kernel with its body; forms of templates are not."""
    return one.function and one.has("__global__") and not is_special(one)


def is_special(one: Declaration) -> bool:
    """Return whether it is ``template <> ...``, a form of a template for some arguments."""
    return one.source.is_at(one.first, "template") and one.source.is_at(one.first + 2, ">")


def parameter_names(one: Declaration) -> tuple[str, ...]:
    """Return the names of a function's parameters; empty for one without a name."""
    source, (index, end) = one.source, one.parameters
    names, name = [], ""
    while index < end:
        index += 1
        token = source.tokens[index]
        if token.text == "," or index == end:
            names.append(name)
            name = ""
        elif token.kind == "word":
            name = token.text
        elif token.text in ("*", "&"):
            name = ""
        elif token.text == "=":
            while index + 1 < end and not source.is_at(index + 1, ","):
                index = source.partner.get(index + 1, index + 1)
        elif token.text == "<" and source.tokens[index - 1].kind == "word":
            index = source.angle_end(index)
        elif token.text == "[":
            index = source.partner[index]
    return tuple(names)


def choose(kernels: list[Declaration], name: str | None) -> list[tuple[Declaration, str]]:
    """Return the kernels to keep, with the expressions that name them."""
    if not kernels:
        raise KernelCompileError(
            "there is no kernel; begin it with __global__ void name(parameters) { ... }"
        )
    if name is None:
        plain = [(one, "::".join((*one.scope, one.name))) for one in kernels if not _template(one)]
        if not plain:
            raise KernelError(
                f"{kernels[0].name} is a template: name it with its arguments, as in "
                f'name="{kernels[0].name}<{_example(kernels[0])}>"'
            )
        _refuse_twins(plain)
        return plain
    wanted = re.sub(r"\s*([<>,:])\s*", r"\1", name).replace(",", ", ")
    base = wanted.partition("<")[0]
    found = [one for one in kernels if "::".join((*one.scope, one.name)).endswith(base)]
    found = [one for one in found if one.name == base.split("::")[-1]]
    if not found:
        names = ", ".join(dict.fromkeys("::".join((*one.scope, one.name)) for one in kernels))
        raise KernelError(f"there is no kernel {name!r}; the source has {names}")
    if _template(found[0]) and "<" not in wanted:
        raise KernelError(
            f"{base} is a template: name it with its arguments, as in "
            f'name="{base}<{_example(found[0])}>"'
        )
    full = "::".join((*found[0].scope, found[0].name)) + wanted[len(base) :]
    _refuse_twins([(one, full) for one in found if not _template(one)])
    return [(one, full) for one in found]


def chosen_kernel(names: Sequence[str]) -> str:
    """Return the kernel that is launched, if there is one only.

    Raises
    ------
    KernelError
        There are several.
    """
    if len(names) > 1:
        raise KernelError(f"which kernel is meant; the source has {', '.join(names)}: name= one")
    return names[0]


def _refuse_twins(named: list[tuple[Declaration, str]]) -> None:
    names = [name for _, name in named]
    for one, name in named:
        if names.count(name) > 1:
            line = one.source.place(one.first)[1]
            raise KernelCompileError(
                f"line {line}: there are several kernels {name}; give each a name of its own"
            )


def _template(one: Declaration) -> bool:
    return one.source.is_at(one.first, "template")


def _example(one: Declaration) -> str:
    """Return arguments that a template could have."""
    source = one.source
    end = source.angle_end(one.first + 1)
    words = [token.text for token in source.tokens[one.first + 2 : end]]
    kinds = "".join(f" {word} " for word in words).split(" , ")
    return ", ".join(
        "float" if re.search(r"\b(class|typename)\b", kind) else "256" for kind in kinds
    )
