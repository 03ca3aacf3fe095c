"""The pages of stable roommates."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "roommates",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "roommates",
            title="Stable roommates",
            summary="People of one group propose to each other, hold the best proposal and cut "
            "their lists; rotations do the rest, or an odd party proves that no matching is "
            "stable.",
            order=8,
        ),
        comparison(
            "roommates",
            title="Compare roommates",
            summary="Two runs on one clock: Irving’s algorithm beside its form for several mates, "
            "on one instance.",
            order=19,
        ),
    ),
)
