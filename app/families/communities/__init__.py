"""The pages of communities."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "communities",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "communities",
            title="Louvain",
            summary="Vertices move to the community that raises modularity most, communities "
            "become vertices, and so on: seven buckets of degrees, hash tables slot by "
            "slot.",
            order=2,
        ),
        comparison(
            "communities",
            title="Compare communities",
            summary="Two runs of Louvain on one clock, with the same colours for the communities "
            "that correspond: variants, schedules, and CPU methods, with how "
            "alike they are.",
            order=12,
        ),
    ),
)
