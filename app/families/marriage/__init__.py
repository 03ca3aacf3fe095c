"""The pages of stable marriage."""

from ...pages import FamilyPages, Page, comparison, dashboard

PAGES = FamilyPages(
    "marriage",
    questions="questions:QUESTIONS",
    pages=(
        dashboard(
            "marriage",
            title="Stable marriage",
            summary="Men propose down their lists, women keep the best so far, and a rejected man "
            "proposes again: in any order, on any number of threads, to the same "
            "marriage.",
            order=5,
        ),
        comparison(
            "marriage",
            title="Compare stable marriages",
            summary="Two runs on one clock: Gale and Shapley beside McVitie and Wilson, men "
            "propose beside women propose, the paper's kernel beside the tuned one, and "
            "methods for processors.",
            order=15,
        ),
        Page(
            "equivalence",
            title="Matching as marriage",
            summary="Why greedy matching is a stable marriage: Suitor on a weighted graph beside "
            "McVitie and Wilson on its men and women, the same proposals one by one; and "
            "pointers beside Gale and Shapley's rounds.",
            order=16,
            opens="equivalence.page:EquivalencePage",
            menu="Compare",
        ),
    ),
)
