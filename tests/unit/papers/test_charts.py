"""Charts are well-formed SVG, with every point in its position."""

import xml.etree.ElementTree as ET

import pytest

from textbayes.papers.charts import line_chart

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text):
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def circles(chart):
    return [(float(mark.get("cx")), float(mark.get("cy"))) for mark in chart.iter(f"{SVG}circle")]


def test_larger_values_are_further_right_and_up():
    (left, low), (right, high) = circles(parsed(line_chart({"PNB": [(0.0, 0.1), (1.0, 0.9)]}, "alpha", "F1")))
    assert left < right
    assert low > high  # the y axis of SVG points downwards


def test_a_wide_range_of_numbers_has_a_logarithmic_axis():
    points = [(20, 0.1), (632.45, 0.2), (20_000, 0.3)]
    (first, _), (middle, _), (last, _) = circles(parsed(line_chart({"MI": points}, "words", "accuracy")))
    assert middle - first == pytest.approx(last - middle, abs=0.2)


def test_names_are_evenly_spaced_and_escaped():
    chart = line_chart({"a<b & c": [("뉴스", 0.5), ("<script>", 0.5)]}, "class", "AUC")
    assert "<script>" not in chart
    root = parsed(chart)
    assert len(circles(root)) == 2
    assert {"뉴스", "<script>"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_one_point_is_drawn_in_the_middle():
    assert len(circles(parsed(line_chart({"UM": [(0.5, 0.7)]}, "alpha", "F1")))) == 1
