"""Tables 1 and 2 of the paper, as printed.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013, section 4.
"""

from __future__ import annotations

from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Table

#: Variants in the order of table 1.
VARIANTS = tuple(
    f"{phases}_gpubfs{search}_{threads}"
    for phases in ("apfb", "apsb")
    for search in ("", "_wr")
    for threads in ("mt", "ct")
)
#: Geometric means in seconds on a Tesla C2050, by set.
TABLE_1 = {
    "O_S1": (2.96, 1.89, 2.12, 1.34, 3.68, 2.88, 2.98, 2.27),
    "O_Hardest20": (4.28, 2.70, 3.21, 1.93, 5.23, 4.14, 4.20, 3.13),
    "RCP_S1": (3.66, 3.24, 1.13, 1.05, 3.52, 3.33, 2.22, 2.14),
    "RCP_Hardest20": (7.27, 5.79, 3.37, 2.85, 12.06, 10.75, 8.17, 7.41),
}
#: Methods of table 2.
METHODS = ("GPU", "P-DBFS", "PFP", "HK")
#: Name, then seconds of the methods on the original and on the permuted graph.
TABLE_2 = (
    ("roadNet-CA", 0.34, 0.53, 0.95, 2.48, 0.39, 1.88, 3.05, 4.89),
    ("delaunay_n23", 0.96, 1.26, 2.68, 1.11, 0.9, 5.56, 3.27, 14.34),
    ("coPapersDBLP", 0.42, 6.27, 3.11, 1.62, 0.38, 1.25, 0.29, 1.26),
    ("kron_g500-logn21", 0.99, 1.5, 5.37, 4.73, 3.71, 4.01, 64.29, 16.08),
    ("amazon-2008", 0.11, 0.18, 6.11, 1.85, 0.41, 1.37, 61.32, 4.69),
    ("delaunay_n24", 1.98, 2.41, 6.43, 2.22, 1.86, 12.84, 6.92, 35.24),
    ("as-Skitter", 0.49, 1.89, 7.79, 3.56, 3.27, 5.74, 472.63, 29.63),
    ("amazon0505", 0.18, 22.7, 9.05, 1.87, 0.24, 15.23, 17.59, 2.23),
    ("wikipedia-20070206", 1.09, 5.24, 11.98, 6.52, 1.05, 5.99, 9.74, 5.73),
    ("Hamrle3", 1.36, 2.7, 0.04, 12.61, 3.85, 7.39, 37.71, 57.0),
    ("hugetrace-00020", 7.9, 393.13, 15.95, 15.02, 1.52, 9.97, 8.68, 38.27),
    ("hugebubbles-00000", 13.16, 3.55, 19.81, 5.56, 1.8, 10.91, 10.03, 38.97),
    ("wb-edu", 33.82, 8.61, 3.38, 20.35, 17.43, 20.1, 9.49, 51.14),
    ("rgg_n_2_24_s0", 3.68, 2.25, 25.4, 0.12, 2.2, 12.5, 5.72, 31.78),
    ("patents", 0.88, 0.84, 92.03, 16.18, 0.91, 0.97, 101.76, 18.3),
    ("italy_osm", 5.86, 1.2, 1.02, 122.0, 0.7, 3.97, 6.24, 18.34),
    ("soc-LiveJournal1", 3.32, 14.35, 243.91, 21.16, 3.73, 7.14, 343.94, 20.71),
    ("ljournal-2008", 2.37, 10.3, 360.31, 17.66, 6.9, 7.58, 176.69, 23.45),
    ("europe_osm", 57.53, 11.21, 14.15, 1911.56, 7.21, 37.93, 68.18, 197.03),
    ("com-livejournal", 4.58, 22.46, 2879.36, 34.28, 5.88, 17.19, 165.32, 29.4),
)


#: The matrices of table 2 in the SuiteSparse collection, in its order, original and permuted.
REAL = tuple(
    f"suitesparse:{place}{order}"
    for place in (
        "SNAP/roadNet-CA",
        "DIMACS10/delaunay_n23",
        "DIMACS10/coPapersDBLP",
        "DIMACS10/kron_g500-logn21",
        "LAW/amazon-2008",
        "DIMACS10/delaunay_n24",
        "SNAP/as-Skitter",
        "SNAP/amazon0505",
        "Gleich/wikipedia-20070206",
        "Hamrle/Hamrle3",
        "DIMACS10/hugetrace-00020",
        "DIMACS10/hugebubbles-00000",
        "Gleich/wb-edu",
        "DIMACS10/rgg_n_2_24_s0",
        "Pajek/patents",
        "DIMACS10/italy_osm",
        "SNAP/soc-LiveJournal1",
        "LAW/ljournal-2008",
        "DIMACS10/europe_osm",
        "SNAP/com-LiveJournal",
    )
    for order in ("", "_perm")
)


def mean_speed_up(*bases: str) -> float:
    """Return the GPU's geometric mean over the fastest of some methods, on the original graphs.

    It is computed from table 2.

    Examples
    --------
    >>> round(mean_speed_up("HK"), 2), round(mean_speed_up("PFP", "HK"), 2)
    (3.95, 1.59)
    """
    places = [METHODS.index(base) for base in bases]
    times = [row[1 : 1 + len(METHODS)] for row in TABLE_2]
    return geometric_mean([min(float(row[p]) for p in places) / float(row[0]) for row in times])


def table_1() -> Table:
    """Return the paper's table 1."""
    rows = [[name, *(f"{seconds:.2f} s" for seconds in row)] for name, row in TABLE_1.items()]
    return Table("The paper's table 1", ("set", *VARIANTS), rows, "Tesla C2050, 256 x 256 threads.")


def table_2() -> Table:
    """Return the paper's table 2, the twenty hardest graphs."""
    head = ("matrix", *METHODS, *(f"{name}, permuted" for name in METHODS))
    rows = [[name, *(f"{seconds:.2f} s" for seconds in row)] for name, *row in TABLE_2]
    note = "Tesla C2050; 8 threads of two quad-core Xeons at 2.27 GHz."
    return Table("The paper's table 2: the hardest twenty", head, rows, note)
