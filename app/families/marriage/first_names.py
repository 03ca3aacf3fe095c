"""First names for nameless men and women: small runs are easier to read."""

from __future__ import annotations

from gpucore.problems.preferences.graph import PreferenceGraph

#: One name for each letter, so that names show numbers: A is 0, Z is 25.
MEN = (
    "Adam", "Ben", "Carl", "David", "Emil", "Finn", "Georg", "Hugo", "Ivan", "Jan", "Karim",
    "Leo", "Max", "Nils", "Omar", "Paul", "Quentin", "Ravi", "Sami", "Tom", "Uwe", "Viktor",
    "Wim", "Xaver", "Yusuf", "Zeno",
)  # fmt: skip
WOMEN = (
    "Alma", "Bea", "Clara", "Dora", "Emma", "Fanny", "Greta", "Hanna", "Ida", "Julia", "Kim",
    "Lina", "Mia", "Nora", "Olga", "Petra", "Quinn", "Rosa", "Sofia", "Tara", "Ulla", "Vera",
    "Wanda", "Xenia", "Yara", "Zoe",
)  # fmt: skip


def with_first_names(graph: PreferenceGraph) -> PreferenceGraph:
    """Return a generated instance with first names, if there are enough of them.

    Instances that have names, are made from graphs or matrices, or have capacities (hospitals have
    no first names) are returned unchanged.

    Examples
    --------
    >>> from gpucore.problems.preferences.load import load_preferences
    >>> with_first_names(load_preferences("classic:n=2,seed=1").graph()).names
    ('Adam', 'Ben', 'Alma', 'Bea')
    """
    men, women = graph.shape
    made_up = graph.source.get("kind") == "generator" and not graph.source.get("prepared")
    if graph.names is not None or not made_up or graph.preferences.has_capacities:
        return graph
    if max(men, women) > len(MEN):
        return graph
    return graph.with_attributes(names=(*MEN[:men], *WOMEN[:women]))
