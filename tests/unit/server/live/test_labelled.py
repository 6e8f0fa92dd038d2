"""The quality on texts that were shown by chance."""

from datetime import UTC, datetime, timedelta

import pytest

from textbayes.server.live.labelled import MOST_POINTS, accuracy_of, labelled_quality
from textbayes.server.store import QueuedText

START = datetime(2026, 11, 16, 17, tzinfo=UTC)


def texts(*pairs):
    return [
        QueuedText(
            f"q{place}", "wörter", "labelled", "random", predicted, 0.5, labels, f"q{place}", START,
            START + timedelta(seconds=place), "eve", None,
        )
        for place, (predicted, labels) in enumerate(pairs)
    ]  # fmt: skip


def test_the_share_of_right_predictions_has_wilsons_interval():
    now, history = labelled_quality(texts(*[("밀", "밀")] * 9, ("밀", "oil")))
    # Wilson 1927: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), with p = 0.9, n = 10, z = 1.96.
    assert now == {"texts": 10, "right": 9, "accuracy": 0.9, "low": 0.5958, "high": 0.9821}
    assert [point["right"] for point in history] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert history[-1] == {"time": "2026-11-16T17:00:09+00:00", **now}


def test_texts_without_a_prediction_do_not_count():
    now, history = labelled_quality(texts((None, "oil"), ("oil", "oil")))
    assert now["texts"] == now["right"] == len(history) == 1
    assert labelled_quality([]) == (accuracy_of(0, 0), [])


@pytest.mark.parametrize(
    ("predicted", "labels", "right"),
    [(("a", "b"), ("b", "a"), 1), (("a",), ("a", "b"), 0), ((), (), 1), (1, 1, 1), (True, False, 0)],
)
def test_several_labels_are_right_together(predicted, labels, right):
    assert labelled_quality(texts((predicted, labels)))[0]["right"] == right


def test_a_long_history_has_few_points_and_ends_with_all_texts():
    _, history = labelled_quality(texts(*[("a", "a"), ("a", "b")] * 1001))
    assert len(history) == MOST_POINTS
    assert (history[-1]["texts"], history[-1]["right"]) == (2002, 1001)
    counts = [point["texts"] for point in history]
    assert counts == sorted(set(counts))
