"""What the notes on graphs that no one tuned for say is what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import geometric_mean

FOLDER = Path(__file__).parents[2] / "benchmarks"


def cells(notes, heading):
    """Return the rows of a section's table by their first cell."""
    section = notes.partition(f"## {heading}")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {first.strip(): [cell.strip() for cell in rest] for first, *rest in rows}


def like(cell, value):
    """Return a value with as many digits as a cell has."""
    return f"{value:,.{len(cell.partition('.')[2])}f}"


def dotted(value, digits):
    """Return a number below 1 as the notes have it."""
    return f"{value:.{digits}f}".removeprefix("0")


def test_what_the_notes_say_of_the_comparison():
    folder = FOLDER / "results" / "unseen-h200"
    said = " ".join((folder / "notes.md").read_text().split())
    now, forenoon, dawn, night, evening, earlier, morning, day = (
        {row["kind"]: row["methods"] for row in json.loads((folder / name).read_text())["rows"]}
        for name in (
            "unseen.json",
            "unseen_forenoon.json",
            "unseen_dawn.json",
            "unseen_night.json",
            "unseen_evening.json",
            "unseen_earlier.json",
            "unseen_morning.json",
            "unseen_day_before.json",
        )
    )
    ours, peers = ("fast", "leiden"), ("cugraph_louvain", "cugraph_leiden")

    def times(found, method, when):
        return [methods[method]["seconds"][when] for methods in found.values()]

    def ratios(found, when):
        pairs = zip(ours, peers, strict=True)
        return [
            [
                b / a
                for a, b in zip(
                    times(found, one, when[0]), times(found, other, when[1]), strict=True
                )
            ]
            for one, other in pairs
        ]

    fast, leiden = ratios(now, ("median", "median"))
    means, least = (
        " and ".join(f"{of(one):.1f}" for one in (fast, leiden)) for of in (geometric_mean, min)
    )
    assert f"By medians of both it is {means} times, at least {least}" in said
    for found in (forenoon, dawn, night, evening, earlier, morning, day):
        means = [geometric_mean(one) for one in ratios(found, ("worst", "best"))]
        assert f"{means[0]:.1f} and {means[1]:.1f}" in said
    fast, leiden, theirs, other = (
        geometric_mean(
            methods[one]["seconds"][when] / forenoon[kind][one]["seconds"][when]
            for kind, methods in now.items()
        )
        for one, when in zip((*ours, *peers), ("median", "median", "best", "best"), strict=True)
    )
    assert f"are {dotted(fast, 2)} of what they were (`fast`) and {dotted(leiden, 2)}" in said
    theirs, other = dotted(theirs, 2), dotted(other, 2)
    assert f"cuGraph's best times are {theirs} of theirs (Louvain) and {other}" in said
    for kind in ("R-MAT", "Chung-Lu"):
        of_seeds = [
            found[kind][peers[0]]["seconds"]["best"]
            for found in (day, morning, earlier, evening, night, dawn, forenoon, now)
        ]
        listed = "{}, {}, {}, {}, {}, {}, {} and {}".format(*(dotted(s, 2) for s in of_seeds))
        assert f"on {kind} {listed}" in said.replace(" s with eight seeds", "")
    below = {
        kind: methods[peers[0]]["seconds"]["best"] / methods["fast"]["seconds"]["worst"]
        for kind, methods in now.items()
        if methods[peers[0]]["seconds"]["best"] < 10 * methods["fast"]["seconds"]["worst"]
    }
    assert [*below] == ["ring of cliques"]
    ring = [
        1e3 * found["ring of cliques"][peers[0]]["seconds"]["best"]
        for found in (day, morning, earlier, evening, night, dawn, forenoon, now)
    ]
    assert (
        f"the ring of cliques ({below['ring of cliques']:.1f}), which cuGraph has done in "
        f"{min(ring):.0f} to {max(ring):.0f} ms"
    ) in said
    median = {kind: 1e3 * methods["fast"]["seconds"]["median"] for kind, methods in now.items()}
    some = [median[kind] for kind in ("facebook-pages", "delaunay_n16", "usa-road-ny")]
    assert (
        f"{median['ca-hepth']:.2f} ms for 26,000 edges, {min(some):.1f} to {max(some):.1f} for "
        f"171,000 to 365,000, {median['dblp-2010']:.1f} for 808,000"
    ) in said
    of_seeds = [
        found["Chung-Lu"][peers[0]]["seconds"]["best"]
        for found in (day, morning, earlier, evening, night, dawn, forenoon, now)
    ]
    assert min(of_seeds) < 10 * now["Chung-Lu"]["fast"]["seconds"]["worst"]
    assert max(of_seeds) > 3 * min(of_seeds)
    apart = {
        kind: [100 * methods[one]["modularity"]["spread"] for one in ours]
        for kind, methods in now.items()
    }
    hard = {kind: apart.pop(kind) for kind in ("Chung-Lu", "preferential attachment", "R-MAT")}
    assert f"at most {dotted(max(map(max, apart.values())), 2)} %" in said
    for kind, (fast, leiden) in hard.items():
        words = f"on {kind} by {fast:.1f} %", f"{dotted(leiden, 1)} %"
        assert words[0] in said and words[1] in said.partition(words[0])[2][:40], kind
    assert all(
        methods[one]["modularity"]["worst"] > methods[other]["modularity"]["best"]
        for methods in now.values()
        for one, other in zip(ours, peers, strict=True)
    )


