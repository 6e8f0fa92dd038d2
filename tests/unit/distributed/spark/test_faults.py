"""What a worker raised is found in what Spark says about it."""

import traceback

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")

from textbayes.distributed.spark.faults import error_in, worker_errors
from textbayes.errors import BatchError, TextbayesError, WorkerPackageError, WorkerVersionError

SPARK = "Job aborted due to stage failure: PythonException:\n{}\n\tat org.apache.spark.api.python.Runner"


def told(error):
    return SPARK.format("".join(traceback.format_exception(error)))


@pytest.mark.parametrize(
    "error", [BatchError.of_null("label", 17), WorkerVersionError("textbayes 1", "textbayes 2")]
)
def test_an_error_is_the_one_that_was_raised(error):
    found = error_in(told(error))
    assert type(found) is type(error)
    assert str(found) == str(error)


def test_an_error_of_another_version_is_a_textbayes_error():
    found = error_in(told(BatchError.of_null("label", 17)).replace("BatchError", "NewerError"))
    assert type(found) is TextbayesError
    assert found.code == "batch-column"


def test_a_worker_without_textbayes():
    found = error_in(SPARK.format("ModuleNotFoundError: No module named 'textbayes'"))
    assert type(found) is WorkerPackageError


def test_other_errors_stay():
    error = RuntimeError("no space left on device")
    assert error_in(str(error)) is None
    with pytest.raises(RuntimeError) as caught, worker_errors():
        raise error
    assert caught.value is error


def test_the_error_of_spark_is_the_cause():
    error = RuntimeError(told(BatchError.of_null("label", 17)))
    with pytest.raises(BatchError) as caught, worker_errors():
        raise error
    assert caught.value.__cause__ is error
