"""The built-in corpus is large, unbalanced, reproducible and learnable."""

import ast
import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from textbayes.datasets import docstrings
from textbayes.datasets.docstrings import load_docstrings


@pytest.fixture(scope="module")
def corpus():
    return load_docstrings()


def test_size(corpus):
    sizes = Counter(corpus.label)
    assert corpus.name == "docstrings"
    assert len(corpus) >= 3000
    assert len(sizes) >= 25
    assert max(sizes.values()) >= 10 * min(sizes.values())
    assert min(sizes.values()) >= 10


def test_libraries(corpus):
    assert {name.split(".")[0] for name in corpus.classes} == {"numpy", "scipy", "sklearn", "python"}
    assert {"scipy.stats", "sklearn.linear_model", "numpy.ma", "python.internet"} <= set(corpus.classes)


def test_documents_are_complete(corpus):
    assert len({document.id for document in corpus}) == len(corpus)
    assert len({" ".join(text.split()) for text in corpus.texts}) == len(corpus)
    assert all(len(text.split()) >= 8 for text in corpus.texts)
    assert all(len(document.labels) == 1 for document in corpus)
    assert all(document.id.startswith(f"{document.label}/") for document in corpus)


def test_known_documents(corpus):
    documents = {document.id: document for document in corpus}
    pdf = documents["scipy.stats/_distn_infrastructure.py:rv_continuous.pdf"]
    assert pdf.text.startswith("Probability density function at x")
    assert pdf.labels == ("scipy.stats",)
    assert "python.text/textwrap.py:TextWrapper" in documents
    # Docstrings of compiled functions, which numpy and scipy attach with a call.
    assert any(name.startswith("scipy.special/_add_newdocs.py:") for name in documents)
    assert any(name.startswith("numpy.core/_add_newdocs.py:") for name in documents)


def test_no_private_test_or_vendored_code(corpus):
    for document in corpus:
        path, _, name = document.id.partition(":")
        assert not {"tests", "test", "externals", "_lib"} & set(path.split("/"))
        for part in name.partition("#")[0].split(".") if "_add_newdocs" not in path else []:
            assert not part.startswith("_") or part.endswith("__"), document.id


def test_split(corpus):
    assert {document.split for document in corpus} == {"train", "test"}
    assert len(corpus.test) / len(corpus) == pytest.approx(1 / 3, abs=0.03)
    assert set(corpus.train.classes) == set(corpus.classes)


def test_the_split_is_a_hash_of_the_id(corpus):
    for document in corpus[:200]:
        digest = hashlib.sha256(document.id.encode()).digest()
        share = int.from_bytes(digest[:8], "big") / 2**64
        assert document.split == ("test" if share < 1 / 3 else "train")


def fingerprint(corpus):
    lines = (f"{d.id}\0{d.label}\0{d.split}\0{d.text}" for d in corpus)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def test_another_process_finds_the_same_corpus(corpus):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_docstrings import fingerprint, load_docstrings\n"
        "print(fingerprint(load_docstrings()))\n"
        "print(sorted({'tkinter', 'turtle', 'idlelib', 'distutils'} & set(sys.modules)))\n"
    )
    source = Path(docstrings.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", code, str(Path(__file__).parent)],
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(source), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [fingerprint(corpus), "[]"]  # nothing was imported
    assert done.stderr == ""


def test_labels_can_be_learned(corpus):
    counter = CountVectorizer()
    counts = counter.fit_transform(corpus.train.texts)
    model = MultinomialNB(alpha=0.1).fit(counts, corpus.train.label)
    accuracy = model.score(counter.transform(corpus.test.texts), corpus.test.label)
    majority = max(Counter(corpus.test.label).values()) / len(corpus.test)
    assert majority < 0.15
    assert accuracy > 0.6


def test_texts_do_not_start_with_their_labels(corpus):
    # Nothing is added to a text, so it contains the label only if an author wrote it.
    leaks = np.mean([document.text.lower().startswith(document.label) for document in corpus])
    assert leaks < 0.01


def strings(source):
    return list(docstrings._strings(source.encode("utf-8", "surrogateescape")))


def test_strings_of_a_module():
    source = '''
"""모듈 🙂"""
class Public:
    """공개"""
    def method(self):
        """طريقة"""
        def inner():
            """inner"""
    def _private(self):
        """private"""
    def __call__(self):
        """call"""
    class Nested:
        """अंदर"""
class _Private:
    """private"""
    def method(self):
        """private"""
try:
    async def later():
        """later"""
except ImportError:
    def other():
        """other"""
if True:
    def here():
        """  here

            indented
        """
add_newdoc("numpy", "sin", """sine""")
add_newdoc("numpy", "ndarray", ("shape", """shape"""))
add_newdoc("numpy", "_hidden", """hidden""")
add_newdoc(name, """unknown""")
'''
    assert strings(source) == [
        ("", "모듈 🙂"),
        ("Public", "공개"),
        ("Public.method", "طريقة"),
        ("Public.__call__", "call"),
        ("Public.Nested", "अंदर"),
        ("later", "later"),
        ("other", "other"),
        ("here", "here\n\nindented"),
        ("numpy.sin", "sine"),
        ("numpy.ndarray.shape", "shape"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        '"""cut',
        'def f(:\n    """x"""',
        '"""\0"""',
        '"""\udc80broken bytes\udcff"""',
        "# -*- coding: nonsense -*-\n'''x'''",
        "print 'python 2', '''x'''",
    ],
)
def test_files_that_do_not_parse_are_skipped(source):
    with pytest.raises((SyntaxError, ValueError)):
        ast.parse(source.encode("utf-8", "surrogateescape"))
    assert strings(source) == []


def test_old_escapes_do_not_warn(recwarn):
    assert strings('"""a \\d b"""') == [("", "a \\d b")]
    assert not recwarn.list
