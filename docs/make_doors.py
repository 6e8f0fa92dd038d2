"""Write docs/doors.md, what can be done from Python, on the command line and over HTTP.

Run ``python docs/make_doors.py``. Every cell of the table is looked up in the code: a method and its
parameter, a command and its option, a route and its field. What is not there stops the script, and
tests/docs/test_doors_page.py keeps the page current and complete.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import typer.main
from sklearn.base import BaseEstimator

import textbayes
from textbayes import TextClassifier
from textbayes.cli.app import app
from textbayes.server import Settings, create_app

PAGE = Path(__file__).with_name("doors.md")

# Methods for the library itself: files, checks and changes.
INTERNAL = {
    "ADDED_PARAMETERS",
    "check_contents",
    "check_parameters",
    "check_sums",
    "fit_by",
    "fork",
    "new_model",
    "restore",
    "store",
    "teach_by",
}


class Not(str):
    """A cell without an entry, and why."""


@dataclass(frozen=True)
class Row:
    """What can be done, and how through each door.

    Parameters
    ----------
    what : str
        What can be done.
    python, command, http : str or Not
        The entries, separated by ``" | "``: ``"TextClassifier.predict(reject_below)"``,
        ``"predict --reject-below"``, ``"POST /predict reject_below"``; or why there is none.
    """

    what: str
    python: str | Not
    command: str | Not
    http: str | Not


_TRAINED = Not("A server serves a model that was trained before.")
_FILES = Not("A request cannot name files on the server.")
_SERVER = Not("It is done over HTTP, or on the page of the server.")
_INPUT = "predict --text | predict --format | predict --on-error | predict --max-record"

SECTIONS: dict[str, list[Row]] = {
    "Learn": [
        Row("Train a model", "TextClassifier.fit", "train DATA", _TRAINED),
        Row("Choose a model by name", "TextClassifier(model)", "train --model", _TRAINED),
        Row(
            "Choose how texts are counted",
            "TextClassifier(counter)",
            "train --unit | train --tokens | train --ngrams | train --characters | train --lowercase"
            " | train --stop-words | train --stemmer | train --min-df",
            _TRAINED,
        ),
        Row(
            "Keep the probabilities of the model",
            "TextClassifier(calibrate)",
            "train --no-calibrate",
            _TRAINED,
        ),
        Row(
            "Split several labels in one string",
            "TextClassifier.label_separator",
            "train --separator | teach --separator",
            Not("A request has lists of labels."),
        ),
        Row("Limit the search", "AutoNB(budget)", "train --budget", _TRAINED),
        Row("Choose what the search maximises", "AutoNB(metric)", "train --metric | train --costs", _TRAINED),
        Row("Weigh classes in the search", "AutoNB(class_weight)", "train --class-weight", _TRAINED),
        Row(
            "Train on weighted texts",
            "TextClassifier.fit(sample_weight)",
            "train --weight",
            _TRAINED,
        ),
        Row(
            "Train on more text than memory holds",
            "TextClassifier.fit_batches | TextClassifier.reads_texts_again",
            "train --no-documents | train --dimensions",
            _TRAINED,
        ),
        Row(
            "Train in several processes",
            "distributed.fit_by | distributed.run_in_processes",
            "train --workers",
            _TRAINED,
        ),
        Row(
            "Use a scikit-learn pipeline",
            "TextClassifier.from_pipeline | save",
            "predict MODEL",
            Not("`textbayes serve` takes the file of a pipeline."),
        ),
        Row(
            "Teach more texts",
            "TextClassifier.teach | TextClassifier.partial_fit",
            "teach DATA",
            "POST /teach text | POST /teach texts | POST /teach label | POST /teach labels",
        ),
        Row(
            "Teach weighted texts",
            "TextClassifier.teach(sample_weight)",
            "teach --weight",
            "POST /teach weight | POST /teach weights",
        ),
        Row(
            "Forget texts",
            "TextClassifier.forget",
            "forget DATA",
            "POST /forget text | POST /forget texts | POST /forget label | POST /forget labels",
        ),
        Row(
            "Forget weighted texts",
            "TextClassifier.forget(sample_weight)",
            "forget --weight",
            "POST /forget weight | POST /forget weights",
        ),
        Row(
            "Correct labels",
            "TextClassifier.relabel | TextClassifier.relabel(new_labels)",
            "relabel DATA | relabel --new-label",
            "POST /relabel text | POST /relabel texts | POST /relabel label | POST /relabel labels"
            " | POST /relabel new_label | POST /relabel new_labels",
        ),
        Row(
            "Correct labels of weighted texts",
            "TextClassifier.relabel(sample_weight)",
            "relabel --weight",
            "POST /relabel weight | POST /relabel weights",
        ),
        Row(
            "Refit after learning",
            "TextClassifier.settle | TextClassifier.is_settled_",
            "settle MODEL | teach --settle",
            "POST /settle | POST /teach settle",
        ),
        Row(
            "Forget or relabel without a refit",
            "TextClassifier.forget(settle) | TextClassifier.relabel(settle)",
            "forget --settle | relabel --settle",
            "POST /forget settle | POST /relabel settle",
        ),
        Row("Search again", "TextClassifier.reconsider", "reconsider MODEL", "POST /reconsider"),
        Row("Merge models", "TextClassifier.merge", "merge MODEL", _FILES),
        Row("Make a model small", "TextClassifier.compact", "compact MODEL", _FILES),
        Row(
            "Keep a state while others change the model",
            "TextClassifier.snapshot",
            Not("A command reads the file once."),
            Not("A request sees one state of the model."),
        ),
    ],
    "Predict": [
        Row(
            "Predict labels",
            "TextClassifier.predict",
            "predict DATA",
            "POST /predict text | POST /predict texts",
        ),
        Row(
            "Give no label that is not probable",
            "TextClassifier.predict(reject_below)",
            "predict --reject-below",
            "POST /predict reject_below",
        ),
        Row(
            "Probabilities",
            "TextClassifier.predict_proba | TextClassifier.predict_log_proba",
            "predict --proba",
            "POST /predict proba",
        ),
        Row(
            "The most likely classes, with probabilities",
            "TextClassifier.top_k(proba)",
            "predict --top",
            "POST /predict top",
        ),
        Row(
            "Scores",
            "TextClassifier.decision_function | TextClassifier.top_k",
            "explain --json",
            "POST /explain",
        ),
        Row(
            "Labels and probabilities at once, of texts that are counted once",
            "TextClassifier.answer",
            "predict --proba",
            "POST /predict proba",
        ),
        Row(
            "A table of predictions",
            "TextClassifier.predict_frame",
            "predict --output | predict --csv",
            "POST /predict/file format | POST /predict/file top",
        ),
        Row(
            "Repeat texts and other columns",
            "TextClassifier.predict_frame(with_text)",
            "predict --with-text | predict --columns",
            "POST /predict/file",
        ),
        Row(
            "Cells of CSV that a spreadsheet would calculate",
            Not("A data frame has no formulas; `ClassReport.to_csv(exact=)` is for reports."),
            "predict --exact | pull --exact",
            Not("They are always quoted in CSV; JSON Lines has them as they are."),
        ),
        Row(
            "Read files",
            "datasets.read_documents",
            _INPUT,
            "POST /predict/file column | POST /queue column",
        ),
    ],
    "Look inside": [
        Row("Explain a text", "TextClassifier.explain", "explain TEXT", "POST /explain text"),
        Row(
            "Explain a class of your choice",
            "TextClassifier.explain(label) | TextClassifier.explain(against)",
            "explain --class | explain --against",
            "POST /explain classes",
        ),
        Row(
            "Explain only the best classes",
            "Explanation.best_labels | Explanation.to_dict(labels)",
            "explain --top",
            "POST /explain top",
        ),
        Row(
            "Explain the texts of a file",
            Not("Call `explain` for each text of `read_documents`."),
            "explain TEXT",
            Not("Send each text to `/explain`."),
        ),
        Row(
            "An explanation as a page",
            "Explanation.to_html",
            "explain --html",
            Not("`/explain` with the header `Accept: text/html`."),
        ),
        Row(
            "The strongest terms of each class",
            "TextClassifier.inspect(terms)",
            "inspect --terms",
            "GET /inspect terms",
        ),
        Row(
            "One class",
            "Inspection.classes",
            "inspect --class",
            "GET /inspect class",
        ),
        Row(
            "Terms that distinguish two classes",
            "Inspection.between",
            "inspect --between",
            "GET /inspect between",
        ),
        Row(
            "Confused classes and leave-one-out",
            "TextClassifier.leave_one_out | TextClassifier.inspect(leave_one_out)",
            "train --loo | inspect --loo",
            "GET /inspect",
        ),
        Row(
            "Evaluate on labelled texts",
            "TextClassifier.score | evaluation.class_report",
            "evaluate DATA",
            Not("Compare the answers of `/predict` with your labels."),
        ),
        Row("Compare models", "evaluation.compare", "compare DATA", _TRAINED),
        Row(
            "The labels, the sizes of classes and the parts of a model",
            "TextClassifier.describe | TextClassifier.classes_ | TextClassifier.class_documents_"
            " | TextClassifier.documents_ | TextClassifier.multilabel_ | TextClassifier.counter_"
            " | TextClassifier.transform_ | TextClassifier.model_ | TextClassifier.thresholds_",
            "inspect MODEL",
            "GET /model | GET /health",
        ),
    ],
    "A service": [
        Row(
            "Teach texts under your own ids",
            "client.Client.teach(ids) | client.Client.put",
            "push DATA | push URL | push --id",
            "POST /teach id | POST /teach ids | PUT /documents/{id} text | PUT /documents/{id} label"
            " | PUT /documents/{id} weight",
        ),
        Row(
            "Say where a text came from",
            "client.Client.teach(source)",
            "push DATA",
            "POST /teach source | POST /forget source | POST /relabel source | PUT /documents/{id} source",
        ),
        Row(
            "Forget a document, or erase its text for good",
            "client.Client.delete(erase)",
            _SERVER,
            "DELETE /documents/{id} | DELETE /documents/{id} erase",
        ),
        Row(
            "Wait for the model, or for a refit",
            "client.Client.teach(wait) | client.Client.settle",
            "push --settle",
            "POST /teach wait | POST /forget wait | POST /relabel wait | PUT /documents/{id} wait"
            " | PUT /documents/{id} settle | DELETE /documents/{id} wait | DELETE /documents/{id} settle"
            " | POST /undo wait | POST /undo settle | POST /queue/{id} settle",
        ),
        Row(
            "Undo a change",
            "client.Client.undo",
            _SERVER,
            "POST /undo | POST /undo version | POST /undo request",
        ),
        Row(
            "Who changed what, and when",
            "client.Client.changes",
            _SERVER,
            "GET /changes before | GET /changes actor | GET /changes class | GET /changes document"
            " | GET /changes limit",
        ),
        Row(
            "Find documents",
            "client.Client.documents | client.Client.document",
            "pull URL | pull --search | pull --class",
            "GET /documents search | GET /documents class | GET /documents after | GET /documents limit"
            " | GET /documents/{id}",
        ),
        Row(
            "The model at any version",
            "client.Client.download",
            "pull --model | pull --version",
            "GET /model/file version | GET /versions",
        ),
        Row(
            "Label the texts of a queue",
            "client.Client.queue | client.Client.label | client.Client.skip | client.Client.unskip",
            _SERVER,
            "GET /queue limit | POST /queue/{id} label | POST /queue/{id} labels | POST /queue/{id}/skip"
            " | POST /queue/{id}/return | DELETE /queue/{id}",
        ),
        Row("Add texts to the queue", "client.Client.add_to_queue", _SERVER, "POST /queue"),
        Row("How good the model is", "client.Client.quality", _SERVER, "GET /quality | GET /metrics"),
        Row(
            "Several models",
            "client.Client(model)",
            "serve MODEL | serve --store",
            "GET /models | POST /models name | DELETE /models/{name}",
        ),
        Row(
            "Who may do what",
            "server.Settings(tokens)",
            "token new | token list | token revoke | serve --tokens",
            Not("Tokens are made on the server's machine."),
        ),
    ],
    "Files and servers": [
        Row(
            "Save a model",
            "TextClassifier.save",
            "train --output",
            "GET /model/file",
        ),
        Row(
            "Load a model", "TextClassifier.load | load", "predict MODEL", Not("`textbayes serve` loads it.")
        ),
        Row("Verify a model file", "verify", "verify MODEL", _FILES),
        Row(
            "Map a model file into memory",
            "TextClassifier.load(mmap) | load(mmap)",
            Not("Commands and servers read the file."),
            Not("Commands and servers read the file."),
        ),
        Row(
            "Keep two writers apart",
            "persistence.write_lock",
            "teach --wait | forget --wait | relabel --wait | settle --wait | reconsider --wait"
            " | merge --wait | serve --wait",
            Not("A writable server holds the lock of its file; of two servers on a store one writes."),
        ),
        Row("Serve a model", "server.create_app", "serve MODEL", "GET /"),
        Row(
            "Serve a file that was replaced",
            Not("Load it again."),
            "serve --watch",
            "POST /reload",
        ),
        Row(
            "Compute now what the first change needs",
            "TextClassifier.prepare",
            Not("A command makes one change."),
            Not("A server does it before it is ready."),
        ),
        Row("Fetch corpora", "datasets.fetch_corpus", "data fetch | data list", _FILES),
        Row(
            "Rebuild the tables of papers",
            "papers.run_papers",
            "papers run",
            Not("It needs corpora, and hours."),
        ),
        Row(
            "See everything at work", Not("See the guide."), "demo", Not("`GET /` is a page to try a model.")
        ),
    ],
}

_TOP = """\
# Three doors

