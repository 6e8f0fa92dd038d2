"""``textbayes reconsider``: search again for the best recipe of a model."""

from __future__ import annotations

import typer

from textbayes.cli.console import amount, print_json, print_lines, show_status
from textbayes.cli.documents import Json, ModelFile, OtherFile, Wait
from textbayes.cli.models import changing
from textbayes.estimators.text.loading import load_learner
from textbayes.estimators.views.update import new_recipe
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def reconsider_command(
    model: ModelFile, output: OtherFile = None, wait: Wait = WAIT, as_json: Json = False
) -> None:
    """Search again for the best recipe.

    For a model that was found by a search, after it has learned or forgotten many texts. The search takes as
    long as that of train.
    """
    path = output or model
    with changing(path, wait):
        classifier = load_learner(model, "reconsider")
        with show_status(f"Searching for the best recipe for {classifier.documents_:,} documents…"):
            found = new_recipe(classifier)
        classifier.save(path)
    if as_json:
        print_json({"model": str(path), **found})
        return
    first, *others = found["recipe"].split("\n")
    lines = [f"Searched again, on {amount(found['documents'], 'document')}.", f"Recipe: {first}", *others]
    if found["score"] is not None:
        lines.append(f"Score on documents left out: {found['score']:.3f}")
    print_lines(*lines, f"Model: {path}")