def test_what_the_notes_say_of_later_stages():
    folder = FOLDER / "results" / "unseen-h200"
    section = (folder / "notes.md").read_text().partition("\n## Later stages")
    said = " ".join(section[2].partition("\n## ")[0].split())
    parts = {
        name: {row["kind"]: row for row in rows}
        for name, rows in json.loads((folder / "later.json").read_text()).items()
        if isinstance(rows, list)
    }

    def change(part, kind, digits):
        row = parts[part][kind]
        return f"{kind} {row['before']['median']:.{digits}f} to {row['after']['median']:.{digits}f}"

    for part, digits in (("one launch", 1), ("dense cores", 2), ("two parts, early", 2)):
        kinds = ("ca-hepth", "dblp-2010", "facebook-pages") if digits == 2 else parts[part]
        first, *rest = (change(part, kind, digits) for kind in kinds)
        assert ", ".join([f"{first} ms", *rest]) in said
    third, sixth = (parts["large hubs"][f"Chung-Lu, 1/{part}"] for part in (3, 6))
    assert (
        "take {:.1f} ms ({:.1f} before) and {:.1f} ({:.1f})".format(
            *(row[when]["median"] for row in (third, sixth) for when in ("after", "before"))
        )
        in said
    )
    ring = parts["few parts"]["ring of cliques"]
    two, one, four = (dotted(ring[n]["modularity"][0], 5) for n in ("two", "one", "four"))
    assert f"{two} at least and {one}, with four {four}" in said
    world = parts["warps for up to 256 edges"]["small world"]
    wide, narrow = world["with"]["median"], world["without"]["median"]
    assert f"{wide:.1f} ms, without {narrow:.1f}" in said
    attached = parts["large hubs"]["preferential attachment, 1/4"]
    fewer, taken = attached["of 4096"]["median"], attached["after"]["median"]
    assert f"{fewer:.1f} ms, with 8,192 {taken:.1f}" in said
    launches = json.loads((folder / "later.json").read_text())["rows of one launch"]["launches"]
    (ca, ca_before), (dblp, dblp_before) = (
        [round(time / sweeps) for _, _, sweeps, time in launch["rows"][k : k - 2 : -1]]
        for k, launch in zip((3, 4), launches[:2], strict=True)
    )
    assert (
        f"took {dblp} microseconds, of ca-hepth's {ca}, where those of the stage before took "
        f"{dblp_before} and {ca_before}"
    ) in said
    network = parts["dense graph in one launch"]["ego-twitter"]["launches"]
    least, most = (dotted(one, 5) for one in network["modularity"])
    *times, longest = network["times"]
    assert (
        f"by launches had {least} to {most}, and took {times[0]:.1f} to {times[-1]:.1f} ms but for "
        f"one of {longest:.1f}"
    ) in said
    (methods,) = (
        row["methods"]
        for row in json.loads((folder / "unseen_earlier.json").read_text())["rows"]
        if row["kind"] == "ego-twitter"
    )
    worst, theirs = (
        methods[one]["modularity"][when]
        for one, when in (("fast", "worst"), ("cugraph_louvain", "best"))
    )
    assert f"one of ten runs had {dotted(worst, 5)} of modularity" in said
    assert f"which is {dotted(theirs - worst, 5)} below" in said


