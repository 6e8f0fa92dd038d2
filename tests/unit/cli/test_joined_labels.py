"""Labels that look joined."""

import pytest

from textbayes.cli.joined_labels import joined_labels_hint

TOPICS = ["acq", "corn", "crude", "earn", "grain", "wheat"]


@pytest.mark.parametrize("mark", [";", "|", ",", "; "])
def test_parts_that_are_labels_too(mark):
    labels = [*TOPICS, *(f"{one}{mark}{other}" for one in TOPICS for other in TOPICS if one < other)]
    (hint,) = joined_labels_hint(sorted(labels))
    assert hint.startswith(f"15 of 21 labels contain {mark.strip()!r}, such as 'acq{mark}corn'.")
    assert hint.endswith(f"--separator {mark.strip()!r}.")


def test_parts_that_come_in_several_labels():
    assert joined_labels_hint(["a;b", "b;c", "c;a"])


@pytest.mark.parametrize(
    "labels",
    [
        [],
        [1, 2, 3, 4],
        TOPICS,
        ["Lovelace, Ada", "Turing, Alan", "Hopper, Grace", "Gauss, Carl"],
        ["R&D, other", "sales", "sales, other"],
        [*(f"class {number}" for number in range(50)), "a;b", "b;c", "c;a"],
        ["a;", "b;", "c;"],
        ["food, drinks", "toys, games", "home, garden", "art, crafts"],
    ],
    ids=str,
)
def test_labels_that_are_whole(labels):
    assert joined_labels_hint(labels) == []
