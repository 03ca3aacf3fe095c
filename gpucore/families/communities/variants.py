"""Variants of the Louvain method, the default first."""

from dataclasses import dataclass

from gpucore.runner import Variant


@dataclass(frozen=True)
class CommunityVariant(Variant):
    """One form of the method.

    Attributes
    ----------
    tuned : bool
        Whether it is ours: with our rule in any case, several starts, and a last refinement.
    connected : bool
        Whether all its communities have to be connected.
    settled : bool
        Whether no vertex may be able to gain by moving alone to a neighbouring community, on graphs
        of at most `SETTLED_ENTRIES` entries, unless refinement is off.
    vertex_bytes : int
        Bytes that a run needs for each vertex, beside the graph. Paper: k, C, a, sizes, newComm,
        the copy for undoing a sweep, order, contraction. Tuned: of the first stage order,
        community, strength, total, new community and whether it rests; of the second the same, its
        list's start, and what contraction needs.
    waiting_bytes : int
        More of them where moves wait: targets of two stages, and the choices of "leiden".
    entry_bytes : int
        Bytes for each entry of the lists. Paper: contracted lists before and after packing;
        "node_centred": its source, and two slots more. Tuned: see `scratch.py`.
    graphs : int
        Contracted graphs of at most the given one's entries that exist at a time, of tuned ones: a
        stage's and the next one's; "leiden", one more while the last communities are divided.
    """

    tuned: bool = False
    connected: bool = False
    settled: bool = False
    vertex_bytes: int = 120
    waiting_bytes: int = 0
    entry_bytes: int = 36
    graphs: int = 0


#: Most entries of a graph whose vertices are swept until none could gain.  On an H200 that takes up
#: to a fifth of the time of launches on Delaunay triangulations and power-law communities of
#: 100,000 to 1,600,000 entries, but up to four fifths on grids and on R-MAT graphs
#: (``benchmarks/results/communities-starts-h200``).
SETTLED_ENTRIES = 1 << 22
#: Most entries of a graph in which "leiden" may have a second cycle.  On an H200, on seven graphs
#: of 13,000 to 2,700,000 entries, it takes .2 to 1.6 times as long as the first one, and adds .0001
#: to .003 of modularity (``cycles.json`` in ``benchmarks/results/communities-one-launch-h200``).
CYCLE_ENTRIES = 1 << 17
#: The same in words; an edge has two entries.
_SMALL = f"up to {SETTLED_ENTRIES // 2_000_000} million edges"
_SMALLER = f"{CYCLE_ENTRIES // 2:,}"

#: What to look for begins with this in several variants.
_LANES = (
    "Every column is one launch: a bucket of a sweep, or a group of communities that are merged. "
    "Look at “Idle lanes”: the groups of lanes are as wide as the bucket's largest degree, so"
)

VARIANTS = (
    CommunityVariant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: settled vertices sleep until a neighbour moves, and moves are "
        f"seen at once, within the sweep. In the end the single vertices of a graph of {_SMALL} "
        "move until none could gain. A small graph is searched up to four times, with other "
        "orders of the vertices; the best search is the result, and the one played.",
        look_for="Look at “Edges hashed” from left to right: vertices whose surroundings have not "
        "changed sleep, so later sweeps cost a fraction of the first.",
        wide=True,
        tuned=True,
        settled=True,
        vertex_bytes=114,
        waiting_bytes=8,
        graphs=2,
    ),
    CommunityVariant(
        "leiden",
        "Leiden: with refinement",
        about="The tuned kernels, with the refinement of Traag, Waltman and van Eck (2019): a "
        "community splits into connected parts, and the parts are contracted. In the end single "
        "vertices move again, and communities that this divides are split; in a graph of "
        f"{_SMALL} until no vertex could gain. If some moved there, and nothing is recorded, a "
        f"second cycle of all this begins in a graph of up to {_SMALLER} edges with the "
        "communities found. Every community of the "
        "result is connected; the certificate checks both. A small graph is searched several "
        "times, as by the tuned variant.",
        look_for="Look at “Edges hashed”: after the sweeps of a stage come rounds in which single "
        "vertices join parts of their community, fewer in every round.",
        tuned=True,
        connected=True,
        settled=True,
        vertex_bytes=162,
        waiting_bytes=20,
        graphs=3,
    ),
    CommunityVariant(
        "buckets",
        "Buckets by degree (the paper's)",
        about="The paper's: seven buckets of like degree, a group of lanes, a warp or a block for "
        "a vertex, and communities are updated after every bucket. With the paper's rule a sweep "
        "that loses modularity is the last of its stage, and stays, unless the stage ends below "
        "its beginning and is given up. With ours it is undone and "
        "others follow: more sweeps, most often a higher modularity.",
        look_for=f"{_LANES} at most about half of them should idle. The first sweeps are full, "
        "the stages after a contraction have a few warps left.",
    ),
    CommunityVariant(
        "relaxed",
        "All vertices at once (relaxed)",
        about="Communities are updated once a sweep, when all buckets have decided: fewer "
        "launches, but neighbours decide on outdated communities.",
        look_for=f"{_LANES} at most about half of them should idle. It often needs more sweeps "
        "than “buckets”, since moves of one sweep do not see each other.",
    ),
    CommunityVariant(
        "node_centred",
        "A thread for a vertex",
        about="The method before the paper: a thread for a vertex, so a warp waits for its "
        "longest list.",
        look_for="Look at “Idle lanes”: a warp's lanes have a vertex each and wait for the one "
        "with the most edges. Run “buckets” on the same graph to compare.",
        entry_bytes=60,
    ),
)

#: Names of the variants of ours, of those whose communities have to be connected, and of those
#: whose vertices must have nothing to gain.
TUNED = tuple(variant.name for variant in VARIANTS if variant.tuned)
CONNECTED = tuple(variant.name for variant in VARIANTS if variant.connected)
SETTLED = tuple(variant.name for variant in VARIANTS if variant.settled)
