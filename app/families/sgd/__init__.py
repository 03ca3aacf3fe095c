"""The pages of SGD under synchronisation strategies."""

from ...pages import FamilyPages, comparison, dashboard

PAGES = FamilyPages(
    "sgd",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "sgd",
            title="SGD synchronisation",
            summary="Factor a matrix of ratings: every update writes a user and an item. Locks, "
            "barriers, matchings, diagonals or nothing at all keep threads out of each other's "
            "way.",
            order=6,
        ),
        comparison(
            "sgd",
            title="Compare SGD schedules",
            summary="Two schedules on one clock: locks beside barriers, edges beside nodes, "
            "matchings beside diagonals, and locks beside none.",
            order=16,
        ),
    ),
)
