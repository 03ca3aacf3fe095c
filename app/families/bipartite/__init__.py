"""The pages of bipartite matching."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "bipartite",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "bipartite",
            title="Bipartite matching",
            summary="Rows and columns of a matrix, matched as many as possible: searches spread in "
            "waves, paths flip all at once, and conflicts are repaired.",
            order=3,
        ),
        comparison(
            "bipartite",
            title="Compare bipartite matchings",
            summary="Two runs on one clock: all paths beside shortest paths, with and without "
            "roots, the paper's kernels beside the tuned one, and CPU methods.",
            order=13,
        ),
    ),
)