def test_the_notes_are_those_of_the_results():
    folder = FOLDER / "results" / "unseen-h200"
    notes = (folder / "notes.md").read_text()
    table = cells(notes, "Communities: ")
    for row in json.loads((folder / "unseen.json").read_text())["rows"]:
        edges, *found = table.pop(row["kind"])
        wanted = [f"{row['edges']:,}"]
        for ours, peer in (("fast", "cugraph_louvain"), ("leiden", "cugraph_leiden")):
            one, other = row["methods"][ours], row["methods"][peer]
            slow, quick = 1e3 * one["seconds"]["worst"], 1e3 * other["seconds"]["best"]
            reached = one["modularity"]
            wanted += [
                like(found[0], slow),
                f"{reached['worst']:.5f} to {reached['best']:.5f}",
                like(found[2], quick),
                f"{other['modularity']['best']:.5f}",
                f"{quick / slow:.1f}",
            ]
            found = [*found[5:], *found[:5]]
        assert [edges, *found] == wanted, row["kind"]
    assert [*table] == ["graph", "---"]
    table = cells(notes, "The host waits less")
    rows = json.loads((folder / "waits.json").read_text())["rows"]
    for row in rows:
        found, times = table.pop(row["kind"]), [row[when]["median"] for when in ("before", "after")]
        assert found == [like(cell, time) for cell, time in zip(found, times, strict=True)]
    assert [*table] == ["graph", "---"]
    ratio = geometric_mean(row["after"]["median"] / row["before"]["median"] for row in rows)
    assert f"{ratio:.2f}".lstrip("0") + " of the time in the geometric mean" in notes
    table = cells(notes, "A warp that searches together")
    searches = json.loads((folder / "searches.json").read_text())
    processes = "before", "after", "five queued"
    for row in searches["rows"]:
        both = [row[ours][when]["median"] for ours in ("fast", "leiden") for when in processes]
        both += [row["fast"][when]["later_sweeps"] for when in processes[:2]]
        found = table.pop(row["kind"])
        assert found == [
            like(cell, time).removeprefix("0") for cell, time in zip(found, both, strict=True)
        ]
    assert [*table] == ["graph", "---"]
    means = [
        geometric_mean(
            row[ours][when]["median"] / row[ours]["before"]["median"] for row in searches["rows"]
        )
        for when in processes[1:]
        for ours in ("fast", "leiden")
    ]
    fast, leiden, *queued = (f"{mean:.2f}".removeprefix("0") for mean in means)
    said = " ".join(notes.split())
    assert (
        f"{fast} of the time of `fast` in the geometric mean of medians, {leiden} of that" in said
    )
    assert f"with five queued, {queued[0]} and {queued[1]}" in said
    profile = searches["profile"]
    visits, after = profile["before"]["visits"], profile["before"]["after_each_search"][-1]
    assert f"of {visits:,} visits" in said
    assert f"executed {after:,} times, {after / visits:.1f} times a visit" in said
    tried = searches["tried"]["later_sweeps"]
    assert f"{tried['with']:.1f} instead of {tried['without']:.1f} ms" in said
    both = searches["tried"]["counting, and four parts at a time"]
    chung, ring = (both[kind][1] / both[kind][0] for kind in ("Chung-Lu", "ring of cliques"))
    assert f"{chung:.2f} of the time before on Chung-Lu and {ring:.2f} on the ring" in said
    table = cells(notes, "ν-Louvain")
    for row in json.loads((folder / "nu_louvain.json").read_text())["rows"]:
        ours, peer = row["fast"], row["nu_louvain"]
        slow, quality, quick, other, times = table.pop(row["kind"])
        worst, best = 1e3 * max(ours["seconds"]), 1e3 * min(peer["seconds"])
        assert [slow, quick, times] == [like(slow, worst), like(quick, best), f"{best / worst:.1f}"]
        qualities = min(ours["modularity"]), max(peer["modularity"])
        assert [quality, other] == [f"{value:.5f}" for value in qualities]
        assert qualities[0] > qualities[1]
    assert [*table] == ["graph", "---"]
    table = cells(notes, "Maximum matchings")
    for row in json.loads((folder / "unseen_bipartite.json").read_text())["rows"]:
        ours, peer = row["methods"]["fast"], row["methods"]["ecl_mm"]
        _, entries, slow, quick, times, cardinality = table.pop(row["kind"])
        worst, best = 1e3 * ours["seconds"]["worst"], 1e3 * peer["seconds"]["best"]
        assert [entries, cardinality] == [
            f"{value:,}" for value in (row["edges"], ours["cardinality"]["worst"])
        ]
        assert [slow, quick, times] == [like(slow, worst), like(quick, best), f"{best / worst:.1f}"]
    assert [*table] == ["graph", "---"]
