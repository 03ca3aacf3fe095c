"""What is known here of paper II, whose text is lost: no figure of it is declared.

Source: the summary of paper II in the thesis of its first author (2017), and what paper IV says of
b-matching in section 3. The variants are those of Khan et al. (2016), which paper IV cites.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Paper
from gpucore.bench.papers.parts import Part

SUMMARY = "the thesis, summary of paper II"
LINKS = "paper IV, section 3"

PAPER = Paper(
    name="bmatching",
    title="Scalable b-matching on GPUs",
    source="Naim, Manne, submitted 2017 (paper II); its text is lost",
    machine="not known",
    instances={"small": (), "medium": (), "paper": ()},
    figures=(),
    not_shown={
        "all figures and tables": "the text of paper II is lost; its summary says only that it "
        "used one GPU, and several for large inputs. “warplens bench bmatching” measures ours"
    },
    parts=(
        Part(
            "variant",
            "no work is distributed again, so threads are independent",
            SUMMARY,
            ("bmatching.variant=eager",),
            "the idea; the paper's own kernels, and how it divides a graph among several GPUs, are "
            "not known",
        ),
        Part(
            "variant",
            "rejected suitors are matched again at once, or later",
            LINKS,
            ("bmatching.variant=eager", "bmatching.variant=delayed"),
            "Khan et al., 2016",
        ),
        Part("parameter", "b(v), the number of mates of a vertex", LINKS, ("bmatching.b",)),
        Part("comparator", "Greedy: edges by decreasing weight", LINKS, ("bgreedy",)),
        Part(
            "comparator",
            "b-Suitor, sequential and on several threads",
            LINKS,
            ("bsuitor_serial", "bsuitor_omp"),
            "Khan et al., 2016",
        ),
    ),
)
