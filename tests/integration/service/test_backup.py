"""Backups of a running server, as docs/guide/service.md describes them, and damaged model files."""

import shutil
import subprocess

import pytest


def teach(server, count, first=0):
    for number in range(first, first + count):
        fields = {"text": f"zebra lion {number}", "label": "zoo", "id": f"z{number}"}
        server.post("/teach", fields)


def contents(server):
    """Return what must come back: documents, changes and the model."""
    status, _, file = server.raw("GET", "/model/file")
    assert status == 200
    return server.pages("/documents?limit=1000", "documents"), server.pages("/changes", "changes"), file


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the command sqlite3 is missing")
@pytest.mark.parametrize("how", ["VACUUM INTO '{}'", ".backup '{}'"])
def test_a_folder_is_backed_up_while_it_is_written(serve, bases, tmp_path, how):
    store, backup = tmp_path / "store", tmp_path / "a backup"
    server = serve(bases["complement"], "--store", store)
    teach(server, 20)
    server.post("/settle")
    teach(server, 10, first=20)
    before = contents(server)
    backup.mkdir()
    run("sqlite3", str(store / "store.sqlite3"), how.format(backup / "store.sqlite3"))
    run("cp", "-R", str(store / "models"), str(backup / "models"))
    teach(server, 5, first=30)  # later than the backup
    restored = serve("--store", backup)
    assert contents(restored) == before
    teach(restored, 1, first=40)


@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="the command pg_dump is missing")
def test_a_database_is_backed_up_while_it_is_written(serve, bases, tmp_path, postgres):
    url = postgres.new_database()
    server = serve(bases["complement"], "--store", url)
    teach(server, 20)
    server.post("/settle")
    teach(server, 10, first=20)
    before = contents(server)
    dump = tmp_path / "textbayes.dump"
    run("pg_dump", "--format=custom", f"--file={dump}", url)
    teach(server, 5, first=30)
    restored_url = postgres.new_database()
    run("pg_restore", "--exit-on-error", "--no-owner", f"--dbname={restored_url}", str(dump))
    restored = serve("--store", restored_url)
    assert contents(restored) == before
    teach(restored, 1, first=40)


@pytest.mark.parametrize("damage", ["missing", "short", "foreign"])
def test_a_model_file_that_is_damaged_is_made_again(serve, bases, tmp_path, damage):
    """The rows are the truth: an older model file and more rows give the same model."""
    store = tmp_path / "store"
    server = serve(bases["complement"], "--store", store)
    teach(server, 5)
    server.post("/settle")
    before = contents(server)
    server.kill()
    files = sorted(store.rglob("*.tb"), key=lambda file: file.stat().st_mtime_ns)
    assert len(files) > 1
    newest = files[-1]
    if damage == "missing":
        newest.unlink()
    else:
        newest.write_bytes(newest.read_bytes()[:-10] if damage == "short" else b"not a model")
    server = serve(bases["complement"], "--store", store)
    assert contents(server) == before
