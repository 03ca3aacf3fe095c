"""What the kernels of a source reach; the rest of a file, such as host code, is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpucore.watching.source.declarations import Declaration, Declared
from gpucore.watching.source.kernels import is_special
from gpucore.watching.source.lexer import words

#: Words of CUDA that put a declaration on the device.
QUALIFIERS = ("__global__", "__device__", "__constant__", "__managed__")
_HOST = re.compile(r"cuda[A-Z]\w*|cu(?:blas|rand|fft|sparse|dnn)\w*")
_HOST_WORDS = words(
    "cout cerr cin endl ostream istream vector string ifstream ofstream stringstream chrono exit "
    "fprintf fopen rand srand malloc free calloc getenv atoi strtol thread mutex"
)


def is_host_only(found: Declaration) -> bool:
    """Return whether a function without ``__device__`` is clearly the host's."""
    tokens = found.source.tokens[found.first : found.last + 1]
    return found.names == {"main"} or any(
        token.text == "<<<"
        or (token.kind == "word" and (token.text in _HOST_WORDS or _HOST.fullmatch(token.text)))
        for token in tokens
    )


def reached(found: Declared, kernels: list[tuple[Declaration, str]]) -> list[Declaration]:
    """Return the declarations that kernels, and the arguments of templates, reach by name."""
    by_name: dict[str, list[Declaration]] = {}
    kept: dict[int, Declaration] = {}
    waiting = [one for one, _ in kernels]
    host = _host_functions(found)
    scopes = {name for one in found.all for name in one.scope}
    for one in found.all:
        if "__global__" in one.head and not is_special(one):
            continue
        if one.first in host:
            continue
        if _is_open(one, scopes) or ("operator" in one.names and one.has("__device__")):
            waiting.append(one)
        for each in one.names:
            by_name.setdefault(each, []).append(one)
    for _, called in kernels:
        for word in re.findall(r"\w+", called):
            waiting += by_name.get(word, [])
    while waiting:
        one = waiting.pop()
        if one.first in kept:
            continue
        kept[one.first] = one
        waiting += [each for word in _mentioned(one) for each in by_name.pop(word, [])]
    return sorted(kept.values(), key=lambda one: one.first)


def _host_functions(found: Declared) -> set[int]:
    """Return the first tokens of the host's functions: clearly such ones, and what calls them."""
    functions = [one for one in found.all if one.function]
    free = [one for one in functions if not one.has(*QUALIFIERS, "constexpr")]
    host = {one.first for one in free if is_host_only(one)}
    while True:
        kept = set().union(*(one.names for one in functions if one.first not in host))
        called = set().union(*(one.names for one in free if one.first in host)) - kept
        more = {one.first for one in free if one.words & called} - host
        if not more:
            return host
        host |= more


def _mentioned(one: Declaration) -> set[str]:
    """Return the words of a declaration without those in the host's members of a class."""
    left_out = {i for member in hosts(one) for i in range(member.first, member.last + 1)}
    if not left_out:
        return one.words | one.names
    places = (i for i in range(one.first, one.last + 1) if i not in left_out)
    tokens = (one.source.tokens[i] for i in places)
    return {token.text for token in tokens if token.kind == "word"} & one.words | one.names


def _is_open(one: Declaration, scopes: set[str]) -> bool:
    """Return whether it is ``using namespace`` of one that device code has."""
    known = scopes | {"std", "cooperative_groups", "cuda"}
    return one.head[:2] == ["using", "namespace"] and one.head[-1] in known


def hosts(one: Declaration) -> Iterator[Declaration]:
    """Return the member functions of a class that are the host's."""
    for member in one.members:
        called = member.parameters[0] >= 0 and not member.has(*QUALIFIERS)
        if called and is_host_only(member):
            yield member
        yield from hosts(member)
