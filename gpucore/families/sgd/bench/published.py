"""Figures of the paper: table II and what its text says of figures 7 and 9.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from typing import NamedTuple


class Input(NamedTuple):
    """A row of table II.

    Attributes
    ----------
    name, kind : str
    vertices, edges : float
        In millions.
    degree : int
        Largest degree.
    k40, r9 : float
        Seconds of the edge-locked schedule on the K40 and on the R9-290X.
    """

    name: str
    kind: str
    vertices: float
    edges: float
    degree: int
    k40: float
    r9: float

    @property
    def cells(self) -> list[str]:
        """The row as the paper prints it."""
        sizes = [f"{self.vertices:g} M", f"{self.edges:g} M", f"{self.degree:,}"]
        return [self.name, self.kind, *sizes, f"{self.k40:g} s", f"{self.r9:g} s"]


TABLE_2 = (
    Input("STACK", "scale-free", 0.6, 0.1, 6119, 0.04, 0.18),
    Input("IMDB", "scale-free", 1.3, 3.7, 1590, 0.07, 0.38),
    Input("WIKI", "scale-free", 0.1, 5.0, 100022, 0.39, 1.04),
    Input("BGG", "scale-free", 0.1, 6.0, 43331, 0.22, 0.53),
    Input("CITP", "scale-free", 7.5, 16.5, 779, 0.32, 1.69),
    Input("POKEC", "scale-free", 3.2, 22.3, 14734, 0.42, 2.3),
    Input("LIVEJ", "scale-free", 9.6, 68.9, 20293, 1.5, 7.2),
    Input("NFLIX", "scale-free", 0.4, 99.0, 227715, 2.13, 5.28),
    Input("CAL", "road", 3.7, 4.6, 7, 0.08, 0.49),
    Input("E", "road", 7.1, 8.7, 9, 0.19, 0.91),
    Input("W", "road", 12.5, 15.1, 9, 0.37, 1.58),
    Input("CTR", "road", 28.1, 33.8, 8, 0.9, 3.54),
)
#: Atomics a second on one address, figure 9.
ATOMICS = {"K40": 600e6, "R9-290X": 45e6}
