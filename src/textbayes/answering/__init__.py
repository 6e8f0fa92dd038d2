"""A model file → labels, probabilities and best classes of texts, without scikit-learn and without learning.

The estimators answer by the same classes, so the answers have the same bits.
"""

from textbayes.answering.calibrated import CalibratedAnswers
from textbayes.answering.compact import CompactClassifier
from textbayes.answering.compaction import Compaction, CompactParts
from textbayes.answering.frames import BACKENDS, prediction_frame
from textbayes.answering.loading import FILES, load_answerer
from textbayes.answering.models import MODELS, answers_for, restore_row_answerer
from textbayes.answering.poisson import PoissonAnswers, PoissonOddsScorer, poisson_odds_scorer, poisson_tau
from textbayes.answering.prediction import (
    METHODS,
    Answerer,
    Layout,
    Prediction,
    check_methods,
    labels_above,
    most_likely,
    predict_texts,
)
from textbayes.answering.rows import RowAnswerer, Scorer, ScorerAnswers, Scores
from textbayes.answering.text import TextAnswerer
from textbayes.answering.tuned import TunedAnswers, checked_best

__all__ = [
    "BACKENDS",
    "FILES",
    "METHODS",
    "MODELS",
    "Answerer",
    "CalibratedAnswers",
    "CompactClassifier",
    "CompactParts",
    "Compaction",
    "Layout",
    "PoissonAnswers",
    "PoissonOddsScorer",
    "Prediction",
    "RowAnswerer",
    "Scorer",
    "ScorerAnswers",
    "Scores",
    "TextAnswerer",
    "TunedAnswers",
    "answers_for",
    "check_methods",
    "checked_best",
    "labels_above",
    "load_answerer",
    "most_likely",
    "poisson_odds_scorer",
    "poisson_tau",
    "predict_texts",
    "prediction_frame",
    "restore_row_answerer",
]
