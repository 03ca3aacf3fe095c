"""Cards of text: our own HTML, with all other text escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from gpucore.format import human_bytes, human_time

from ..glossary import glossed
from ..limits import PageLimits

if TYPE_CHECKING:
    from gpucore.certify import Certificate

    from ..sources.facts import Facts


def error_card(title: str, text: str) -> str:
    """Return a red card with an error."""
    return (
        '<div class="ws-error" role="alert">'
        f"<strong>{escape(title)}</strong><span>{escape(text)}</span></div>"
    )


def note(text: str) -> str:
    """Return a line of small print, in which terms explain themselves."""
    return f'<p class="ws-note">{glossed(text)}</p>' if text else ""


def looked_for(title: str, text: str) -> str:
    """Return what a recorded run shows, for above its picture."""
    return f'<div class="ws-look"><b>{escape(title)}</b><p>{escape(text)}</p></div>'


def table(label: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; `label` names it for screen readers, a row of two cells fills the width."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = []
    for first, *cells in rows:
        wide = f' colspan="{len(head) - 1}"' if len(cells) < len(head) - 1 else ""
        drawn = "".join(f"<td{wide}>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(first)}</th>{drawn}</tr>')
    return (
        f'<div class="ws-table" tabindex="0" role="group" aria-label="{label}"><table><thead><tr>'
        f"{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def facts_list(lines: Iterable[tuple[str, str]]) -> str:
    """Return names with their values."""
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in lines
    )
    return f'<dl class="ws-measures">{cells}</dl>'


def graph_facts(facts: Facts) -> str:
    """Return the size of a graph, and what was done to it before the run."""
    cells = "".join(
        f"<div><dd>{escape(value)}</dd><dt>{escape(name)}</dt></div>" for name, value in facts.sizes
    )
    return f'<dl class="ws-facts">{cells}</dl>' + note(_sentence("; ".join(facts.remarks)))


def measures_card(lines: list[tuple[str, str]], seconds: float, where: str) -> str:
    """Return the results of a run; `seconds` is NaN if not measured."""
    time = [] if math.isnan(seconds) else [("Time of the algorithm", human_time(seconds))]
    return f"<h3>Result</h3>{facts_list([*lines, *time])}{note(where)}"


def certificate_card(certificate: Certificate | None) -> str:
    """Return the verdict of the independent check, line by line."""
    if certificate is None:
        return "<h3>Certificate</h3>" + note("The result was not checked.")
    verdict, style = ("Certified", "good") if certificate.ok else ("Not certified", "bad")
    lines = "".join(
        f'<li class="{"good" if check.ok else "bad"}"><b>{escape(check.name)}</b> '
        f"{escape(check.detail)}</li>"
        for check in certificate.checks
    )
    lines += "".join(
        f'<li class="measured"><b>{escape(measured.name)}</b> {escape(measured.detail)}</li>'
        for measured in certificate.measured
    )
    took = "" if certificate.seconds is None else f" in {human_time(certificate.seconds)}"
    return (
        f'<h3>Certificate <span class="ws-verdict {style}">{verdict}</span></h3>'
        f'<ul class="ws-checks">{lines}</ul>'
        + note(f"Checked{took} by code that shares nothing with the algorithm.")
    )


def upload_limits(formats: str, counted: tuple[str, str], limits: PageLimits) -> str:
    """Return a note with the formats and limits of uploads."""
    return note(
        f"{formats}; up to {human_bytes(limits.upload_bytes)}, {limits.vertices:,} {counted[0]} "
        f"and {limits.edges:,} {counted[1]}. The file is kept in memory until you close the page."
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "." if text else ""
