"""One Spark cluster for all tests of a process, and sessions of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spark_cluster import SETTINGS, SparkCluster, environment, skip_without_spark

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    # pyspark 4.3 warns of pandas 3, and leaves sockets to the garbage collector.
    for item in items:
        if HERE in item.path.parents:
            # The first test of a process also starts the cluster.
            item.add_marker(pytest.mark.timeout(900))
            item.add_marker(pytest.mark.filterwarnings("ignore::FutureWarning:pyspark"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory) -> Iterator[SparkCluster]:
    skip_without_spark()
    cluster = SparkCluster(tmp_path_factory.mktemp("spark"))
    try:
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def spark(cluster) -> Iterator[Any]:
    """A classic session: its driver is in this process, its executors are in those of the workers."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master(cluster.master).appName("textbayes")
        builder = builder.config("spark.sql.warehouse.dir", str(cluster.folder / "warehouse"))
        session = builder.config(map=SETTINGS).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        try:
            yield session
        finally:
            session.stop()


@pytest.fixture(scope="session")
def connect(cluster) -> str:
    """The address of a Spark Connect server. Its clients are other processes."""
    return cluster.start_connect()
