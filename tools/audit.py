"""Look up known vulnerabilities of the packages in this environment, with pip-audit.

Run by ``make audit``; it needs the network. pip-audit alone ends well if it could look up nothing;
here every package must have an answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

OWN = "warplens"


def main(arguments: list[str]) -> int:
    """Print what has to be raised; the exit code is 0 if nothing has to, 2 without an answer."""
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    command += ["--skip-editable", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        found = json.loads(ran.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = (ran.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        print(f"{OWN}: pip-audit failed, does it reach the network? {last[:300]}", file=sys.stderr)
        return 2
    return report(found)


def report(found: list[dict[str, Any]]) -> int:
    """Print the vulnerabilities, and the packages without an answer; return the exit code."""
    found = [one for one in found if one["name"] != OWN]
    unknown = [one["name"] for one in found if "skip_reason" in one]
    weak = [(one, hole) for one in found for hole in one.get("vulns", ())]
    for one, hole in weak:
        fixed = " or ".join(hole["fix_versions"]) or "no version yet"
        print(f"{one['name']} {one['version']}: {hole['id']}, fixed in {fixed}")
    if unknown:
        few = ", ".join(unknown[:5]) + (", ..." if len(unknown) > 5 else "")
        print(
            f"{OWN}: the service does not know {len(unknown)} of {len(found)} packages ({few}); is "
            "it reached? Another one: make audit ARGS='--vulnerability-service osv'",
            file=sys.stderr,
        )
    if weak:
        print(f"{OWN}: raise these packages' floors in pyproject.toml and environment.yml")
    if not weak and not unknown:
        print(f"no known vulnerability in {len(found)} packages")
    return 1 if weak else 2 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
