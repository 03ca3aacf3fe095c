"""Tables of the report on red/blue matching: the paper's ratios, and matchings by method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpucore.bench.details import rate_words
from gpucore.bench.papers.measures import declared
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data, Table, with_rows
from gpucore.bench.summary import is_timed
from gpucore.families.redblue.bench.intensity import PUBLISHED as PUBLISHED_INTENSITY
from gpucore.families.redblue.bench.ratios import COMPARISONS, MEASURES, ratios
from gpucore.format import human_bytes, human_time

#: The paper's ratios of size, weight and speed (section 4, Tesla C2050 to one core of a Xeon E5620;
#: multicore with 16 threads on two of them).
PUBLISHED = {
    "first, by algorithm 1": ("over 99 %", "–", "up to 6.8"),
    "any, by algorithm 1": ("–", "–", "–"),
    "heaviest, by algorithm 1": ("–", "115 %", "up to 5.6"),
    "heaviest, by algorithm 2": ("–", "85 %", "up to 37"),
    "multicore first, by algorithm 1": ("over 99 %", "–", "up to 1.1"),
    "multicore heaviest, by algorithm 1": ("–", "115 %", "up to 0.7"),
    "multicore heaviest, by algorithm 2": ("–", "85 %", "up to 13"),
}
MATCHINGS = (
    *("graph", "method", "time", "M edges/s", "× floor", "rounds", "first round", "size"),
    *("by algorithm 1", "weight", "by algorithm 2", "matching"),
)
INTENSITY = (
    *("kernel", "neighbours", "instructions", "sectors", "words"),
    *("per byte of sectors", "per byte of words", "in the paper"),
)
SIZES = ("selection", "graphs", "mean", "least", "on", "over 99 %")
#: Share of algorithm 1's pairs that the paper reports.
ENOUGH = 0.99
#: Experiments whose methods the second table lists.
LISTED = ("contest", "select", "quality", "numbering")


def redblue_tables(data: Data) -> list[Table]:
    """Return the table of ratios and the table of matchings, each only if it has rows."""
    published = [f"{measure} in the paper" for measure in MEASURES]
    tables = with_rows(
        Table(
            "Algorithm 3 by algorithms 1 and 2",
            ("comparison", "graphs", "size", "weight", "speed", "most", *published),
            list(ratio_rows(data)),
            "Means of the ratios of all graphs, geometric ones of speeds; the paper's machines and "
            "graphs were others.",
        ),
        Table(
            "How many pairs",
            SIZES,
            list(size_rows(data)),
            "Pairs by those of algorithm 1, which takes a random neighbour, and the mean over the "
            "graphs. The paper has more than 99 % on average for its random matching: the first "
            "neighbour, in permuted lists.",
        ),
        Table(
            "Matchings, method by method",
            MATCHINGS,
            list(matching_rows(data)),
            "Floor: least bytes at the measured bandwidth, without weights where none are looked "
            "at. First round: vertices matched in it. By algorithm 1: pairs by those of algorithm "
            "1 with random neighbours; by algorithm 2: weights. "
            '"as fast": the same mate of every vertex as the fast variant with the same selection, '
            "numbering and generator.",
        ),
    )
    return [*tables, *intensity_tables(data)]


def intensity_tables(data: Data) -> list[Table]:
    """Return the table of the study of instructions per byte, if it was made."""
    side = _intensity(data)["side"]
    note = (
        f"Counted on a grid of {side} by {side} cells with permuted vertices, all rounds; "
        "first neighbour. Instructions are those of PTX, times 32 lanes. Sectors are pieces of "
        "32 bytes that warps touch, without a cache; words are what lanes ask for, as if a "
        "cache held all the rest of a sector. The paper's numbers come from a profiler, for "
        "ecology1 (1000 by 1000) on a Tesla C2050, which is balanced at 4.06 instructions a "
        "byte; an H100 is at about 10 (132 multiprocessors, 128 lanes, 1.98 GHz, 3.35 TB/s). "
        "Below that, memory limits a kernel."
    )
    return with_rows(Table("Instructions per byte", INTENSITY, list(intensity_rows(data)), note))


def _intensity(data: Data) -> dict[str, Any]:
    """Return the study of instructions per byte; empty if it was not made."""
    found: dict[str, Any] = data.get("device_figures", {}).get("intensity")
    return found or {"side": 0, "kernels": {}}


def intensity_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the study of instructions per byte, one for each kernel."""
    for kernel, found in _intensity(data)["kernels"].items():
        yield [
            kernel,
            f"{found['edges']:,}",
            f"{found['instructions']:,}",
            human_bytes(found["sectors"]),
            human_bytes(found["words"]),
            f"{found['per_byte']:.2f}",
            f"{found['per_word_byte']:.2f}",
            f"{PUBLISHED_INTENSITY[kernel]:.2f}",
        ]


def per_byte(kernel: str) -> Callable[[Data], str | None]:
    """Return a kernel's instructions per byte of sectors, and of the words asked for."""

    def words(data: Data) -> str | None:
        found = _intensity(data)["kernels"].get(kernel)
        if found is None:
            return None
        return f"{found['per_byte']:.2f} (of words asked for: {found['per_word_byte']:.2f})"

    return words


