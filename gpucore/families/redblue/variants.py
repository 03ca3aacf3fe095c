"""Variants of red/blue matching, the default first: ours, and the paper's."""

from gpucore.runner import Variant

#: What to look for begins with this in several variants.
_ROUNDS = "Four columns are a round: colour, propose, respond, match."

VARIANTS = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: only live vertices are looked at, from lists by colour and "
        "degree, and a red vertex that responds makes the match.",
        look_for=f"{_ROUNDS} Look at “At work”: the columns become lower round by round, since "
        "only live vertices are looked at, those with many edges by more lanes.",
    ),
    Variant(
        "paper",
        "The paper's: four launches a round",
        about="The paper's: four launches a round, a thread for every vertex in each.",
        look_for=f"{_ROUNDS} Look at “In vain”: every launch looks at all vertices, although most "
        "of them are matched or dead after a round or two, and half of the live ones have the "
        "other colour.",
    ),
)