<!-- Written by docs/make_doors.py from the code: edit that. -->

What can be done from Python can be done on the command line and over HTTP, and the other way round. Where one
of them has no entry, the table says why. For details, see the pages on [Python](reference.md), the
[command line](cli.md) and [HTTP](http.md).
"""


def rows() -> list[Row]:
    """Return all rows."""
    return [row for section in SECTIONS.values() for row in section]


def page() -> str:
    """Return the page as it should be."""
    parts = [_TOP]
    for title, section in SECTIONS.items():
        lines = [f"## {title}", "", "| | Python | command line | HTTP |", "|---|---|---|---|"]
        for row in section:
            cells = (_python(row.python), _command(row.command), _http(row.http))
            lines.append(f"| {row.what} | {' | '.join(cells)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def entries(door: str) -> set[str]:
    """Return the entries of a column: ``"python"``, ``"command"`` or ``"http"``."""
    cells = (getattr(row, door) for row in rows())
    return {entry for cell in cells if not isinstance(cell, Not) for entry in cell.split(" | ")}


# Looking up.


def public_methods() -> set[str]:
    """Return the public names of TextClassifier, without those of scikit-learn and of the library itself."""
    names = {name for name, _ in inspect.getmembers_static(TextClassifier) if not name.startswith("_")}
    routing = {name for name in names if re.fullmatch(r"set_\w+_request", name)}
    return names - routing - INTERNAL - set(dir(BaseEstimator))


@cache
def commands() -> dict[str, set[str]]:
    """Return each command with its options and arguments."""
    return dict(_commands(typer.main.get_command(app), ""))


def _commands(command: Any, path: str) -> Iterator[tuple[str, set[str]]]:
    command = command.load() if hasattr(command, "load") else command
    children = getattr(command, "commands", {})
    for name, child in children.items():
        yield from _commands(child, f"{path} {name}".strip())
    if not children:
        options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
        arguments = (each.metavar for each in command.params if each.param_type_name == "argument")
        yield path, options | {name.strip("[].") for name in arguments if name}


@cache
def routes() -> dict[str, set[str]]:
    """Return each route, such as ``"POST /predict"``, with its fields."""
    document, found = create_app(Settings()).openapi(), {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = set(document["components"]["schemas"].get(name, {}).get("properties", {}))
            fields |= {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
            found[f"{method.upper()} {path}"] = fields
    return found


def check_python(entry: str) -> None:
    """Check that a name, and its parameter, exist."""
    name, _, parameter = entry.removesuffix(")").partition("(")
    found: Any = textbayes
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            if found is not textbayes:
                if not _has_field(found, part):
                    raise SystemExit(f"docs/make_doors.py: there is no {name}.") from None
                return
            found = import_module(f"textbayes.{part}")
    if parameter and parameter not in inspect.signature(found).parameters:
        raise SystemExit(f"docs/make_doors.py: {name} has no parameter {parameter}.")


def _has_field(kind: Any, name: str) -> bool:
    return name in getattr(kind, "__dataclass_fields__", {})


def check_command(entry: str) -> None:
    """Check that a command, and its option or argument, exist."""
    words = entry.split(" ")
    for end in range(len(words), 0, -1):
        path = " ".join(words[:end])
        if path in commands():
            missing = [word for word in words[end:] if word not in commands()[path]]
            if missing:
                raise SystemExit(f"docs/make_doors.py: textbayes {path} has no {missing[0]}.")
            return
    raise SystemExit(f"docs/make_doors.py: there is no command {entry}.")


def check_route(entry: str) -> None:
    """Check that a route, and its field, exist."""
    method, path, *fields = entry.split(" ")
    known = routes().get(f"{method} {path}")
    if known is None:
        raise SystemExit(f"docs/make_doors.py: there is no route {method} {path}.")
    if not set(fields) <= known:
        raise SystemExit(f"docs/make_doors.py: {method} {path} has no field {fields[0]}.")


# Writing.


def _python(cell: str | Not) -> str:
    return _cell(cell, check_python, lambda entry: entry.replace(")", "=)"))


def _command(cell: str | Not) -> str:
    return _cell(cell, check_command, str)


def _http(cell: str | Not) -> str:
    if isinstance(cell, Not):
        return _cell(cell, check_route, str)
    fields: dict[str, list[str]] = {}
    for entry in cell.split(" | "):
        check_route(entry)
        method, path, *names = entry.split(" ")
        fields.setdefault(f"`{method} {path}`", []).extend(f"`{name}`" for name in names)
    return "; ".join(f"{route}: {', '.join(own)}" if own else route for route, own in fields.items())


def _cell(cell: str | Not, check: Any, shown: Any) -> str:
    if not cell:
        raise SystemExit("docs/make_doors.py: a cell is empty; give an entry, or Not(the reason).")
    if isinstance(cell, Not):
        return f"*{cell}*" if "`" not in cell else f"{cell}"
    for entry in cell.split(" | "):
        check(entry)
    return ", ".join(f"`{shown(entry)}`" for entry in cell.split(" | "))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
