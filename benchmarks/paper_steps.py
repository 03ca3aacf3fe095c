"""Steps of ``papers.py``: experiments and figures, their graphs, and the order of measuring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpucore.bench.suite import Case
from gpucore.families.redblue.bench.cases import COLLECTION


def on_device(case: Case) -> bool:
    """Keep what runs on the device."""
    return case.where == "device"


def on_all_cores(case: Case) -> bool:
    """Keep what runs on many cores of the processor, in this process, without other programs."""
    return case.where == "cpu" and not case.separate and case.runs is None


def own_on_all_cores(case: Case) -> bool:
    """Keep the same without libraries, which convert a large graph for longer than they run."""
    return on_all_cores(case) and not case.optional


def together(case: Case) -> bool:
    """Keep what runs in this process."""
    return not case.separate


def sequential(case: Case) -> bool:
    """Keep what runs in processes of its own; igraph takes too long."""
    return case.separate and case.runner != "igraph_multilevel"


def everything(_case: Case) -> bool:
    """Keep all cases."""
    return True


def own(case: Case) -> bool:
    """Keep our own methods, sequential ones too."""
    return not case.optional


def on_processor(case: Case) -> bool:
    """Keep what runs on the processor."""
    return case.where == "cpu"


def mcvitie_wilson(case: Case) -> bool:
    """Keep the kernels, and the methods of McVitie and Wilson on the processor."""
    return case.where == "device" or case.runner.startswith("mcvitie_wilson")


def mcvitie_wilson_alone(case: Case) -> bool:
    """Keep sequential McVitie-Wilson."""
    return case.runner == "mcvitie_wilson"


def mcvitie_wilson_omp(case: Case) -> bool:
    """Keep the kernels, and McVitie-Wilson on several cores."""
    return case.where == "device" or case.runner == "mcvitie_wilson_omp"


def parallel(case: Case) -> bool:
    """Keep our own methods but for the sequential ones."""
    return case.where == "device" or "threads" in case.params


@dataclass(frozen=True)
class Step:
    """Experiments of a family that are measured one after the other.

    Attributes
    ----------
    family : str
        The family.
    experiments : str
        Names of its suite's experiments, or slugs of its paper's figures; empty for all of both.
    graphs : str
        Names; those of `small` replace them in a small session.
    keep : callable
        The cases that are measured.
    case_limit, run_limit : float
        As for :class:`gpucore.bench.plan.Plan`.
    alone : bool
        Whether sequential methods run one after the other in the session's process, with nothing
        beside them, instead of in processes of their own.
    least : float
        Seconds that must be left: a step with a large instance cannot be ended while it is made.
    """

    family: str
    experiments: str
    graphs: str
    keep: Callable[[Case], bool]
    case_limit: float = 0.5
    run_limit: float = 20.0
    alone: bool = False
    least: float = 1.0


GRAPHS = "delaunay20 delaunay21 grid sbm rgg21 rmat20 rgg22 rmat22"
#: One of each class, and a smaller grid that is like ecology1.
CLASSES, MESHES = "delaunay20 sbm rgg21 grid rmat20", "grid1000 delaunay20"
MATRICES = (
    "bip_delaunay20 bip_delaunay20_perm uni3 uni5 bip_rmat20 bip_rmat20_perm bip_grid_perm bip_grid"
)
NO_GRIDS = "bip_delaunay20 bip_delaunay20_perm uni3 uni5 bip_rmat20 bip_rmat20_perm"
#: The figures of Louvain without those of thresholds, which take most runs.
LOUVAIN = (
    "contest table-1 figure-3 figure-4 figures-5-and-6 section-V-relaxed section-V-lanes "
    "section-V-TEPS"
)
STEPS = (
    Step("communities", LOUVAIN, GRAPHS, on_device),
    Step("bipartite", "contest table-1 figure-2 figure-3", MATRICES, on_device, 0.4, 15.0),
    Step("redblue", "contest", GRAPHS, on_device, 0.2),
    Step("redblue", "figure-2 figure-3", "grid1000 " + CLASSES, on_device, 0.1),
    Step("communities", "figure-1 figure-2", CLASSES, on_device, 0.05),
)
AFTER = (
    Step("bipartite", "contest", MATRICES, on_all_cores, 0.2, 12.0),
    Step("redblue", "contest threads figure-4", CLASSES, on_all_cores, 0.2),
    Step("redblue", "figure-5", MESHES, together, 0.0),
    Step("communities", "figure-7", "delaunay20 delaunay21 " + CLASSES, on_all_cores, 0.0, 30.0),
    Step("bipartite", "peers", MATRICES, together, 0.0, 30.0),
    Step("bipartite", "whole initial recording", NO_GRIDS, on_device, 0.2, 5.0),
    Step("communities", "peers", "delaunay20 grid rgg21 rmat20", together, 0.0, 60.0),
    Step("communities", "figure-7", "rgg22 rmat22", own_on_all_cores, 0.0, 40.0),
    Step("communities", "figure-1 figure-2", "delaunay21 rgg22 rmat22", on_device, 0.05),
    Step("communities", "rules leiden first_sweep node_centred", GRAPHS, together, 0.2),
    Step("redblue", "select quality rounds recording intensity", CLASSES, on_device, 0.1),
    Step("communities", "recording fast_thresholds", "delaunay20 sbm", on_device, 0.05),
    Step("redblue", "probability numbering", "delaunay20 rmat20", on_device, 0.0),
    Step("bipartite", "whole initial recording", "bip_grid_perm bip_grid", on_device, 0.0, 2.0),
    Step("bipartite", "work", NO_GRIDS, on_device, 0.0, 5.0),
    Step("communities", "multicore processor", CLASSES, on_all_cores, 0.0, 30.0),
    Step("redblue", "permutations", MESHES, together, 0.0),
    Step("redblue", "contest quality", GRAPHS, together, 0.1),
)
ASIDE = {
    "communities": (Step("communities", "", GRAPHS, sequential, 1.0, 140.0),),
    "bipartite": (Step("bipartite", "", MATRICES, sequential, 1.0, 110.0),),
    "redblue": (
        Step("redblue", "contest quality", GRAPHS, sequential, 1.0, 60.0),
        Step("redblue", "figure-5", MESHES, sequential, 0.1, 60.0),
    ),
}
#: Processes at a time of the sequential methods.
PROCESSES = {"communities": 3, "bipartite": 3, "redblue": 2}


def instances(kind: str, men: int, first: int = 1) -> str:
    """Return the names of the instances of a size; the paper has five of each."""
    return " ".join(f"{kind}:n={men},seed={seed}" for seed in range(first, 6))


#: Four more instances of two sizes.
OTHERS = f"{instances('easy', 5_000_000, 2)} {instances('hard', 100_000, 2)}"
#: Matrices on which sequential methods take less than 25 s; on uni3 two need more than 110 s each.
QUICK = "bip_delaunay20 bip_delaunay20_perm bip_rmat20 bip_rmat20_perm"
#: What earlier sessions left out, the most important per second first; sequential methods run
#: alone. Estimates on 16 cores, in the order of the steps: 40, 45, 25, 110, 90, 110, 40, 25, 15,
#: 60, 65, 10, 20, 45, 20, 20, 100 s. Left out: Gale-Shapley on 16 threads with 100,000 men and more
#: (30 s to 760 s, and it is the slower one), sequential methods with more than 50,000 (hard) or
#: 5 million men (an earlier file has 25 million), sequential matching on uni3 and uni5.
REST = (
    Step("marriage", "figure-6 figure-8", "hard10k hard20k", everything, 0.5, 20.0, alone=True),
    Step("marriage", "figure-4 figure-7", "easy1m easy2m easy5m", everything, 0.5, alone=True),
    Step("marriage", "figure-6 figure-8", "hard50k", mcvitie_wilson, 0.0, alone=True),
    # One experiment, so that the instance is made once; its cases include those of figure 3.
    Step("marriage", "figure-1", "easy125m", mcvitie_wilson_omp, 0.0, 60.0, True, 130.0),
    Step("marriage", "figure-1", "easy100m", mcvitie_wilson_omp, 0.0, 60.0, True, 105.0),
    Step("communities", "figure-7 node_centred", CLASSES, together, 0.0, 40.0, least=15.0),
    Step("matching", "figure-4 figure-5", CLASSES, on_device, 0.1, least=15.0),
    Step("redblue", "contest", CLASSES, own, 0.2, alone=True, least=15.0),
    Step("marriage", "figure-1", "easy25m", parallel, 0.5, alone=True, least=15.0),
    Step("marriage", "figure-1 figure-5", OTHERS, mcvitie_wilson_omp, 1.0, alone=True),
    Step("bipartite", "table-1 figure-3", QUICK, own, 0.2, 60.0, alone=True, least=15.0),
    Step("marriage", "figure-5", "hard100k", mcvitie_wilson_omp, 1.0, alone=True),
    Step("marriage", "figure-5", "hard200k", mcvitie_wilson_omp, 1.0, 40.0, alone=True),
    Step("redblue", "figure-5", MESHES, own, 0.0, alone=True),
    Step("marriage", "figure-5", "hard300k hard400k hard500k", on_device, 1.0),
    Step("bipartite", "table-1 figure-3", "uni3 uni5", parallel, 0.2, 20.0, alone=True),
    Step("marriage", "figure-5", "hard500k", mcvitie_wilson_omp, 1.0, 160.0, True, 130.0),
)
#: All sizes of marriage, five instances of each, every method on the processor by threads; small
#: ones first. Figure 4 has all cases of figures 1, 3 and 7 that are not on a device, figure 6 those
#: of figures 5 and 8. With 125 million men an instance takes 66 GB.
MARRIAGE = tuple(
    Step("marriage", figure, instances(kind, men), on_processor, 1.0, alone=True)
    for figure, kind, sizes in (
        ("figure-4", "easy", range(5_000_000, 30_000_000, 5_000_000)),
        ("figure-6", "hard", range(100_000, 600_000, 100_000)),
        ("figure-4", "easy", range(50_000_000, 150_000_000, 25_000_000)),
    )
    for men in sizes
)


def of_size(
    kind: str,
    men: int,
    keep: Callable[[Case], bool],
    least: float,
    others: Callable[[Case], bool] | None = None,
) -> tuple[Step, Step]:
    """Return the steps of the first instance of a size, and of the other four."""
    figure, names = {"hard": "figure-5", "easy": "figure-1"}[kind], f"{kind}:n={men},seed=1"
    first = Step("marriage", figure, names, keep, 1.0, 170.0, True, least)
    four = replace(first, graphs=instances(kind, men, 2), keep=others or keep)
    return first, four


#: Sizes of marriage with the methods that end within two minutes, the most important per second
#: first. Estimates of the first instances on 16 cores, in this order: 35, 50, 60, 17, 40, 50, 75,
#: 70, 60, 30, 45, 15 s; without the last method Gale-Shapley on 16 threads takes 30 s of the 60.
FIRST, OTHER_FOUR = zip(
    of_size("hard", 300_000, mcvitie_wilson_omp, 40.0),
    of_size("hard", 400_000, mcvitie_wilson_omp, 60.0),
    of_size("hard", 100_000, everything, 10.0, mcvitie_wilson_omp),
    of_size("hard", 200_000, mcvitie_wilson_omp, 15.0),
    of_size("easy", 15_000_000, everything, 25.0),
    of_size("easy", 50_000_000, parallel, 50.0),
    of_size("easy", 75_000_000, parallel, 75.0),
    of_size("hard", 500_000, mcvitie_wilson_omp, 75.0),
    of_size("easy", 25_000_000, everything, 40.0),
    of_size("easy", 10_000_000, everything, 15.0),
    of_size("easy", 20_000_000, everything, 30.0),
    of_size("easy", 5_000_000, everything, 10.0),
    strict=True,
)


def with_threads(gale_shapley: int) -> Callable[[Case], bool]:
    """Keep the kernels, sequential McVitie-Wilson, and both methods with enough threads."""
    least = {"gale_shapley_omp": gale_shapley, "mcvitie_wilson_omp": 8}
    return lambda case: (
        case.params["threads"] >= least[case.runner]
        if case.runner in least
        else mcvitie_wilson(case)
    )


def no_stack(case: Case) -> bool:
    """Keep all but sequential McVitie-Wilson, the slower one on the easy set."""
    return not mcvitie_wilson_alone(case)


#: By threads beyond 100,000 men, and more sizes with five instances. Estimates on 16 cores, in this
#: order: 95, 55, 40, 30, 90 s.
MORE = (
    Step(
        "marriage", "figure-5 figure-6", "hard:n=200000,seed=1", with_threads(16), 1.0, 60.0, True
    ),
    Step("marriage", "figure-5 figure-6", "hard:n=100000,seed=1", with_threads(8), 1.0, 40.0, True),
    Step(
        "marriage", "figure-5", instances("hard", 200_000, 2), mcvitie_wilson_omp, 1.0, alone=True
    ),
    Step("marriage", "figure-1", "easy:n=10000000,seed=1", everything, 1.0, alone=True),
    Step("marriage", "figure-1", instances("easy", 10_000_000, 2), no_stack, 1.0, alone=True),
)


def on_threads(case: Case) -> bool:
    """Keep both methods on all cores."""
    return "threads" in case.params


def piece(
    figure: str, kind: str, men: int, keep: Callable[[Case], bool], seconds: float, seed: int = 1
) -> Step:
    """Return a step of one instance, which begins only if its estimated seconds are left."""
    return Step("marriage", figure, f"{kind}:n={men},seed={seed}", keep, 0.0, 300.0, True, seconds)


#: The paper's largest sizes, for two calls of ten minutes on 16 cores; the most wanted first.
LARGE = (
    piece("figure-5", "hard", 500_000, mcvitie_wilson_omp, 75.0),
    piece("figure-5", "hard", 500_000, on_threads, 220.0),
    piece("figure-5", "hard", 400_000, mcvitie_wilson_omp, 45.0),
    piece("figure-5", "hard", 400_000, on_threads, 145.0),
    piece("figure-1", "easy", 100_000_000, parallel, 135.0),
    piece("figure-1", "easy", 125_000_000, parallel, 165.0),
    piece("figure-1", "easy", 75_000_000, parallel, 95.0),
    piece("figure-1", "easy", 50_000_000, everything, 135.0),
    piece("figure-6", "hard", 400_000, with_threads(16), 175.0),
    piece("figure-6", "hard", 500_000, mcvitie_wilson_alone, 115.0),
    piece("figure-5", "hard", 300_000, parallel, 100.0),
)
#: The other instances of sizes between, and what `LARGE` leaves to one thread.
FIVE = (
    piece("figure-5", "hard", 400_000, mcvitie_wilson_alone, 100.0),
    *(piece("figure-5", "hard", 300_000, mcvitie_wilson_omp, 32.0, seed) for seed in range(1, 6)),
    *(piece("figure-1", "easy", 25_000_000, parallel, 25.0, seed) for seed in range(1, 6)),
    *(piece("figure-1", "easy", 50_000_000, parallel, 50.0, seed) for seed in range(2, 6)),
)


def first(permutations: int) -> Callable[[Case], bool]:
    """Keep the first permutations of figure 5 of red/blue matching."""
    return lambda case: case.params["seed"] < permutations


#: Graphs with weights of their own; the last two are fetched.
OWN_WEIGHTS = "bcsstk13 netscience suitesparse:HB/bcsstk16 suitesparse:DIMACS10/ak2010"
#: Figure 5 of red/blue matching in the paper's way: every algorithm on the same permuted graphs.
PERMUTATIONS = (
    Step("redblue", "figure-5", OWN_WEIGHTS, everything, 0.0, alone=True),
    Step("redblue", "figure-5", "rmat20 rgg21 grid sbm", first(2), 0.0, alone=True, least=10.0),
    Step("redblue", "figure-5", MESHES, first(8), 0.0, alone=True),
    Step("redblue", "figure-5", "sbm rmat20 grid rgg21", first(8), 0.0, alone=True, least=10.0),
    Step("redblue", "figure-5", MESHES, everything, 0.0, alone=True),
)
#: Figures 3 to 5 of red/blue matching on matrices of the paper's collection, which are fetched:
#: 75 s on a card for eight permutations.
REAL = " ".join(COLLECTION)
WEIGHTED = (
    Step("redblue", "figure-4 figure-3", REAL, together, 0.0),
    Step("redblue", "figure-5", REAL, first(8), 0.0, alone=True),
    Step("redblue", "figure-5", REAL, everything, 0.0, alone=True),
)
#: Louvain beside the OpenMP code of Lu et al., and the first sweep of both: 10 s on a card.
CNR = "suitesparse:LAW/cnr-2000"
HASHING = (Step("communities", "first_sweep figure-7", f"{CNR} delaunay20", own, 0.2),)
#: Plans that measure one step after the other, with nothing beside it.
PLANS = {
    "rest": REST,
    "marriage": MARRIAGE,
    "sizes": (*FIRST, *OTHER_FOUR),
    "more": MORE,
    "large": LARGE,
    "five": FIVE,
    "permutations": PERMUTATIONS,
    "weighted": WEIGHTED,
    "hashing": HASHING,
}
#: Graphs of a small session.
TINY = {
    **dict.fromkeys(GRAPHS.split(), "delaunay9"),
    **dict.fromkeys([*OWN_WEIGHTS.split(), *COLLECTION], "karate_weighted"),
    **{
        CNR: "delaunay9",
        "rmat20": "rmat9",
        "grid1000": "grid24",
        "uni3": "uni3k1",
        "uni5": "uni3k1",
    },
    **{name: "bip_grid24" for name in MATRICES.split() if "grid" in name},
    **{name: "bip_rmat9" for name in MATRICES.split() if "rmat" in name},
    **{"bip_delaunay20": "bip_delaunay9", "bip_delaunay20_perm": "bip_delaunay9_perm"},
    **dict.fromkeys(("hard10k", "hard20k"), "hard100"),
    **dict.fromkeys(("hard50k", "hard100k", "hard200k", "hard300k"), "hard200"),
    **dict.fromkeys(("hard400k", "hard500k"), "hard200"),
    **{"easy1m": "easy500", "easy2m": "easy1k", "easy5m": "easy2k"},
    **dict.fromkeys(("easy25m", "easy100m", "easy125m"), "easy3k"),
    **{
        name: f"{name[:4]}:n={100 + int(name.split('=')[1].split(',')[0]) // 10**5},"
        + name.partition(",")[2]
        for step in (*REST, *MARRIAGE, *FIRST, *OTHER_FOUR, *MORE, *LARGE, *FIVE)
        for name in step.graphs.split()
        if "seed=" in name
    },
}