def ratio_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the table of ratios, one for each comparison."""
    keys = {case.key for case in declared(data, "permutations")}
    for runner, prefix in (("redblue", ""), ("redblue_omp", "multicore ")):
        for name, table in ratios(data, COMPARISONS, runner, keys).items():
            means = {f: [row[f].mean for row in table.values() if f in row] for f in MEASURES}
            speeds = means["speed"]
            yield [
                prefix + name,
                str(len(table)),
                *(_percent(means[measure]) for measure in ("size", "weight")),
                rate_words(geometric_mean(speeds)) if speeds else "–",
                rate_words(max(speeds)) if speeds else "–",
                *PUBLISHED[prefix + name],
            ]


def _percent(values: list[float]) -> str:
    return f"{sum(values) / len(values):.2%}" if values else "–"


def size_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the table of sizes, one for each way to choose a neighbour."""
    shares: dict[str, dict[str, float]] = {}
    labels = _labels(data)
    for graph, measured in data["measurements"].items():
        pairs = _pairs_of_algorithm_1(measured)
        for key, label in labels.items():
            found = measured.get(key, {})
            if pairs and _is_fast(key, found):
                share = found["figures"]["cardinality"] / pairs
                shares.setdefault(label, {})[graph] = share
    for label, row in shares.items():
        mean, least = sum(row.values()) / len(row), min(row, key=lambda graph: row[graph])
        yield [
            label,
            str(len(row)),
            f"{mean:.2%}",
            f"{row[least]:.2%}",
            least,
            "yes" if mean > ENOUGH else "no",
        ]


def _labels(data: Data) -> dict[str, str]:
    """Return the labels of the cases that are listed, by key."""
    experiments = [data["experiments"].get(name, {"cases": []}) for name in LISTED]
    return {case["key"]: case["label"] for e in experiments for case in e["cases"]}


def _pairs_of_algorithm_1(measured: dict[str, Any]) -> int:
    """Return how many pairs algorithm 1 finds with random neighbours; 0 if it was not run."""
    for key, found in measured.items():
        if _is(key, found, "greedy_random") and found["params"]["select"] == "random":
            return int(found["figures"]["cardinality"])
    return 0


def matching_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the table of matchings, graph by graph, method by method."""
    cases = _labels(data)
    for graph, measured in data["measurements"].items():
        model = {
            terms: found["digest"]
            for key, found in measured.items()
            if _is_fast(key, found) and (terms := _terms(found["params"]))
        }
        pairs = _pairs_of_algorithm_1(measured)
        heaviest = next(
            (m["figures"]["weight"] for k, m in measured.items() if _is(k, m, "greedy_weighted")),
            None,
        )
        for key, label in cases.items():
            found = measured.get(key, {})
            if is_timed(key, found):
                yield [
                    graph,
                    label,
                    *_speed(data, graph, found),
                    *_work(found, data["graphs"][graph]["vertices"]),
                    f"{found['figures']['cardinality']:,}",
                    f"{found['figures']['cardinality'] / pairs:.2%}" if pairs else "–",
                    f"{found['figures']['weight']:,.1f}",
                    f"{found['figures']['weight'] / heaviest:.2%}" if heaviest else "–",
                    _same(found, model),
                ]


def _is(key: str, found: dict[str, Any], runner: str) -> bool:
    return "seconds" in found and key.startswith(f"{runner}(")


def _is_fast(key: str, found: dict[str, Any]) -> bool:
    """Return whether this is a run of the fast variant that :func:`_terms` describes."""
    ours = _is(key, found, "redblue") and found["params"]["variant"] == "fast"
    return ours and _terms(found["params"]) is not None


def _terms(params: dict[str, Any]) -> tuple[str, bool, str] | None:
    """Return the parameters that determine a matching; None if there are others."""
    if not set(params) <= {"variant", "threads", "select", "permute", "generator"}:
        return None
    return (
        params.get("select", ""),
        params.get("permute", False),
        params.get("generator", "md5"),
    )


def _speed(data: Data, graph: str, found: dict[str, Any]) -> list[str]:
    """Return time, rate and distance from the floor."""
    facts, seconds = data["graphs"][graph], found["seconds"]
    random = found["params"].get("select") in ("random", "first")
    least = facts["least_bytes_random" if random else "least_bytes"]
    return [
        human_time(max(seconds, 1e-9)),
        rate_words(facts["edges"] / max(seconds, 1e-9) / 1e6),
        f"{seconds * data['copy']['bandwidth'] / least:.1f}",
    ]


def _work(found: dict[str, Any], vertices: int) -> list[str]:
    """Return the rounds, and the share of the vertices that the first one matched."""
    rounds, matched = found["figures"].get("rounds"), found["kept"].get("matched")
    return [
        "–" if rounds is None else str(rounds),
        f"{matched[0] / vertices:.2%}" if matched and vertices else "–",
    ]


def _same(found: dict[str, Any], model: dict[Any, str]) -> str:
    """Return whether a method found the fast variant's matching, as text."""
    same = model.get(_terms(found["params"])) == found["digest"]
    return "as fast" if same else "another"
