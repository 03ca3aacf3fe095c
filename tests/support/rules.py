"""The rules of axe: whether people with a disability can use a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe


def violations(page, rules=()):
    """Return one line for each rule that is broken, with the first element that breaks it."""
    options = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    found = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:120]}" for rule in found]
