"""The built-in corpus: the documentation strings of the Python that is running.

It needs no network and no files of ours, has classes of very different size, and its texts are English
mixed with code, numbers and references: enough for a demonstration, a test or a first benchmark.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.util
import inspect
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from textbayes.datasets.corpus import Corpus, Document

# Chapters of the Python library reference and the modules in them. A module that this Python lacks is
# passed over, so the table may name those of every version that textbayes supports.
_TOPICS = {
    "archiving": "_compression bz2 compression gzip lzma tarfile zipfile",
    "asyncio": "asyncio",
    "concurrency": "_threading_local concurrent multiprocessing queue sched subprocess threading",
    "crypto": "hashlib hmac secrets",
    "ctypes": "ctypes",
    "data_types": "_collections_abc _pydatetime _weakrefset bisect calendar collections copy datetime enum "
    "graphlib heapq pprint reprlib types weakref zoneinfo",
    "debugging": "bdb cProfile pdb profile profiling pstats timeit trace tracemalloc",
    "email": "base64 email mailbox mailcap mimetypes quopri uu",
    "files": "_pyio filecmp fileinput fnmatch genericpath glob io ntpath os pathlib posixpath shutil stat "
    "tempfile",
    "formats": "configparser csv json netrc plistlib tomllib xdrlib",
    "idle": "idlelib",
    "importing": "imp importlib modulefinder pkgutil runpy zipimport",
    "internet": "cgi cgitb ftplib http imaplib ipaddress nntplib poplib smtpd smtplib socketserver telnetlib "
    "urllib uuid webbrowser wsgiref xmlrpc",
    "language": "ast compileall dis lib2to3 opcode py_compile pyclbr symtable tabnanny token tokenize",
    "locale": "gettext locale",
    "logging": "logging",
    "markup": "_markupbase html xml",
    "multimedia": "aifc chunk colorsys imghdr sndhdr sunau wave",
    "networking": "asynchat asyncore selectors signal socket ssl",
    "numbers": "_pydecimal decimal fractions numbers random statistics",
    "packaging": "distutils ensurepip venv zipapp",
    "persistence": "copyreg dbm pickle pickletools shelve sqlite3",
    "runtime": "abc code codeop contextlib dataclasses functools inspect operator site sysconfig traceback "
    "typing warnings",
    "shell": "_pyrepl argparse cmd curses getopt getpass optparse rlcompleter shlex",
    "testing": "doctest unittest",
    "text": "_strptime codecs difflib re sre_compile sre_parse string stringprep textwrap",
    "tkinter": "tkinter",
    "turtle": "turtle turtledemo",
}
_LIBRARIES = ("numpy", "scipy", "sklearn")
# Tests, build tools, and the code of others shipped inside a library.
_TESTS = ("idle_test", "test", "testing", "tests")
_SKIPPED_FOLDERS = frozenset(["__pycache__", "_vendor", "distutils", "externals", "site-packages", *_TESTS])
_SKIPPED_FILES = frozenset(["conftest.py", "setup.py", "_version.py", "version.py"])
_PUBLIC_NAMES = {"_core": "core"}  # numpy's core, which is documented as numpy itself
_FEWEST_WORDS = 8
_FEWEST_DOCUMENTS = 10
_TEST_SHARE = 1 / 3

_Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def load_docstrings() -> Corpus:
    """Load the documentation strings of numpy, scipy, scikit-learn and the standard library.

    Every public module, class, function and method with a documentation string of eight words or more is
    a document. Its one label is the subpackage it comes from, such as ``"scipy.stats"``; modules of the
    standard library are grouped by the chapters of its reference, such as ``"python.internet"``. The
    source files are parsed, never imported, and nothing is added to a text. Of identical texts only the
    first is kept, and classes of fewer than ten documents are left out.

    Returns
    -------
    Corpus
        ``"docstrings"``: several thousand documents in some seventy classes; two thirds are ``"train"``
        and one third is ``"test"``, decided by a hash of each document's id. The same installed versions
        give the same corpus, on any machine; other versions give a similar one.

    Notes
    -----
    Because the texts change with the versions installed, a number measured on this corpus is comparable
    only within one environment. Near-copies, such as one sentence repeated with another class name, are
    part of real documentation and stay in.

    Examples
    --------
    >>> from textbayes.datasets import load_docstrings
    >>> corpus = load_docstrings()
    >>> len(corpus) > 3000, len(corpus.classes) > 25
    (True, True)
    >>> "scipy.stats" in corpus.classes
    True
    """
    return Corpus("docstrings", _documents())


@lru_cache(maxsize=1)
def _documents() -> tuple[Document, ...]:
    """Gather every document; kept, because the answer cannot change while Python runs."""
    with _without_garbage_collection():
        documents = list(_distinct(_found()))
    sizes = Counter(document.label for document in documents)
    return tuple(document for document in documents if sizes[document.label] >= _FEWEST_DOCUMENTS)


def _distinct(found: Iterator[tuple[str, str, str]]) -> Iterator[Document]:
    """Yield a document for every text that is long enough and was not seen before."""
    seen: set[str] = set()
    used: Counter[str] = Counter()
    for label, place, text in found:
        key = " ".join(text.split())
        if key.count(" ") + 1 < _FEWEST_WORDS or key in seen:
            continue
        seen.add(key)
        used[place] += 1  # a property and its setter share a name
        name = place if used[place] == 1 else f"{place}#{used[place]}"
        yield Document(text, (label,), _split(name), name)


def _split(name: str) -> str:
    # Python's own hash() differs from run to run.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return "test" if int.from_bytes(digest[:8], "big") / 2**64 < _TEST_SHARE else "train"


def _found() -> Iterator[tuple[str, str, str]]:
    """Yield the label, the place and the text of every documentation string."""
    for label, root, path in _source_files():
        file = f"{label}/{path.relative_to(root).as_posix()}"
        for name, text in _strings(path.read_bytes()):
            yield label, f"{file}:{name}" if name else file, text


def _source_files() -> Iterator[tuple[str, Path, Path]]:
    """Yield the label, the folder its ids are relative to, and the path of every source file."""
    for library in _LIBRARIES:
        root = _library_root(library)
        for folder in sorted(root.iterdir()) if root else []:
            label = _PUBLIC_NAMES.get(folder.name, folder.name)
            if folder.is_dir() and not label.startswith("_") and label not in _SKIPPED_FOLDERS:
                yield from ((f"{library}.{label}", folder, path) for path in _python_files(folder))
    root = Path(sysconfig.get_path("stdlib"))
    for topic, modules in sorted(_TOPICS.items()):
        for module in modules.split():
            found = [root / f"{module}.py", *_python_files(root / module)]
            yield from ((f"python.{topic}", root, path) for path in found if path.is_file())


def _library_root(library: str) -> Path | None:
    spec = importlib.util.find_spec(library)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


def _python_files(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*.py")
        if path.name not in _SKIPPED_FILES
        and not path.name.startswith("test_")
        and not _SKIPPED_FOLDERS.intersection(path.relative_to(folder).parts)
    )


def _strings(source: bytes) -> Iterator[tuple[str, str]]:
    if b'"""' not in source and b"'''" not in source:
        return  # tables of numbers; parsing them is the slow part
    try:
        tree = _parse(source)
    except (SyntaxError, ValueError):  # a template, or written for another Python
        return
    yield from _strings_below(tree, "")


def _parse(source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old escapes in the code of others
        return ast.parse(source)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    # Syntax trees are large and have no cycles: looking for some takes as long as the parsing.
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _strings_below(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Yield the qualified name and the text of ``node`` and of every public definition inside it."""
    if isinstance(node, _Definition):
        text = ast.get_docstring(node)
        if text:
            yield name, text
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return  # what a function defines inside itself is its own affair
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if not _is_private(child.name):
                yield from _strings_below(child, f"{name}.{child.name}" if name else child.name)
        elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            yield from _strings_below(child, name)
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Call):
            yield from _attached_string(child.value)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _attached_string(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield what ``add_newdoc("module", "name", "text")`` documents: compiled functions, in numpy's way."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "add_newdoc"):
        return
    parts = [
        node.value
        for argument in call.args
        for node in ast.walk(argument)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    if len(parts) >= 2 and not _is_private(parts[-2]):
        yield ".".join(parts[:-1]), inspect.cleandoc(parts[-1])
