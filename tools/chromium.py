"""Find Chromium for the browser tests, or install it the way the platform does.

Run by the Makefile with the project's own Python (Playwright is its last resort).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main() -> int:
    """Find or install a browser; report if that fails."""
    if found := find():
        print(f"browser: {found}")
        return 0
    print("no Chromium was found; installing it", flush=True)
    if install_with_apt() or install_with_playwright():
        return 0
    print(
        "warplens: the browser tests need Chromium, which could not be installed; install it "
        "(Debian: apt-get install chromium; elsewhere: playwright install chromium) and try again",
        file=sys.stderr,
    )
    return 1


def find() -> str | None:
    """Return the browser in PATH, or Playwright's own if it has been downloaded."""
    for name in NAMES:
        path = shutil.which(name)
        if path and runs(path):
            return path
    own = playwright_browser()
    return own if own and runs(own) else None


def runs(path: str) -> bool:
    """Return True if the browser starts; Ubuntu's package can be an empty shell around a snap."""
    try:
        command = [path, "--version"]
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def playwright_browser() -> str | None:
    """Return the path of Playwright's own Chromium if it is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_with_apt() -> bool:
    """Install Debian's package, as root or through a sudo that asks for no password."""
    if shutil.which("apt-get") is None or distribution() != "debian":
        return False
    prefix = elevate()
    if prefix is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (
        [*prefix, "apt-get", "update", "-qq"],
        [*prefix, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
    )
    for command in commands:
        ran = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        if ran.returncode != 0:
            return False
    return find() is not None


def install_with_playwright() -> bool:
    """Download Playwright's Chromium; with the libraries it needs where that is allowed."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if distribution() in ("debian", "ubuntu") and elevate() is not None:
        command.insert(-1, "--with-deps")
    subprocess.run(command, stdin=subprocess.DEVNULL)
    return find() is not None


def elevate() -> list[str] | None:
    """Return the prefix of a command that needs root, or None if root is not available."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if allowed else None


def distribution() -> str:
    """Return the distribution's identifier ("debian", "ubuntu", ...), or an empty text."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return ""
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values.get("ID", "").strip('"')


if __name__ == "__main__":
    sys.exit(main())
