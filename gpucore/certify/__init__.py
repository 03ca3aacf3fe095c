"""Independent proofs of results: a checker shares no code with the algorithm that it checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Check:
    """One property of every correct result, which some wrong result has not.

    Attributes
    ----------
    name : str
        The property in a few words.
    ok : bool
        Whether the result has it.
    detail : str
        The finding; for a failed check the place and the values.
    """

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class Measured:
    """What the checker measured of a result; no value of it makes the result wrong.

    Attributes
    ----------
    name : str
        What was measured, in a few words.
    detail : str
        The finding.
    """

    name: str
    detail: str


@dataclass(frozen=True)
class Certificate:
    """The verdict on one result.

    Attributes
    ----------
    ok : bool
        Whether every check holds.
    checks : tuple of Check
        From the most basic property to the strongest. Checking ends at the first that fails,
        since the later ones mean nothing without it.
    figures : mapping of str to float or int
        Figures that the checker computed itself (empty if a basic check failed).
    measured : tuple of Measured
        What the checker found beyond the checks (empty if one failed).
    seconds : float or None
        How long checking took; None if it was not timed. Equal certificates may differ in it.
    """

    ok: bool
    checks: tuple[Check, ...]
    figures: Mapping[str, float | int] = field(default_factory=dict)
    measured: tuple[Measured, ...] = ()
    seconds: float | None = field(default=None, compare=False)

    @property
    def failure(self) -> Check | None:
        """The most basic check that fails, or None."""
        return next((check for check in self.checks if not check.ok), None)

    def as_dict(self) -> dict[str, object]:
        """Return the certificate as one JSON-able object."""
        checks = [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in self.checks]
        measured = [{"name": m.name, "detail": m.detail} for m in self.measured]
        return {
            "ok": self.ok,
            "checks": checks,
            "measured": measured,
            "figures": dict(self.figures),
        }

    def __str__(self) -> str:
        lines = ["certified" if self.ok else "NOT certified"]
        lines += [f"  {'ok  ' if c.ok else 'FAIL'} {c.name}: {c.detail}" for c in self.checks]
        lines += [f"       {m.name}: {m.detail}" for m in self.measured]
        return "\n".join(lines)


def certificate(
    checks: Sequence[Check],
    figures: Mapping[str, float | int],
    measured: Sequence[Measured] = (),
) -> Certificate:
    """Build the certificate whose verdict follows from its checks."""
    ok = all(check.ok for check in checks)
    return Certificate(ok, tuple(checks), dict(figures), tuple(measured) if ok else ())
