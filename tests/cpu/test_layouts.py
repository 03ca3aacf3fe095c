"""Structures and parameters that Python declares are those of the C++ sources, in their order."""

import ctypes
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore.cpu.task import Arguments, Report, Struct, struct

ROOT = Path(gpucore.__file__).parent
PLACES = [
    "gpucore.certify.native",
    "gpucore.certify.work",
    "gpucore.problems.preferences.random_lists",
] + [
    f"gpucore.families.{path.parent.name}.{path.stem}"
    for name in ("native", "native_proof", "methods")
    for path in sorted(ROOT.glob(f"families/*/{name}.py"))
]
NUMBERS = {
    "int": ctypes.c_int32,
    "unsigned": ctypes.c_uint32,
    "long long": ctypes.c_int64,
    "unsigned long long": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "unsigned char": ctypes.c_uint8,
    "std::uint64_t": ctypes.c_uint64,
}
#: The members of ``cpu::Csr``, which are the group "graph".
CSR = "int n; long long* indptr; int* indices; float* weights;"
#: Functions that have the parameters of another one.
TWINS = {
    "cpu_greedy": [
        "cpu_suitor_serial", "cpu_suitor_omp", "cpu_ld_serial", "cpu_ld_omp", "cpu_greedy_weighted",
    ],
}  # fmt: skip


def declared():
    """Return all classes that mirror C++, with the folder of its sources."""
    for place in PLACES:
        folder = ROOT.joinpath(*place.split(".")[1:-1])
        for kind in vars(importlib.import_module(place)).values():
            if not isinstance(kind, type) or kind in (Struct, Arguments, Report):
                continue
            own = kind.__module__ == place or issubclass(kind, Struct)
            if own and issubclass(kind, (Struct, Report)):
                yield pytest.param(kind, folder, id=f"{place}.{kind.__name__}")


def source(text):
    """Return C++ without comments and line breaks."""
    text = re.sub(r"/\*(\w+)\*/", r"\1", text)  # the name of a parameter that is not used
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def of_struct(kind, folder):
    """Return the members of each structure of this name: type, stars, name, whether an array."""
    named = re.search(r"``(?:\w+::)?(\w+)``", kind.__doc__ or "")
    wanted = named[1] if named and issubclass(kind, Report) else kind.__name__.lstrip("_")
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp")):
        text = re.sub(r" = \{[^}]*\}", "", source(path.read_text()))
        for found in re.finditer(rf"struct {wanted} \{{(.*?)\}};", text):
            body = re.split(r"\w+\([^;]*\) (?:const )?\{", found[1])[0]
            body = body.replace("Csr graph;", CSR)
            lines = [line.strip() for line in body.split(";")[:-1]]
            yield [member for line in lines for member in members(line)]


def members(line):
    line = re.sub(r" = [^,;]*|\bconst ", "", line)
    kind, rest = re.fullmatch(r"(unsigned char|long long|[\w:]+)(\**) ?(.*)", line).group(1, 3)
    stars = line[len(kind) :].split(" ")[0].count("*")
    for one in rest.split(","):
        name, length = re.fullmatch(r" ?(\w+)(\[\w+\])?", one).groups()
        yield kind, stars, name, bool(length)


def of_function(name):
    for path in ROOT.rglob("*.cpp"):
        found = re.search(rf"CPU_EXPORT [\w ]+\b{name}\(([^)]*)\)", source(path.read_text()))
        if found:
            parts = [re.sub(r"\bconst ?", "", one).strip() for one in found[1].split(",")]
            for part in parts:
                kind, stars, own = re.fullmatch(r"(.*?) ?(\*[* ]*|(?<!\*) )(\w*)", part).groups()
                yield kind.strip(), stars.count("*"), own, False
            return
    raise AssertionError(f"there is no native function {name}")


def fits(ours, kind, stars, length):
    """Whether a field of ours has the type of a member."""
    number = NUMBERS.get(kind.removeprefix("cpu::"))
    if length:
        return issubclass(ours, ctypes.Array)
    if stars == 0:
        return ours is number if number else issubclass(ours, ctypes.Structure)
    dtype = getattr(ours, "dtype", None)
    if dtype is not None:
        return dtype == number if number else dtype.names is not None
    if ours is ctypes.c_void_p:
        return True
    return ours._type_ is number if number else issubclass(ours._type_, ctypes.Structure)


def mistakes(kind, theirs, names):
    """Return what is wrong with the fields of a class."""
    if len(kind._fields_) != len(theirs):
        return [f"the source has {[one[2] for one in theirs]}"]
    return [
        f"{name}: {type_}{'*' * stars} {own}"
        for (name, ours), (type_, stars, own, length) in zip(kind._fields_, theirs, strict=True)
        if (names and name != own) or not fits(ours, type_, stars, length)
    ]


@pytest.mark.parametrize(("kind", "folder"), [*declared()])
def test_a_declaration_is_that_of_the_source(kind, folder):
    if issubclass(kind, Arguments):
        for name in [kind.__name__, *TWINS.get(kind.__name__, [])]:
            assert mistakes(kind, list(of_function(name)), names=False) == []
        return
    found = list(of_struct(kind, folder))
    assert found, "there is no such structure"
    assert [] in [mistakes(kind, one, names=True) for one in found]


Lengths = struct("Lengths", "int32[] lengths, float32[] weights, int64 count, threads")


def test_a_task_has_what_it_is_given():
    task = Lengths(np.array([3, 4], np.int32), None, 2)
    assert (ctypes.c_int32 * 2).from_address(task.lengths.value)[:] == [3, 4]
    assert (task.weights.value, task.count, task.threads) == (None, 2, 0)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            [np.zeros(2, np.int64), None, 2],
            r"Lengths.lengths must be of type int32\[\] .* not int64",
        ),
        ([np.zeros(4, np.int32)[::2], None, 2], r"without gaps, .* strides \(8,\)"),
        ([None, None, np.zeros(1)], "Lengths.count must be of type c_long"),
        ([None, None], "Lengths takes lengths, weights, count: not 2 values"),
        ([None, None, 2, 8], "not 4 values"),
        ([None, None, "2"], "int"),
    ],
)
def test_a_wrong_value_is_an_error(values, words):
    with pytest.raises(TypeError, match=words):
        Lengths(*values)
