"""The playground's files, and what its scripts may do, whatever a visitor or a link brings."""

from __future__ import annotations

from collections.abc import Iterable

#: The page's file, and the folder of the engine's files beside it.
PAGE, ENGINE = "play.html", "play"
#: Of the engine's files, as a server sends them: a worker obeys the policy of its own file. It runs
#: our scripts and WebAssembly, and asks this server alone. Binaryen comes out of its packed file as
#: a script at a blob address.
ENGINE_POLICY = (
    "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'"
)


def page_policy(hashes: Iterable[str]) -> str:
    """Return the policy of the page: its own scripts run by their hashes, the engine's by name."""
    return (
        f"default-src 'none'; script-src 'self' {' '.join(hashes)}; worker-src 'self'; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
