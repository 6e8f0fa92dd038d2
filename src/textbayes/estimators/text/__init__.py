"""From text to classes: TextCounter, FrequencyTransform, TermSelector, TextClassifier."""
