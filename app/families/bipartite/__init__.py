"""How bipartite matching is shown."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "bipartite",
    pages=(
        dashboard(
            "bipartite",
            title="Bipartite matching",
            summary="Rows and columns of a matrix, matched as many as can be: searches spread in "
            "waves, paths flip all at once, and what collides is repaired.",
            order=3,
        ),
        comparison(
            "bipartite",
            title="Compare bipartite matchings",
            summary="Two runs on one clock: all paths beside shortest paths, with and without "
            "roots, the paper's kernels beside the tuned one, and methods for processors.",
            order=13,
        ),
    ),
)
