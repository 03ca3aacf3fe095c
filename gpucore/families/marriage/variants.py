"""Variants of stable marriage, the default first."""

from gpucore.runner import Variant

VARIANTS = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: a warp scans a list together, and the lane that displaces a man "
        "continues with him.",
        look_for="Look at “Idle lanes” beside the paper's variant: who is displaced is shared "
        "out, and long lists are read by many lanes.",
    ),
    Variant(
        "mw",
        "McVitie and Wilson: one goes on",
        about="McVitie and Wilson, the paper's: a thread for every man; it goes on with the man "
        "it displaced. Proposals are written by compare-and-swap.",
        look_for="A column is a place of a list that the lanes of a warp look at together. Look "
        "at “Idle lanes”: chains have different lengths, and lanes that are done wait for the "
        "longest one of their warp.",
    ),
    Variant(
        "gs",
        "Gale and Shapley: all in rounds",
        about="Gale and Shapley in rounds: all free men propose at once, then all are answered. "
        "The paper left it out on the GPU.",
        look_for="Two iterations, which are two columns, are a round: all free proposers propose, "
        "then all are answered. Fewer and fewer are free, and the last rounds have a few "
        "proposers each.",
    ),
)
