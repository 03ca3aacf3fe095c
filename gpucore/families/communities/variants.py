"""Variants of the Louvain method, the default first."""

from gpucore.runner import Variant

#: What to look for begins with this in several variants.
_LANES = (
    "Every column is one launch: a bucket of a sweep, or a group of communities that are merged. "
    "Look at “Idle lanes”: the groups of lanes are as wide as the bucket's largest degree, so"
)

VARIANTS = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: settled vertices sleep until a neighbour moves, and moves are "
        "seen at once, within the sweep. A small graph is searched up to four times, with other "
        "orders of the vertices; the best search is the result, and the one that is played.",
        look_for="Look at “Edges hashed” from left to right: vertices whose surroundings have not "
        "changed sleep, so later sweeps cost a fraction of the first.",
        wide=True,
    ),
    Variant(
        "leiden",
        "Leiden: with refinement",
        about="The tuned kernels, with the refinement of Traag, Waltman and van Eck (2019): a "
        "community splits into connected parts, and the parts are contracted. In the end single "
        "vertices move again, and communities that this divides are split. Every community of the "
        "result is connected; the certificate checks it. A small graph is searched several times, "
        "as by the tuned variant.",
        look_for="Look at “Edges hashed”: after the sweeps of a stage come rounds in which single "
        "vertices join parts of their community, fewer in every round.",
    ),
    Variant(
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
    Variant(
        "relaxed",
        "All vertices at once (relaxed)",
        about="Communities are updated once a sweep, when all buckets have decided: fewer "
        "launches, but neighbours decide on outdated communities.",
        look_for=f"{_LANES} at most about half of them should idle. It often needs more sweeps "
        "than “buckets”, since moves of one sweep do not see each other.",
    ),
    Variant(
        "node_centred",
        "A thread for a vertex",
        about="The method before the paper: a thread for a vertex, so a warp waits for its "
        "longest list.",
        look_for="Look at “Idle lanes”: a warp's lanes have a vertex each and wait for the one "
        "with the most edges. Run “buckets” on the same graph to compare.",
    ),
)
