"""What is installed is pinned by version and hash, and audited."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "requirements"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS, GROUPS = PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"]
BASE = PROJECT["project"]["dependencies"]


def resolved(packages):
    """Return packages, with those of the own extras that they name."""
    own = [Requirement(each) for each in packages if Requirement(each).name == PROJECT["project"]["name"]]
    others = [each for each in packages if Requirement(each).name != PROJECT["project"]["name"]]
    return [
        *others,
        *(each for one in own for extra in sorted(one.extras) for each in resolved(EXTRAS[extra])),
    ]


WANTED = {
    "venv": GROUPS["venv"],
    "run": [*BASE, *GROUPS["build"]],
    "dev": [*BASE, *GROUPS["build"], *resolved(EXTRAS["dev"])],
    "serve": [*BASE, *GROUPS["build"], *EXTRAS["server"], *EXTRAS["postgres"]],
    "docs": [*BASE, *EXTRAS["docs"]],
    "tools": GROUPS["tools"],
}
PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?P<rest>[^\n]*(?:\n +--hash=[^\n]+)+)", re.M)


def pins(name):
    """Return the versions of each package in a file of requirements."""
    found = {}
    for match in PINNED.finditer((FOLDER / f"{name}.txt").read_text(encoding="utf-8")):
        found.setdefault(canonicalize_name(match["name"]), []).append(match["version"])
    return found


@pytest.fixture
def audit(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import audit

    yield audit
    sys.modules.pop("audit")


@pytest.mark.parametrize("name", WANTED)
def test_every_package_has_hashes(name):
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.lstrip().startswith(("#", "--hash"))]
    assert len(lines) == sum(map(len, pins(name).values()))
    assert set(re.findall(r"--hash=(\w+):", text)) == {"sha256"}
    assert "://" not in text


@pytest.mark.parametrize("name", WANTED)
def test_the_locked_versions_are_those_that_are_allowed(name):
    locked = pins(name)
    for wanted in map(Requirement, WANTED[name]):
        versions = locked.get(canonicalize_name(wanted.name), [])
        assert versions, f"{wanted} is not in requirements/{name}.txt: run make lock"
        for version in versions:
            assert wanted.specifier.contains(version), f"{wanted.name} {version}: run make lock"


def test_the_files_agree():
    run, dev, docs = pins("run"), pins("dev"), pins("docs")
    assert {name: dev[name] for name in run} == run
    assert all(dev[name] == versions for name, versions in docs.items() if name in dev)


def test_make_installs_only_what_is_pinned():
    text = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    installs = [line for line in text.split("\n") if "pip install" in line]
    assert len(installs) == 2
    for line in installs:
        assert "--require-hashes" in line or ("--no-deps" in line and "--no-build-isolation" in line)


def test_cargo_uses_its_lock_file():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    calls = [line for line in text.split("\n") if line.startswith("\t$(CARGO) ")]
    for line in calls:
        assert "--locked" in line or re.match(r"\t\$\(CARGO\) (fmt|update) ", line), line
    assert len(calls) > 4
    assert PROJECT["tool"]["maturin"]["locked"] is True
    assert (ROOT / "rust" / "Cargo.lock").is_file()
    assert (ROOT / "benchmarks" / "alternatives" / "Cargo.lock").is_file()


def test_crates_come_from_the_registry():
    packages = tomllib.loads((ROOT / "rust" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    allowed = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))["sources"]
    assert allowed["unknown-registry"] == allowed["unknown-git"] == "deny"
    others = [package for package in packages if not package["name"].startswith("textbayes-")]
    for package in others:
        assert package["source"] == f"registry+{allowed['allow-registry'][0]}"
        assert re.fullmatch(r"[0-9a-f]{64}", package["checksum"])


def test_bounds_are_explained():
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    everything = [*BASE, *(each for extra in EXTRAS.values() for each in extra), *GROUPS["build"]]
    for wanted in map(Requirement, everything):
        for bound in wanted.specifier:
            if bound.operator == "<":
                assert f"{wanted.name} < {bound.version}" in table, wanted


def test_an_audit_names_vulnerabilities(audit, capsys):
    bad = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}
    assert audit.report_packages([{"name": "a", "version": "1", "vulns": []}, bad]) is True
    assert capsys.readouterr().out.splitlines() == [
        "make audit: 1 package without known vulnerabilities",
        "make audit: b 2: PYSEC-1, fixed in 3",
    ]


def test_an_audit_says_what_it_skipped(audit, capsys, monkeypatch):
    skipped = [{"name": name, "skip_reason": "404"} for name in "abcd"]
    assert audit.report_packages(skipped) is False
    assert capsys.readouterr().out == (
        "make audit: skipped 4 packages: PyPI did not answer for a, b, c and others\n"
    )
    monkeypatch.setattr(audit.shutil, "which", lambda _: None)
    assert audit.audit_crates() is False
    assert "cargo install --locked cargo-deny" in capsys.readouterr().out


def test_an_audit_without_a_network_fails_nothing(audit, capsys, monkeypatch):
    class Done:
        returncode, stdout, stderr = 1, "", "Traceback\nConnectionError: no route to pypi.org\n"

    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: Done)
    assert audit.audit_packages() is False
    assert "skipped the advisories of packages" in capsys.readouterr().out


def test_security_is_documented():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for promise in ("Report a vulnerability", "runs no code", "What it does not promise"):
        assert promise in text
