"""Variants of b-Suitor, the default first: ours, and the two of Khan et al. (2016)."""

from gpucore.runner import Variant

VARIANTS = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: one stream finds the b heaviest edges of every vertex, and only "
        "offers that fell out are proposed again.",
        look_for="The first column is the stream over all weights, with no idle warp. The others "
        "are the proposals that fell out: few warps have many of them.",
    ),
    Variant(
        "eager",
        "Eager: a displaced vertex goes on at once",
        about="The worker that pushes an offer out goes on with its proposer at once.",
        look_for="A warp that pushes an offer out goes on for its proposer, so rows have no gaps, "
        "and a popular neighbourhood makes a few rows long.",
    ),
    Variant(
        "delayed",
        "Delayed: it goes on in the next round",
        about="What falls out is proposed again in the next round, a launch of its own.",
        look_for="Every column is a launch. What falls out waits for the next one, so the rows "
        "end together, and each column has fewer proposals than the one before.",
    ),
)

#: Of b-Suitor on several threads of the processor.
OMP = (
    Variant(
        "eager",
        "Eager: a displaced vertex goes on at once",
        about="A thread that pushes an offer out goes on with its proposer at once.",
    ),
    Variant(
        "delayed",
        "Delayed: it goes on in the next round",
        about="What falls out is proposed again in the next round.",
    ),
)
