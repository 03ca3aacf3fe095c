"""Methods on the processor for stable marriage; each is the native function ``cpu_NAME``.

Proposals that the other side would refuse, since it holds a better partner, are not made: the
figure ``skipped`` counts them. The methods of one thread take capacities, and then find the stable
assignment that is the best for the proposers (Manne et al., CSC 2016, section 2.1).

References
----------
.. [1] D. Gale, L. S. Shapley, "College admissions and the stability of marriage", American
   Mathematical Monthly 69(1), 1962.
.. [2] D. G. McVitie, L. B. Wilson, "The stable marriage problem", Communications of the ACM 14(7),
   1971.
.. [3] F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy matchings",
   CSC 2016, section 2.

Examples
--------
>>> import gpucore
>>> from gpucore.problems.preferences.preferences import Preferences
>>> two = Preferences.from_lists([[0, 1], [0, 1]], [[1, 0], [0, 1]])
>>> result = gpucore.run("gale_shapley", two, order="rounds")
>>> result.wife.tolist(), result.figures["considered"], result.figures["rounds"]
([1, 0], 3, 2)
>>> result = gpucore.run("mcvitie_wilson", two)
>>> result.wife.tolist(), result.figures["proposals"], result.figures["rounds"]
([1, 0], 3, None)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from gpucore.errors import ParameterError
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.native import ProposerParams, run_native
from gpucore.runner import Runner, native_runner

#: Orders in which men propose.
ORDERS = ("queue", "rounds")


@dataclass(frozen=True)
class GaleShapleyParams(ProposerParams):
    """Parameters of Gale and Shapley's algorithm on one thread.

    Attributes
    ----------
    order : {"queue", "rounds"}
        "queue": take the man at the front of a queue, to whose end displaced men go. "rounds": all
        free men propose at the same time, then each woman refuses all but the best. A round of the
        queue takes the men who were in it when the previous round ended.
    """

    order: str = "queue"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.order, str) or self.order not in ORDERS:
            raise ParameterError(f'order must be "queue" or "rounds", not {self.order!r}')


def _method(
    name: str, title: str, source: str, params: type = ProposerParams, *, parallel: bool = False
) -> Runner:
    run = partial(run_native, name, parallel)
    return native_runner(name, title, source, run, certify_result, params, parallel=parallel)


METHODS = (
    _method(
        "gale_shapley",
        "Gale-Shapley",
        "Gale and Shapley, Amer. Math. Monthly 69(1), 1962; Manne et al., CSC 2016, Algorithm 1",
        GaleShapleyParams,
    ),
    # A queue for each thread; figures other than ``considered`` depend a little on the schedule.
    _method(
        "gale_shapley_omp",
        "Gale-Shapley, multicore",
        "Manne et al., CSC 2016, section 4",
        parallel=True,
    ),
    # The men begin one after the other, and a displaced man continues at once, so that all men who
    # have begun are settled before the next begins.
    _method(
        "mcvitie_wilson",
        "McVitie-Wilson",
        "McVitie and Wilson, Comm. ACM 14(7), 1971; Manne et al., CSC 2016, section 2",
    ),
    # Stacks of several men for each thread, so that memory is fetched for one while others propose,
    # or one where all men have one list; figures other than ``considered`` depend a little on the
    # schedule.
    _method(
        "mcvitie_wilson_omp",
        "McVitie-Wilson, multicore",
        "Manne et al., CSC 2016, section 4",
        parallel=True,
    ),
)
