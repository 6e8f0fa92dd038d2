"""Document and Corpus, the values that every reader returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its labels, split and id.

    Parameters
    ----------
    text : str
        The text.
    labels : tuple of str
        Its labels: none, one or several.
    split : str or None
        ``"train"``, ``"test"``, or None if the corpus has no split or excludes the document.
    id : str
        The id, unique in its corpus.
    place : str
        Where it was read, for messages, such as ``"mail.csv, line 3"``. Not compared.
    others : tuple
        The values of other columns that were asked for, None for a missing one. Not compared.

    Examples
    --------
    >>> from textbayes.datasets import Document
    >>> Document("Wheat rose two cents.", ("wheat", "grain")).labels
    ('wheat', 'grain')
    """

    text: str
    labels: tuple[str, ...] = ()
    split: str | None = None
    id: str = ""
    place: str = field(default="", compare=False, repr=False)
    others: tuple[object, ...] = field(default=(), compare=False, repr=False)

    @property
    def label(self) -> str | None:
        """The first label, or None."""
        return self.labels[0] if self.labels else None


@dataclass(frozen=True)
class Corpus(Sequence[Document]):
    """A named, immutable sequence of documents.

    Parameters
    ----------
    name : str
        The name in tables and plots.
    documents : sequence of Document
        The documents, in order.

    Examples
    --------
    >>> from textbayes.datasets import Corpus, Document
    >>> corpus = Corpus("tiny", [Document("a b", ("x",), "train"), Document("b c", ("y",), "test")])
    >>> corpus
    Corpus('tiny': 2 documents, 2 classes, 1 train, 1 test)
    >>> corpus.train.texts
    ['a b']
    """

    name: str
    documents: Sequence[Document] = field(repr=False)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Corpus: ...
    def __getitem__(self, index: int | slice) -> Document | Corpus:
        if isinstance(index, slice):
            return Corpus(self.name, self.documents[index])
        return self.documents[index]

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __repr__(self) -> str:
        splits = Counter(document.split for document in self.documents)
        parts = [f"{len(self)} documents", f"{len(self.classes)} classes"]
        parts += [f"{splits[name]} {name}" for name in ("train", "test") if splits[name]]
        return f"Corpus({self.name!r}: {', '.join(parts)})"

    @property
    def texts(self) -> list[str]:
        """The texts, in order."""
        return [document.text for document in self.documents]

    @property
    def labels(self) -> list[tuple[str, ...]]:
        """The labels of each document, in order."""
        return [document.labels for document in self.documents]

    @property
    def label(self) -> list[str | None]:
        """The first label of each document, in order: the target of a single-label corpus."""
        return [document.label for document in self.documents]

    @property
    def splits(self) -> list[str | None]:
        """The split of each document, in order."""
        return [document.split for document in self.documents]

    @property
    def classes(self) -> list[str]:
        """All labels, sorted."""
        return sorted({label for document in self.documents for label in document.labels})

    @property
    def train(self) -> Corpus:
        """The documents of the training split."""
        return self.where(lambda document: document.split == "train")

    @property
    def test(self) -> Corpus:
        """The documents of the test split."""
        return self.where(lambda document: document.split == "test")

    def where(self, keep: Callable[[Document], bool]) -> Corpus:
        """Return the documents for which ``keep`` is true."""
        return Corpus(self.name, [document for document in self.documents if keep(document)])

    @classmethod
    def of(cls, name: str, documents: Iterable[Document]) -> Corpus:
        """Return a corpus of the documents of any iterable."""
        return cls(name, list(documents))
