"""The pages of the documentation and their code blocks."""

import re
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
PAGES = [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,})(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Snippet:
    """A fenced block: its page and first line, the text after the backticks, its lines, the line above it."""

    page: Path
    line: int
    info: str
    source: str
    above: str


def snippets(page: Path) -> list[Snippet]:
    """Return the fenced blocks of a page, in order, without their indent."""
    found, opening, lines, above = [], None, [], ""
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        if opening is None:
            opening, lines, start = _FENCE.match(line), [], number + 1
            above = above if opening else line.strip()
        elif line.strip() == opening["fence"]:
            found.append(Snippet(page, start, opening["info"].strip(), "".join(lines), above))
            opening, above = None, ""
        else:
            lines.append(line.removeprefix(opening["indent"]) + "\n")
    assert opening is None, f"{name_of(page)}: a fenced block is never closed"
    return found


def name_of(page: Path) -> str:
    """Return the path of a page in the repository."""
    return page.relative_to(REPOSITORY).as_posix()


def text_of(pages: list[Path]) -> str:
    """Return the text of several pages as one string."""
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)
