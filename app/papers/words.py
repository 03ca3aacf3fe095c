"""The text of a paper's figures as HTML; all that comes from data is escaped."""

from __future__ import annotations

from html import escape
from typing import Any

from .. import cards

_VERDICTS = {True: ("agrees", "good"), False: ("differs", "bad"), None: ("open", "")}


def badge(holds: bool | None) -> str:
    """Return the verdict on a statement."""
    words, style = _VERDICTS[holds]
    return f'<span class="ws-verdict {style}">{words}</span>'


def overview(paper: dict[str, Any]) -> str:
    """Return a paper's card: source, machine, and how many statements agree."""
    holds = [one["holds"] for figure in paper["figures"] for one in figure["expectations"]]
    shown = sum(bool(f["charts"] or f["tables"]) for f in paper["figures"])
    counts = (
        (shown, f"of {len(paper['figures'])} figures"),
        (holds.count(True), "claims agree"),
        (holds.count(False), "differ"),
        (holds.count(None), "open"),
    )
    cells = "".join(f"<div><dd>{n}</dd><dt>{escape(words)}</dt></div>" for n, words in counts)
    missing = "".join(
        f"<li><b>{escape(one['number'])}</b> {escape(one['why'])}</li>"
        for one in paper["not_shown"]
    )
    left_out = f"<h3>Left out</h3><ul>{missing}</ul>" if missing else ""
    return (
        f"<h2>{escape(paper['title'])}</h2>{_note(paper['source'])}"
        f'<dl class="ws-facts">{cells}</dl>{_note("The paper’s machine: " + paper["machine"])}'
        f'<div class="ws-left-out">{left_out}</div>'
    )


def heading(figure: dict[str, Any]) -> str:
    """Return a figure's number and title, and how ours differs."""
    number = figure["number"][:1].upper() + figure["number"][1:]
    return f"<h3>{escape(number)}: {escape(figure['title'])}</h3>{_note(figure['note'])}"


def chart_title(chart: dict[str, Any]) -> str:
    """Return the title of a chart."""
    return f"<h4>{escape(chart['title'])}</h4>"


def beside(figure: dict[str, Any]) -> str:
    """Return the printed numbers beside ours, and the statements with their verdicts."""
    rows = [
        _row(one["what"], one["value"], _number(one), one["place"], None)
        for one in figure["printed"]
    ]
    rows += [
        _row(one["sentence"], "stated", _found(one), one["place"], one)
        for one in figure["expectations"]
    ]
    if not rows:
        return _note("The paper prints no numbers for it.")
    return (
        '<div class="ws-table ws-paper-table" tabindex="0" role="group" '
        'aria-label="what the paper has"><table><thead><tr><th>What</th><th>The paper</th>'
        f"<th>Ours</th><th>Verdict</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        + _note(figure["differs"] if any(one["ours"] for one in figure["printed"]) else "")
    )


def _row(what: str, value: str, ours: str, place: str, one: dict[str, Any] | None) -> str:
    verdict = "" if one is None else badge(one["holds"])
    return (
        f"<tr><th>{escape(what)}<small>{escape(place)}</small></th><td>{escape(value)}</td>"
        f"<td>{escape(ours)}</td><td>{verdict}</td></tr>"
    )


def _number(one: dict[str, Any]) -> str:
    """Return our number, where it was measured if elsewhere, and what other results have."""
    if not one["ours"]:
        return "not measured"
    others = (f"{other['session']}: {other['words']}" for other in one.get("others", ()))
    return "; ".join((one["ours"] + _elsewhere(one), *others))


def _found(one: dict[str, Any]) -> str:
    """Return what our numbers say of a statement, why they differ, and what other results say."""
    if one["holds"] is None:
        return "not measured"
    sentences = [one["words"] + _elsewhere(one)]
    if one["holds"] is False and one["why"]:
        sentences.append(f"Why: {one['why']}")
    sentences += [
        f"{other['session']}, {_VERDICTS[other['holds']][0]}: {other['words']}"
        for other in one.get("others", ())
    ]
    return sentences[0] if len(sentences) == 1 else ". ".join(sentences) + "."


def _elsewhere(one: dict[str, Any]) -> str:
    return f" (measured on {one['session']})" if one.get("session") else ""


def tables(figure: dict[str, Any]) -> str:
    """Return a figure's tables."""
    return "".join(
        f"<h4>{escape(table['title'])}</h4>"
        f"{cards.table('measurements', table['head'], table['rows'])}{_note(table['note'])}"
        for table in figure["tables"]
    )


def measured_on(figure: dict[str, Any]) -> str:
    """Return where a figure was measured, and on which instances."""
    setup = figure["setup"]
    if setup is None or not figure["instances"]:
        return _note(
            "No committed results have this figure yet. “warplens figures” measures it on your "
            "machine."
        )
    listed = "".join(
        f"<li><b>{escape(one['name'])}</b> {one['vertices']:,} vertices, {one['edges']:,} edges"
        + ("; the paper’s own graph" if one["real"] else "; generated")
        + (f", stands for {escape(one['stands_for'])}" if one["stands_for"] else "")
        + "</li>"
        for one in figure["instances"]
    )
    copies = f", which copies {setup['bandwidth'] / 1e9:,.0f} GB/s" if setup["bandwidth"] else ""
    where = f"{setup['device']}{copies}; {setup['processor']}; {setup['date']}"
    where += f"; {setup['commit'][:8]}"
    return (
        f"{_note('Measured on ' + where)}{_note('Certified: ' + figure['certified'])}"
        f"{_note(_at_a_time(figure.get('at_a_time', 0)))}"
        f"<details><summary>Instances ({len(figure['instances'])})</summary><ul>{listed}</ul>"
        "</details>"
    )


def _at_a_time(most: int) -> str:
    """Return what makes the sequential methods slower; empty if nothing does."""
    return (
        f"Sequential methods ran in processes of their own, up to {most} at a time. They share the "
        "memory, so each takes longer than alone, up to twice as long."
        if most > 1
        else ""
    )


def _note(text: str) -> str:
    return f'<p class="ws-note">{escape(text)}</p>' if text else ""
