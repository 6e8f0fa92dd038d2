"""``textbayes settle``: refit a model that learned approximately."""

from __future__ import annotations

import typer

from textbayes.cli.console import amount, print_json, print_lines, show_status
from textbayes.cli.documents import Json, ModelFile, OtherFile, Wait
from textbayes.cli.models import changing
from textbayes.estimators.text.loading import load_learner
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def settle_command(
    model: ModelFile, output: OtherFile = None, wait: Wait = WAIT, as_json: Json = False
) -> None:
    """Refit a model after teaching.

    A model that was taught approximately is then the same as one trained on all its documents with the same
    recipe. A settled model does not change.
    """
    path = output or model
    with changing(path, wait):
        classifier = load_learner(model, "settle")
        refitted, documents = not classifier.is_settled_, classifier.documents_
        if refitted:
            with show_status(f"Learning {documents:,} documents…"):
                classifier.settle()
        if refitted or output is not None:
            classifier.save(path)
    if as_json:
        print_json({"model": str(path), "refitted": refitted, "documents": documents, "settled": True})
        return
    learned = amount(documents, "document")
    done = f"Refitted on {learned}." if refitted else f"Already settled, with {learned}."
    print_lines(done, f"Model: {path}")
