"""The code of the Louvain method: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithms 1 to 3 of Naim, Manne, Halappanavar, Tumeo,
"Community detection on the GPU", IPDPS 2017.
"""

from __future__ import annotations

from gpucore.families.communities.fast.sizes import TINY
from gpucore.families.communities.hierarchy import Kind

from ...code.book import CodeBook, Listing, Reason, Step

_LINES = (
    "every vertex is a community of its own",
    "repeat, stage by stage:",
    "    sort the vertices into seven buckets by degree",
    "    repeat, sweep by sweep:                  (1)",
    "        for each bucket, one after the other",
    "            for each vertex i in it, all at once",
    "                compute the move of i",
    "            for each vertex i in it, all at once",
    "                the community of i is the new one",
    "            update the communities' total weights",
    "        our rule: if modularity fell, undo the sweep",
    "    until a sweep gains less than the threshold",
    "    Leiden: each vertex is a part of its own",
    "        for each single vertex i, all at once",
    "            join the best part of its community",
    "            a vertex that was joined never leaves",
    "        parts are contracted; communities stay",
    "    contract: each community is a vertex     (3)",
    "        its edges are those of its members,",
    "            hashed and added up by community",
    "until a stage gains less than the threshold",
    "Leiden: divide communities by components",
    "",
    "to compute the move of i                     (2)",
    "    lanes take one neighbour j of i each",
    "        slot ← of j's community in the hash table",
    "            claimed by CAS; taken: probe the next",
    "        add the edge's weight there, atomically",
    "    each lane keeps its best community so far",
    "    best ← the best of all lanes: most modularity",
    "        gained, of equal ones the smallest number",
    "    if i and best are both lone vertices:",
    "        go only towards the smaller number",
    "    if best gains anything: i will go there",
)

_STEPS: dict[int, Step] = {
    Kind.MOVE: Step(
        34,
        "Of all communities among its neighbours, this one raises modularity most, given the "
        "communities at the start of the launch; in “fast” and “leiden”, those that it sees.",
        {"louvain.cu": "next[s.vertex] = d.community;", "louvain_node.cu": "next[vertex] = to;"},
    ),
    Kind.HASH: Step(
        28,
        "The neighbours' communities are hashed, so that the weight to each of them adds up in one "
        "slot wherever they are in the list.",
        {"louvain.cu": "const Insertion in = insert(table, community, weight_of(level, e));"},
    ),
    Kind.HELD: Step(
        33,
        "Two neighbours that each join the other at the same moment would swap places for ever. Of "
        "two lone vertices only the one that goes to the smaller number may move.",
        {"louvain.cu": "if (!allowed(p, s.home, s.best.community)) return {s.home, true"},
    ),
    Kind.MERGE: Step(
        18,
        "The weight inside becomes a loop, which counts at the vertex as all its members' edges "
        "did: modularity stays what it was, and the next stage moves whole communities.",
        {"louvain_contract.cu": "insert(table, m.new_id[m.community[level.indices[e]]], weight_of"},
    ),
    Kind.TAKE_BACK: Step(
        11,
        "Moves decided from the same state can spoil each other. By our rule a sweep after which "
        "modularity is lower than before is undone, and the next goes in one direction only. By "
        "the paper's it stays and is the last one of its stage: it gained less than the threshold.",
    ),
    Kind.OPEN: Step(
        1,
        "Ours, in “fast”: a vertex that was joined early to the wrong ones cannot leave them in "
        "later stages, which move whole communities. So in the end all vertices are single again, "
        "inside the communities that were found, and move until none could gain; in a large graph "
        "for a few sweeps.",
    ),
    Kind.JOIN: Step(
        15,
        "Only a vertex that is still single may join, and one that has been joined never leaves: "
        "so each part stays connected, whichever thread comes first.",
        {"leiden.cuh": "const int before = atomicCAS(r.claim + root, FREE, ROOT);"},
    ),
    Kind.SPLIT: Step(
        22,
        "A vertex that joined a community's halves has moved away since. No edge inside is lost "
        "when they part, and less is expected there by chance: modularity rises.",
    ),
}

_LISTING = Listing(
    title="Louvain: move, contract, repeat",
    source="Algorithms 1, 2 and 3, after Naim, Manne, Halappanavar and Tumeo, IPDPS 2017",
    lines=_LINES,
    steps=_STEPS,
)

_GROUPED = ("louvain.cu", "louvain.cuh", "louvain_state.cu", "louvain_contract.cu")
_TUNED = (
    "louvain_fast.cu",
    "louvain_fast_moves.cuh",
    "louvain_fast_sweep.cuh",
    "louvain_fast.cuh",
    "louvain_fast_tables.cuh",
    "louvain_fast_teams.cuh",
    "louvain_fast_contract.cu",
    "louvain_fast_refine.cu",
    "louvain.cuh",
)
_FILES = {
    "buckets": _GROUPED,
    "relaxed": _GROUPED,
    "node_centred": ("louvain_node.cu", "louvain.cuh", "louvain_state.cu", "louvain_contract.cu"),
    "fast": _TUNED,
    "leiden": ("leiden.cu", "leiden.cuh", *_TUNED),
}

_ENDS = (
    f"From {TINY:,} vertices on, sweeps and stages that gain a small share of what came before are "
    "the last ones, too (lines 12 and 21)."
)

_ANYWHERE = "neighbours' numbers lie anywhere, and each lane looks up another one's {}"

CODE = CodeBook(
    listings={"louvain": _LISTING},
    files={("louvain", variant): names for variant, names in _FILES.items()},
    reasons=(
        Reason(
            "louvain.cu",
            "const int community = p.community[other];",
            sectors=_ANYWHERE.format("community"),
            lanes="a group of lanes is as wide as its bucket's largest degree, and most have less",
        ),
        Reason(
            "louvain.cu",
            "const int other = level.indices[e];",
            lanes="a group of lanes is as wide as its bucket's largest degree, and most have less",
        ),
        Reason(
            "louvain_node.cu",
            "const int other = indices[begin + i];",
            sectors="each lane walks along a list of its own, so the lanes are rows apart",
        ),
    ),
    notes={
        "relaxed": "Here lines 8 to 10 come after all buckets, once a sweep.",
        "node_centred": "Here there are no buckets, and one thread takes all neighbours of i, one "
        "after the other.",
        "leiden": "The moves are those of the tuned kernels, at once; lines 13 to 17 and 22 are "
        f"new. {_ENDS}",
        "fast": "The tuned kernels move each vertex at once, and skip vertices whose surroundings "
        f"have not changed. {_ENDS}",
    },
)
