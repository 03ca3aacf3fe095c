"""The pages of weighted matching."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "matching",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "matching",
            title="Weighted matching",
            summary="Vertices propose to their heaviest neighbours, are accepted, and displaced "
            "by better suitors: half-approximate matching in parallel, warp by warp.",
            order=1,
        ),
        comparison(
            "matching",
            title="Compare runs",
            summary="Variants, devices and schedules of one graph side by side on one clock: "
            "every interleaving ends in the same matching.",
            order=11,
            name="compare",
        ),
    ),
)
