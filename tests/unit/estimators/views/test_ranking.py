"""The strongest terms of a class, as people read them."""

from textbayes.estimators.views.ranking import strongest_terms


def test_words_come_first():
    ranked = [("\0oi", 4.0), ("crude oil", 3.0), ("\0xy", 2.5), ("wheat", 2.0), ("corn", 1.0)]
    assert strongest_terms(ranked, 2) == [("crude oil", 3.0), ("wheat", 2.0)]
    assert strongest_terms(ranked, 4) == [("crude oil", 3.0), ("wheat", 2.0), ("corn", 1.0), ("‹xy›", 2.5)]


def test_characters_do_not_repeat_what_is_listed():
    ranked = [("\0 oil", 5.0), ("oil", 4.0), ("\0 he", 3.0), ("\0 the", 2.0), ("\0 he ", 1.0), ("\0zz", 0.5)]
    assert strongest_terms(ranked, 9) == [("oil", 4.0), ("‹ he›", 3.0), ("‹ the›", 2.0), ("‹zz›", 0.5)]


def test_nothing_is_ranked():
    assert strongest_terms([], 3) == []
    assert strongest_terms([("\0 a", 1.0)], 3) == [("‹ a›", 1.0)]
