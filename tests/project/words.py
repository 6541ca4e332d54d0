"""Prose as a program can judge it: length of sentences, how they open, words in a document.

``python -m tests.project.words`` prints every sentence that breaks a rule, and the words of every
document.
The rules stand in CONTRIBUTING.md. Code blocks, tables, links' targets and quotations of screens
do not count as prose.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import NamedTuple

from hardware.texts import LANGUAGES
from tests.project.grain import ROOT, sources

MOST_WORDS = 25
"""In one sentence of a document."""

LIMITS = tomllib.loads(Path(__file__).with_name("limits.toml").read_text(encoding="utf-8"))
"""The limits that a change may raise, each with its reason in the file."""

HEADLESS = re.compile(r"(Who|Whom|Whoever|Whose|What|Whatever|Where|Of|So)\b(?! far\b)")
"""How no sentence opens, unless it is a question."""

_BLOCK = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_STOP = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[\"'(*]*[A-ZÄÖÜ`\d])")
_WORD = re.compile(r"[^\W_][\w’'.,:/×%°µ-]*")
_ABBREVIATED = re.compile(r"\b(e\.g|i\.e|cf|vs|approx|no|Rev)\.$")


class Sentence(NamedTuple):
    """A sentence of a file: where it begins, and its text on one line."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text}"


def tracked() -> list[str]:
    """Return the names of the documents in Markdown that git tracks."""
    return subprocess.check_output(("git", "ls-files", "*.md"), cwd=ROOT, text=True).split()


def documents() -> list[Path]:
    """Return every document but those that a program writes."""
    return [ROOT / name for name in tracked() if name not in GENERATED]


GENERATED = (
    *(f"docs/build/{page}.{one}.md" for page in ("guide", "symptoms", "body") for one in LANGUAGES),
    *("docs/build/parts.md", "docs/kernel.md", "docs/rooms.md", "docs/strength.md"),
    *("hardware/made/README.md", "steckbrett/docs/PARTS.md", ".github/pull_request_template.md"),
)


def paragraphs(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs and list items of a document, each with its first line's number."""
    text = path.read_text(encoding="utf-8")
    text = _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    lines: list[str] = []
    start = 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        is_item = re.match(r"\s*([-*+]|\d+\.)\s", line) is not None
        ends = not line.strip() or line.lstrip().startswith(("#", "|", "<", ">"))
        if (ends or is_item) and lines:
            yield start, " ".join(lines)
            lines = []
        if not ends:
            if not lines:
                start = number
            lines.append(re.sub(r"^\s*([-*+]|\d+\.)\s+", "", line).strip())


def sentences(text: str) -> list[str]:
    """Split a paragraph into sentences; code becomes one word."""
    plain = _LINK.sub(r"\1", _IMAGE.sub("", text))
    plain = _CODE.sub("`x`", plain).replace("**", "")
    found: list[str] = []
    for piece in _STOP.split(plain):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def word_count(text: str) -> int:
    """Count the words of a text, numbers among them."""
    return len(_WORD.findall(text))


def words_of_documents() -> dict[str, int]:
    """Return the words of every document, by its path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): word_count(path.read_text(encoding="utf-8"))
        for path in documents()
    }


def is_headless(sentence: str) -> bool:
    """Return whether a sentence opens with a relative clause that has no noun before it."""
    return HEADLESS.match(sentence.lstrip("\"'(*_")) is not None and "?" not in sentence


def prose() -> Iterator[Sentence]:
    """Yield every sentence of the documents."""
    for path in documents():
        for line, text in paragraphs(path):
            for sentence in sentences(text):
                yield Sentence(path, line, sentence)


def docstrings() -> Iterator[Sentence]:
    """Yield every sentence of the docstrings and of the comments on lines of their own."""
    for path in sources():
        source = path.read_text(encoding="utf-8")
        for line, text in [*_docstrings(source), *_comments(source)]:
            for paragraph in re.split(r"\n\s*\n|\n(?=\s*- )", text):
                for sentence in sentences(" ".join(paragraph.split())):
                    yield Sentence(path, line, sentence)


def _docstrings(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield node.lineno, text


def _comments(source: str) -> Iterator[tuple[int, str]]:
    block: list[str] = []
    first = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            if not block:
                first = token.start[0]
            block.append(token.string.lstrip("# "))
        elif token.type not in (tokenize.NL, tokenize.COMMENT) and block:
            yield first, " ".join(block)
            block = []


def faults(sentences: Iterable[Sentence], most_words: float = inf) -> Iterator[str]:
    """Yield a line for every sentence that breaks a rule."""
    for sentence in sentences:
        count = word_count(sentence.text)
        if count > most_words:
            yield f"{count} words: {sentence}"
        if is_headless(sentence.text):
            yield f"headless: {sentence}"


def main() -> int:
    found = [*faults(prose(), MOST_WORDS), *faults(docstrings())]
    print(*found, sep="\n")
    for name, count in words_of_documents().items():
        print(f"{count:6} of {LIMITS['words'].get(name, 0):5} {name}")
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
