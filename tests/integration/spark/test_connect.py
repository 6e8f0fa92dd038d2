"""Everything works over Spark Connect, for a client without a JVM."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_a_thin_client(connect, tmp_path):
    # Without a SPARK_HOME and without Java: a client has only Python.
    names = [name for name in os.environ if not name.startswith(("SPARK", "PYSPARK", "JAVA"))]
    environment = {name: os.environ[name] for name in names}
    environment |= {"PATH": "/nonexistent", "PYTHONPATH": str(HERE)}
    script = [sys.executable, str(HERE / "thin_client.py"), connect, str(tmp_path)]
    done = subprocess.run(
        script, capture_output=True, text=True, env=environment, timeout=800, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["session"].startswith("pyspark.sql.connect")
    assert found["differences"]["complement"] == 0
    assert found["differences"]["twcnb"] <= 1e-12
    assert found["predicts"]
    assert found["accuracy"] > 0.9
    assert found["error"] == "BatchError"
    assert found["streams"]
