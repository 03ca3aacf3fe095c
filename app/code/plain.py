"""Our kernels as plain CUDA C++ in one file, as a reader would write them.

The headers' text takes the place of the includes, what only records a run is left out, and so are
other kernels of the file and functions that this kernel does not call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gpucore.device.source import files

from .book import source_lines

_INCLUDE = re.compile(r'#include "([\w.]+)"')
_CONDITION = re.compile(r"#(if|ifdef|ifndef|else|endif)\b(.*)")
#: Uses of the record's macros, and of the shim's, up to the bracket that opens.
_RECORD = re.compile(r"\bRECORD_(?:COUNTERS|EVENTS)\(")
_DEFINED = re.compile(r"\b(?:__device__[^;{(=]*?|SIMT_KERNEL\()(\w+)(?=[(),])")
_TYPE = re.compile(r"^(?:struct|class|union) (\w+)", re.MULTILINE)
#: What stands for the shim's names where they are used: other threads race with these accesses on
#: purpose. A plain store that races is a finding, so that the store of a word is an exchange.
_SHIM = {
    "simt_load": """template <class T> __device__ T simt_load(const T* address)
{
    return *static_cast<const volatile T*>(address);
}""",
    "simt_store": """template <class T, class V> __device__ void simt_store(T* address, V given)
{
    T value = given;
    if constexpr (sizeof(T) == 4) atomicExch((unsigned*)address, *(unsigned*)&value);
    else if constexpr (sizeof(T) == 8)
        atomicExch((unsigned long long*)address, *(unsigned long long*)&value);
    else *static_cast<volatile T*>(address) = value;
}""",
}


@cache
def plain_source(file: str, kernel: str) -> str:
    """Return the source of a kernel as one file of CUDA C++ that needs nothing else.

    Parameters
    ----------
    file, kernel : str
        A kernel file, and the kernel in it.
    """
    lines = _decided(list(_included(file, set())))
    text = _without_uses("\n".join(lines))
    text = text.replace(" RECORD_PARAMS", "").replace("(RECORD ? 5 : 6)", "6")
    text = "\n\n".join(_needed(_parts(text), kernel))
    text = re.sub(r"SIMT_DYN_SHARED\(([^,]+), (\w+)\)", r"extern __shared__ \1 \2[]", text)
    text = re.sub(r"SIMT_SHARED\(([^,\[]+)((?:\[\w+\])*), (\w+)\)", r"__shared__ \1 \3\2", text)
    text = re.sub(r"SIMT_KERNEL\((\w+)(?:, ([^\n]*))?\)(?=\s*\()", _head, text)
    shim = [form for name, form in _SHIM.items() if f"{name}(" in text]
    if shim:
        shim[0] = f"// Accesses that other threads race with on purpose.\n{shim[0]}"
    first, _, rest = text.partition("\n\n")
    return "\n\n".join([first, *shim, rest]) + "\n"


def _head(found: re.Match[str]) -> str:
    return f"__global__ void {found[2] + ' ' if found[2] else ''}{found[1]}"


def _included(file: str, seen: set[str]) -> Iterator[str]:
    """Yield the lines of a file, with those of each header at its first include."""
    for line in source_lines(file):
        include = _INCLUDE.match(line)
        if line == "#pragma once" or line.startswith("SIMT_EXPORT"):
            continue
        if not include:
            yield line
        elif include[1] not in seen and include[1] in files():
            seen.add(include[1])
            if include[1] == "record.cuh":
                continue
            # What a header is about is said in its file; here its text begins with its code.
            body = list(_included(include[1], seen))
            start = next(n for n, text in enumerate(body) if not text.startswith("//"))
            yield from body[start:]


def _decided(lines: list[str]) -> list[str]:
    """Return the lines without the conditions on the level of the record, which is 0."""
    kept: list[str] = []
    # Of each open condition: whether it is one on the record, and whether its lines stay.
    stack: list[tuple[bool, bool]] = []
    for line in lines:
        condition = _CONDITION.match(line)
        if not condition:
            if all(stays for _, stays in stack):
                kept.append(line)
            continue
        word, rest = condition[1], condition[2]
        if word in ("if", "ifdef", "ifndef"):
            stack.append(("RECORD" in rest, "RECORD" not in rest))
        ours, stays = stack[-1]
        if word == "else" and ours:
            stack[-1] = (True, not stays)
        if word == "endif":
            stack.pop()
        if not ours and all(stays for _, stays in stack):
            kept.append(line)
    return kept


def _without_uses(text: str) -> str:
    """Return the text without the statements that only record."""
    while found := _RECORD.search(text):
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        start = text.rfind("\n", 0, found.start()) + 1
        alone = not text[start : found.start()].strip() and text[end] == "\n"
        if alone:
            text = text[:start] + text[end + 1 :]
        else:
            text = text[: found.start()].rstrip(" ") + text[end:]
    return text


def _parts(text: str) -> list[str]:
    """Return the pieces between blank lines that are outside of all braces."""
    parts: list[list[str]] = [[]]
    depth = 0
    for line in text.splitlines():
        if not line.strip() and depth == 0:
            parts.append([])
            continue
        parts[-1].append(line)
        code = line.partition("//")[0]
        depth += code.count("{") - code.count("}")
    return ["\n".join(part) for part in parts if part]


def _needed(parts: list[str], kernel: str) -> list[str]:
    """Return the pieces that a kernel needs: what it calls, and what defines no function."""
    defined = [set(_DEFINED.findall(part)) for part in parts]
    for names, part in zip(defined, parts, strict=True):
        names.update(_TYPE.findall(part) if names else ())  # a type with functions is one of them
    wanted, kept = {kernel}, {number for number, names in enumerate(defined) if not names}
    while new := {n for n, names in enumerate(defined) if names & wanted} - kept:
        kept |= new
        wanted |= {word for n in new for word in re.findall(r"\w+", parts[n])}
    comment = [n for n in kept if n and all(x.startswith("//") for x in parts[n].splitlines())]
    return [parts[n] for n in sorted(kept.difference(comment))]
