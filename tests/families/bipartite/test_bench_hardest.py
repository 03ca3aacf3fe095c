"""The paper's sets of hard matrices, and the tables on them."""

from gpucore.families.bipartite.bench import suite as bipartite
from gpucore.families.bipartite.bench.cases import COMMON_BEST, COMMON_FAST, HK, PFP, multicore
from gpucore.families.bipartite.bench.hardest import hardest, hardest_tables, paper_sets


def hard_session(seconds):
    """Make the results of matrices whose sequential times, PFP and Hopcroft-Karp, are given."""
    cases = [COMMON_FAST, COMMON_BEST, *multicore(2), PFP, HK]
    measurements = {}
    for graph, (pfp, hk) in seconds.items():
        times = {case.key: 0.5 for case in cases} | {PFP.key: pfp, HK.key: hk}
        measurements[graph] = {
            key: {"limit": 9.0} if t is None else {"seconds": t + 1, "after": t}
            for key, t in times.items()
        }
    named = [{"label": case.label, "key": case.key} for case in cases]
    return {
        "experiments": {"hardest": {"cases": named, "clock": "after"}},
        "graphs": {graph: {"sets": bipartite.sets(graph)} for graph in seconds},
        "measurements": measurements,
    }


def test_the_hardest_are_those_of_the_slower_sequential_method():
    """The first rows of the paper's table 2, in its order."""
    table_2 = {
        "Hamrle3": (0.04, 12.61),
        "roadNet-CA": (0.95, 2.48),
        "delaunay_n24": (6.43, 2.22),
        "kron_g500-logn21": (5.37, 4.73),
        "amazon-2008": (6.11, 1.85),
        "easy": (0.9, 0.8),
    }
    data = hard_session(table_2)
    assert hardest(data, "original")[1:] == [
        *("roadNet-CA", "kron_g500-logn21", "amazon-2008"),
        *("delaunay_n24", "Hamrle3"),
    ]
    assert hardest(data, "original", 2) == ["delaunay_n24", "Hamrle3"]
    assert [(name, len(graphs)) for name, graphs in paper_sets(data)] == [
        ("original", 6),
        ("original, over 1 s", 5),
    ]


def test_table_2_has_both_orders_and_figure_5_the_means_of_sets():
    many = {f"m{i}": (1.0 + i, 0.1) for i in range(22)}
    data = hard_session({**many, "m21_perm": (None, 4.0), "m3_perm": (2.0, 8.0)})
    table, permuted, means = hardest_tables(data)
    assert [row[0] for row in table.rows] == [f"m{i}" for i in range(2, 22)]
    assert len(table.head) == len(table.rows[0]) == 1 + 2 * 5
    last = dict(zip(table.head, table.rows[-1], strict=True))
    assert (last["PFP"], last["PFP, permuted"]) == ("22 s", "more than 9 s")
    assert last["P-DBFS"] == last["P-DBFS, permuted"] == "500 ms"
    assert table.rows[0][-1] == "–"  # not measured in random order
    assert [row[0] for row in permuted.rows] == ["m3_perm", "m21_perm"]
    assert [row[:2] for row in means.rows] == [
        ["original", "22"],
        ["original, over 1 s", "21"],
        ["original, hardest 20", "20"],
        ["permuted", "2"],
        ["permuted, over 1 s", "2"],
    ]
    assert means.rows[3][2:] == ["4.00", "11.31", "4.00", "11.31"]
    assert hardest_tables({"experiments": {}}) == []
