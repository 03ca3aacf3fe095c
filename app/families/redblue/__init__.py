"""The pages of red/blue matching."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "redblue",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "redblue",
            title="Red/blue matching",
            summary="Colour, propose, respond, match: each round draws two sides, blue vertices "
            "propose, red ones respond, and every memory word has exactly one writer.",
            order=4,
        ),
        comparison(
            "redblue",
            title="Compare red/blue matchings",
            summary="Two runs on one clock: the heaviest neighbour or anyone, good and bad "
            "chances of blue, the paper's kernels beside the tuned ones, and "
            "methods for processors.",
            order=14,
        ),
    ),
)
