"""Without pyspark, the package says which extra to install, and the primitive works."""

import subprocess
import sys

CODE = """
import sys
sys.modules["pyspark"] = None
import textbayes.distributed
try:
    import textbayes.distributed.spark
except ImportError as error:
    print(error)
"""


def test_the_missing_extra_is_named():
    run = subprocess.run([sys.executable, "-P", "-c", CODE], capture_output=True, text=True, check=True)
    assert "pip install 'textbayes[spark]'" in run.stdout
