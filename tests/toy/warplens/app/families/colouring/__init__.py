"""How graph colouring is shown."""

from ...pages import FamilyPages, dashboard

PAGES = FamilyPages(
    "colouring",
    pages=(
        dashboard(
            "colouring",
            title="Graph colouring",
            summary="Round by round, vertices take the smallest colour that no neighbour has.",
            order=9,
        ),
    ),
)
