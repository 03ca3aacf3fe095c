"""The pages of weighted b-matching."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "bmatching",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "bmatching",
            title="b-matching",
            summary="Every vertex may have b mates. It keeps a stack of its best b offers; a "
            "better one pushes the worst out, whose proposer tries its next neighbour.",
            order=7,
        ),
        comparison(
            "bmatching",
            title="Compare b-matchings",
            summary="Two runs on one clock: eager and delayed, one mate and many, warps and "
            "threads, and b-Suitor beside Suitor and CPU methods.",
            order=17,
        ),
    ),
)
