"""The rules of axe: whether people with a disability can use a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

#: The rules that depend on the theme.
COLOURS = ("color-contrast", "link-in-text-block")

#: Colours are those of the scheme: transitions have ended, also on a slow machine.
SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations()
    .filter((one) => one instanceof CSSTransition).map((one) => one.finished)))"""

#: Only what is broken leaves the browser: all that axe looked at takes longer than to look at it.
BROKEN = """async (options) => (await axe.run(options)).violations
  .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)"""


def violations(page, rules=()):
    """Return one line for each rule that is broken, with the first element that breaks it."""
    options = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    page.evaluate(SETTLED)
    return page.evaluate(BROKEN, options)
