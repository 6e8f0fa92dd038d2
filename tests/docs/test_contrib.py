"""The unit file and the container file name things that exist."""

import re
import shlex
import shutil
import subprocess

import pytest
from pages import DOCS, REPOSITORY
from typer.testing import CliRunner

CONTRIB = REPOSITORY / "contrib"
CONTAINER = (CONTRIB / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
UNIT = (CONTRIB / "textbayes.service").read_text(encoding="utf-8")
GUIDE = (DOCS / "guide" / "service.md").read_text(encoding="utf-8")


def options_of(*command):
    """Return the options of a command of textbayes."""
    from textbayes.cli.app import app

    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "400", "NO_COLOR": "1"})
    assert shown.exit_code == 0, shown.output
    return set(re.findall(r"--[a-z][a-z-]+", shown.output))


def test_options_of_serve_exist():
    known = options_of("serve")
    entry = " ".join(re.findall(r"^(?:CMD|ENTRYPOINT) (\[.*)", CONTAINER, re.MULTILINE))
    (start,) = re.findall(r"^ExecStart=(.*)", UNIT, re.MULTILINE)
    guide = " ".join(re.findall(r"^ +textbayes serve(.*)", GUIDE, re.MULTILINE))
    for place in (entry, start, guide):
        named = set(re.findall(r"--[a-z][a-z-]+", place))
        assert named
        assert named <= known, named - known


def test_commands_of_the_guide_exist():
    for line in re.findall(r"^ +textbayes (token .*)", GUIDE, re.MULTILINE):
        words = shlex.split(line)
        assert set(re.findall(r"--[a-z][a-z-]+", line)) <= options_of(*words[:2]), line


def test_the_container_copies_what_exists():
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINER, re.MULTILINE)
    names = [name for line in copied for name in line.split()]
    assert {"src", "rust", "pyproject.toml", "requirements/serve.txt"} <= set(names)
    ignored = (CONTRIB / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in names:
        assert (REPOSITORY / name).exists(), name
        assert f"!{name}" in ignored, f"the ignore file keeps {name} out of the build"


def test_the_container_runs_as_a_user():
    final = CONTAINER[CONTAINER.rindex("\nFROM ") :]
    assert re.search(r"^USER textbayes$", final, re.MULTILINE)
    assert "pip install" not in re.sub(r"--require-hashes|--no-deps", "", final)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing")
def test_systemd_accepts_the_unit(tmp_path):
    unit = tmp_path / "textbayes.service"
    unit.write_text(UNIT.replace("/opt/textbayes/bin/textbayes", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    told = [line for line in done.stderr.splitlines() if "textbayes.service" in line]
    assert not told
