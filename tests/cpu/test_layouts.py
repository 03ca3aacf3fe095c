"""Structures and parameters that Python declares are those of the C++ sources, in their order."""

import ctypes
import importlib
import re
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore.cpu.task import Arguments, Report, Struct, layout

ROOT = Path(gpucore.__file__).parent
PLACES = [
    "gpucore.certify.native",
    "gpucore.certify.work",
    "gpucore.problems.preferences.random_lists",
] + [
    f"gpucore.families.{path.parent.name}.{path.stem}"
    for name in ("native", "proof")
    for path in sorted(ROOT.glob(f"families/*/{name}.py"))
]
NUMBERS = {
    "int": ctypes.c_int32,
    "unsigned": ctypes.c_uint32,
    "long long": ctypes.c_int64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "unsigned char": ctypes.c_uint8,
    "std::uint64_t": ctypes.c_uint64,
}
#: The members of ``cpu::Csr``, which are the group "graph".
CSR = "int n; long long* indptr; int* indices; float* weights;"
#: Native functions without a structure of their own, by the class that declares their parameters.
FUNCTIONS = {
    ("matching.native", "_Task"): ("cpu_suitor_serial", "cpu_suitor_omp", "cpu_ld_serial",
                                   "cpu_ld_omp", "cpu_greedy", "cpu_greedy_weighted"),
    ("matching.native", "_Weight"): ("cpu_matching_weight",),
    ("bmatching.native", "_Weight"): ("cpu_bmatching_weight",),
    ("sgd.native", "_Replay"): ("cpu_sgd_replay",),
    ("matching.proof", "_Task"): ("proof_matching",),
    ("redblue.proof", "_Task"): ("proof_maximal",),
    ("bmatching.proof", "_Task"): ("proof_bmatching",),
    ("communities.proof", "_Task"): ("proof_communities",),
    ("bipartite.proof", "_Search"): ("proof_bipartite",),
    ("bipartite.proof", "_Check"): ("proof_cover",),
    ("sgd.proof", "_Task"): ("proof_squares",),
    ("marriage.proof", "_Ranks"): ("proof_marriage_ranks",),
    ("marriage.proof", "_Blocking"): ("proof_marriage_blocking",),
    ("marriage.proof", "_Next"): ("proof_marriage_next_men", "proof_marriage_next_women"),
    ("marriage.proof", "_Double"): ("proof_double",),
}  # fmt: skip


def declared():
    """Return all classes that mirror C++, with the modules that declare them."""
    for place in PLACES:
        for name, kind in vars(importlib.import_module(place)).items():
            own = isinstance(kind, type) and kind.__module__ == place
            if own and issubclass(kind, (Struct, Report)):
                yield pytest.param(kind, id=f"{place.removeprefix('gpucore.')}.{name}")


def source(text):
    """Return C++ without comments and line breaks."""
    text = re.sub(r"/\*(\w+)\*/", r"\1", text)  # the name of a parameter that is not used
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def files_of(kind):
    depth = 1 if ".certify." in kind.__module__ else 2
    folder = ROOT.joinpath(*kind.__module__.split(".")[1 : depth + 1])
    named = re.search(r"[\w.]+\.(?:h|cpp)\b", kind.__doc__)
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp")):
        if named is None or path.name == named[0] or "proof" in kind.__module__:
            yield source(path.read_text())


def of_struct(kind):
    """Return the members of the structure that the docstring names: type, stars, name, length."""
    name = re.search(r"``(?:\w+::)?(\w+)``", kind.__doc__)
    wanted = name[1] if name else {"_Work": "Work"}[kind.__name__]
    for text in files_of(kind):
        text = re.sub(r" = \{[^}]*\}", "", text)
        for found in re.finditer(rf"struct {wanted} \{{(.*?)\}};", text):
            body = re.split(r"\w+\([^;]*\) (?:const )?\{", found[1])[0]
            body = body.replace("Csr graph;", CSR)
            lines = [line.strip() for line in body.split(";")[:-1]]
            yield [member for line in lines for member in members(line)]


def members(line):
    line = re.sub(r" = [^,;]*|\bconst ", "", line)
    kind, rest = re.fullmatch(r"((?:unsigned |long )?[\w:]+)(\**) ?(.*)", line).group(1, 3)
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


def same(kind, theirs, names):
    assert len(kind._fields_) == len(theirs), [one[2] for one in theirs]
    for (name, ours), (type_, stars, own, length) in zip(kind._fields_, theirs, strict=True):
        assert not names or name == own
        assert fits(ours, type_, stars, length), f"{name}: {type_}{'*' * stars}"


@pytest.mark.parametrize("kind", declared())
def test_a_declaration_is_that_of_the_source(kind):
    key = kind.__module__.removeprefix("gpucore.families."), kind.__name__
    if issubclass(kind, Arguments):
        for name in FUNCTIONS[key]:
            same(kind, list(of_function(name)), names=False)
        return
    found = list(of_struct(kind))
    assert found, "no such structure"
    same(kind, found[0], names=True)


class Lengths(Struct):
    """Takes two arrays and a number that the call fills in."""

    _fields_ = layout("int32[] lengths, float32[] weights, int64 count, threads")


def lengths(**values):
    return {"lengths": np.zeros(2, np.int32), "weights": None, "count": 2} | values


def test_a_task_has_what_it_is_given():
    task = Lengths(**lengths(lengths=np.array([3, 4], np.int32)))
    assert (ctypes.c_int32 * 2).from_address(task.lengths.value)[:] == [3, 4]
    assert (task.weights.value, task.count, task.threads) == (None, 2, 0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"lengths": np.zeros(2, np.int64)},
            r"Lengths.lengths must be of type int32\[\] .* not int64",
        ),
        ({"lengths": np.zeros(4, np.int32)[::2]}, r"without gaps, .* strides \(8,\)"),
        ({"count": np.zeros(1)}, "Lengths.count must be of type c_long"),
        ({"size": 3}, r"misses or does not have: \['size'\]"),
    ],
)
def test_a_wrong_argument_is_an_error(change, words):
    with pytest.raises(TypeError, match=words):
        Lengths(**lengths(**change))


def test_a_missing_argument_is_an_error():
    with pytest.raises(TypeError, match=r"misses or does not have: \['count', 'weights'\]"):
        Lengths(lengths=np.zeros(2, np.int32))
