"""The page "Papers": what the papers drew and printed, beside our measurements.

Its data is made from the committed results by ``tools/papers.py``.
"""

from ..pages import Page

PAGE = Page(
    "papers",
    title="Papers",
    summary="Figures and tables of the papers, measured again: the printed numbers beside ours, "
    "what agrees, what does not, and why.",
    order=30,
    opens="app.papers.page:PapersPage",
    picture="page.svg",
    package="papers",
)
