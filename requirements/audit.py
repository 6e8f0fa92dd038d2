"""Look for dependencies with known vulnerabilities, unknown sources or licences that do not fit.

Run by ``make audit``. What cannot run here, for want of a program or a network, is named and skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKED = ("venv", "run", "dev", "serve", "docs", "tools")
_CRATES = ["cargo", "deny", "--locked", "--manifest-path", "rust/Cargo.toml", "--config", "deny.toml"]
_OFFLINE = ("bans", "licenses", "sources")


def main() -> int:
    """Run the checks that can run, and return the exit status: 1 if one found something."""
    found = audit_packages()
    found |= audit_crates()
    return int(found)


def audit_packages() -> bool:
    """Look up the locked packages in the advisories of PyPI; return whether one has a vulnerability."""
    program = Path(sys.executable).with_name("pip-audit")
    files = [argument for name in LOCKED for argument in ("--requirement", f"requirements/{name}.txt")]
    command = [str(program), *files, "--disable-pip", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, LookupError, TypeError):
        lines = done.stderr.strip().splitlines() or ["no output"]
        print(f"make audit: skipped the advisories of packages: pip-audit failed: {lines[-1]}")
        return False
    return report_packages(packages)


def report_packages(packages: list[dict[str, object]]) -> bool:
    """Print what is known about packages; return whether one has a vulnerability.

    Examples
    --------
    >>> from audit import report_packages
    >>> report_packages([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "404"}])
    make audit: 1 package without known vulnerabilities
    make audit: skipped 1 package: PyPI did not answer for b
    False
    """
    skipped = sorted({str(package["name"]) for package in packages if "skip_reason" in package})
    bad = [package for package in packages if package.get("vulns")]
    sound = {(package["name"], package["version"]) for package in packages if package.get("vulns") == []}
    if sound:
        print(f"make audit: {_amount(len(sound))} without known vulnerabilities")
    if skipped:
        names = ", ".join(skipped[:3]) + (" and others" if len(skipped) > 3 else "")
        print(f"make audit: skipped {_amount(len(skipped))}: PyPI did not answer for {names}")
    for package in bad:
        vulnerabilities = package["vulns"]
        assert isinstance(vulnerabilities, list)
        for one in vulnerabilities:
            fixed = ", ".join(one.get("fix_versions", ())) or "no version"
            print(f"make audit: {package['name']} {package['version']}: {one['id']}, fixed in {fixed}")
    return bool(bad)


def audit_crates() -> bool:
    """Check the crates with cargo-deny; return whether it refuses one."""
    if shutil.which("cargo-deny") is None:
        print("make audit: skipped the crates: cargo install --locked cargo-deny, then run it again")
        return False
    refused = _run([*_CRATES, "--offline", "check", *_OFFLINE])
    if refused is not None:
        print(refused)
        return True
    print(f"make audit: cargo-deny accepts the {', '.join(_OFFLINE[:-1])} and {_OFFLINE[-1]} of the crates")
    fetched = _run([*_CRATES, "fetch", "db"])
    if fetched is not None:
        print("make audit: skipped the advisories of crates: their database is not reachable from here")
        return False
    known = _run([*_CRATES, "--offline", "check", "advisories"])
    print(known or "make audit: crates without known vulnerabilities")
    return known is not None


def _run(command: list[str]) -> str | None:
    """Run a command; return its output if it failed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{done.stdout}{done.stderr}".strip()


def _amount(number: int) -> str:
    return "1 package" if number == 1 else f"{number} packages"


if __name__ == "__main__":
    sys.exit(main())
