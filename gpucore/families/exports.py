"""For type checkers: what families add to the package ``gpucore``, see ``Family.exports``."""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from gpucore.families.bipartite.for_scipy import (
        dulmage_mendelsohn as dulmage_mendelsohn,
    )
    from gpucore.families.bipartite.for_scipy import (
        maximum_bipartite_matching as maximum_bipartite_matching,
    )
    from gpucore.families.bipartite.for_scipy import (
        structural_rank as structural_rank,
    )
    from gpucore.families.marriage.for_scipy import stable_matching as stable_matching
    from gpucore.families.matching.result import MatchingResult as MatchingResult
