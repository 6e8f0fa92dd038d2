"""The built-in corpus: the docstrings of the running Python and its scientific packages.

It needs no network and no data files. Its classes differ widely in size, and its texts are English mixed with
code, numbers and references: enough for a demo, a test or a first benchmark.
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

# The chapters of the Python library reference and their modules, for every Python version that textbayes
# supports. Modules that the running Python lacks are skipped.
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
# Tests, build tools and vendored code.
_TESTS = ("idle_test", "test", "testing", "tests")
_SKIPPED_FOLDERS = frozenset(["__pycache__", "_vendor", "distutils", "externals", "site-packages", *_TESTS])
_SKIPPED_FILES = frozenset(["conftest.py", "setup.py", "_version.py", "version.py"])
_PUBLIC_NAMES = {"_core": "core"}  # numpy's private core defines its public functions
_MIN_WORDS = 8
_MIN_DOCUMENTS = 10
_TEST_SHARE = 1 / 3

_Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def load_docstrings() -> Corpus:
    """Load the docstrings of numpy, scipy, scikit-learn and the standard library.

    Each public module, class, function or method with a docstring of at least eight words is a document. Its
    label is its subpackage, such as ``"scipy.stats"``; modules of the standard library are grouped by the
    chapters of its reference, such as ``"python.internet"``. The source files are parsed, not imported.
    Duplicate texts and classes of fewer than ten documents are dropped.

    Returns
    -------
    Corpus
        ``"docstrings"``: several thousand documents in about seventy classes. A hash of the id puts two
        thirds into ``"train"`` and one third into ``"test"``. The same installed versions give the same
        corpus on any machine.

    Notes
    -----
    The texts depend on the installed versions, so results on this corpus are comparable only within one
    environment. Near-duplicates, such as a sentence repeated with another class name, are kept.

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
    """Collect all documents; cached, because they cannot change while Python runs."""
    with _without_garbage_collection():
        documents = list(_distinct(_found()))
    sizes = Counter(document.label for document in documents)
    return tuple(document for document in documents if sizes[document.label] >= _MIN_DOCUMENTS)


def _distinct(found: Iterator[tuple[str, str, str]]) -> Iterator[Document]:
    """Yield a document for each text that is long enough and not a duplicate."""
    seen: set[str] = set()
    used: Counter[str] = Counter()
    for label, place, text in found:
        key = " ".join(text.split())
        if key.count(" ") + 1 < _MIN_WORDS or key in seen:
            continue
        seen.add(key)
        used[place] += 1  # a property and its setter share a name
        name = place if used[place] == 1 else f"{place}#{used[place]}"
        yield Document(text, (label,), _split(name), name)


def _split(name: str) -> str:
    # hash() differs from run to run.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return "test" if int.from_bytes(digest[:8], "big") / 2**64 < _TEST_SHARE else "train"


def _found() -> Iterator[tuple[str, str, str]]:
    """Yield the label, place and text of each docstring."""
    for label, root, path in _source_files():
        file = f"{label}/{path.relative_to(root).as_posix()}"
        for name, text in _strings(path.read_bytes()):
            yield label, f"{file}:{name}" if name else file, text


def _source_files() -> Iterator[tuple[str, Path, Path]]:
    """Yield the label, the folder that ids are relative to, and the path of each source file."""
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
        return  # large tables of numbers have no docstrings, and are slow to parse
    try:
        tree = _parse(source)
    except (SyntaxError, ValueError):  # a template, or code for another Python version
        return
    yield from _strings_below(tree, "")


def _parse(source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in third-party code
        return ast.parse(source)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    # Syntax trees are large and have no cycles; the collector would double the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _strings_below(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Yield the qualified name and docstring of ``node`` and of each public definition inside it."""
    if isinstance(node, _Definition):
        text = ast.get_docstring(node)
        if text:
            yield name, text
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return  # nested functions and classes are private
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
    """Yield the name and text of ``add_newdoc("module", "name", "text")``, numpy's way for compiled code."""
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
