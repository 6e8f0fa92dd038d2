"""``make test`` installs the programs that tests need, where it may, and never fails because of them."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "requirements" / "system.py"


@pytest.fixture
def system(monkeypatch, tmp_path):
    """Return the script, as on a machine without the programs and with the commands of ``tmp_path`` alone."""
    spec = importlib.util.spec_from_file_location("system_programs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "system_programs", module)
    spec.loader.exec_module(module)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(module, "becoming_root", list)
    monkeypatch.setattr(module, "_NO_CLUSTER", tmp_path / "etc" / "cluster.conf")
    program = module.Program("Chromium", "chromium", module.has_chromium, "the tests of the page")
    monkeypatch.setattr(module, "PROGRAMS", [program])
    monkeypatch.setattr(sys, "argv", ["system.py", str(tmp_path / "a folder" / "tried")])
    (tmp_path / "bin").mkdir()
    for name in ("env", "mkdir", "rm", "tee", "sh", "touch", "chmod"):
        (tmp_path / "bin" / name).symlink_to(f"/bin/{name}")
    return module


def command(tmp_path, name, script):
    path = tmp_path / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def test_without_apt_get_the_skipped_tests_are_named(system, capsys):
    system.main()
    assert capsys.readouterr().out == (
        "make test: skips the tests of the page, for want of Chromium (there is no apt-get)\n"
    )


def test_packages_are_installed_once(system, tmp_path, capsys):
    log = tmp_path / "log"
    chromium = tmp_path / "bin" / "chromium"
    install = f'case "$*" in *install*chromium*) touch "{chromium}"; chmod +x "{chromium}";; esac'
    command(tmp_path, "apt-get", f'echo "$DEBIAN_FRONTEND $*" >> "{log}"\n{install}')
    system.main()
    system.main()
    assert capsys.readouterr().out == "make test: installs Chromium from Debian's packages\n"
    update, installed = log.read_text(encoding="utf-8").splitlines()
    assert update.startswith("noninteractive")
    assert update.endswith("update")
    assert installed.endswith("install --yes --no-install-recommends chromium")
    assert not (tmp_path / "etc" / "cluster.conf").exists()


def test_a_failure_is_named_and_not_repeated(system, tmp_path, capsys):
    log = tmp_path / "log"
    command(tmp_path, "apt-get", f'echo call >> "{log}"; echo "E: no network" >&2; exit 100')
    system.main()
    system.main()
    assert capsys.readouterr().out.splitlines() == [
        "make test: installs Chromium from Debian's packages",
        *["make test: skips the tests of the page, for want of Chromium (apt-get failed: E: no network)"] * 2,
    ]
    assert log.read_text(encoding="utf-8") == "call\n"


def test_installing_has_a_time_limit(system, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(system, "SECONDS", 1)
    (tmp_path / "bin" / "timeout").symlink_to("/usr/bin/timeout")
    (tmp_path / "bin" / "sleep").symlink_to("/bin/sleep")
    command(tmp_path, "apt-get", "sleep 60")
    system.main()
    assert "skips the tests of the page" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix", reason="sudo")
def test_without_root_and_sudo_nothing_is_installed(system, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(system, "becoming_root", lambda: None)
    command(tmp_path, "apt-get", "exit 1")
    system.main()
    assert capsys.readouterr().out.endswith("(installing needs root, or sudo without a password)\n")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('openjdk version "17.0.15" 2025-04-15', True),
        ('openjdk version "21" 2023-09-19', True),
        ('java version "1.8.0_402"', False),
        ("no version", False),
    ],
)
def test_java_is_found_by_its_version(said, found, system, tmp_path, monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert system.has_java() is False
    command(tmp_path, "java", f"echo '{said}' >&2")
    assert system.has_java() is found
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert system.has_java() is found
