"""Everything works over Spark Connect, for a client without a JVM."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run_client(*arguments):
    """Return what a client found that has neither SPARK_HOME nor Java."""
    names = [name for name in os.environ if not name.startswith(("SPARK", "PYSPARK", "JAVA"))]
    environment = {name: os.environ[name] for name in names}
    environment |= {"PATH": "/nonexistent", "PYTHONPATH": str(HERE)}
    script = [sys.executable, str(HERE / "thin_client.py"), *arguments]
    done = subprocess.run(script, capture_output=True, text=True, env=environment, timeout=800, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["session"].startswith("pyspark.sql.connect")
    assert found["differences"]["complement"] == 0
    assert found["predicts"]
    assert found["error"] == "BatchError"
    return found


def test_a_thin_client(connect, tmp_path):
    run_client(connect, str(tmp_path))


@pytest.mark.slow
def test_a_thin_client_that_does_everything(connect, tmp_path):
    found = run_client(connect, str(tmp_path), "all")
    assert found["differences"]["twcnb"] <= 1e-12
    assert found["accuracy"] > 0.9
    assert found["streams"]
    assert found["alpha"] == 0.1
