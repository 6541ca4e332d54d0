"""Texts of the guide, of the page by symptom and of the sheets to print: one file a language.

The files are in ``text``. They hold no layout and no logic; a test compares their keys.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

_FOLDER: Final = Path(__file__).with_name("text")
LANGUAGES: Final = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


class StepWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step in one language.

    ``text`` has an action a line, ``note`` what to know before them, ``meter`` a reading a line.
    """

    title: str
    text: str = ""
    note: str = ""
    meter: str = ""


class KitText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in one file.

    Attributes:
        guide, symptoms, sheet: words around the data, by what they are for. ``warning`` of the
            guide opens every page about the body, ``mark`` of the sheet is in each of its files.
        seen: symptoms that a maker sees, each with the name of the diagnosis to look at.
        tools, names: what the steps take, by the keys of ``steps.toml``.
        step: by the name of the step.
        body: the same for the steps of the body; ``all`` is the page itself.
        mistake: what is wrong and how to mend it, by the keys of ``mistakes.toml``.
    """

    guide: dict[str, str]
    symptoms: dict[str, str]
    sheet: dict[str, str]
    seen: dict[str, str]
    tools: dict[str, str]
    names: dict[str, str]
    step: dict[str, StepWords]
    body: dict[str, StepWords]
    mistake: dict[str, str]


def warning(language: str) -> str:
    """Return the first line of every page about the body: do not build it, and why."""
    return f"> {text(language).guide['warning']}"


def mark(language: str = "en") -> str:
    """Return the short form of the warning, which every file of the body carries."""
    return text(language).sheet["mark"]


@cache
def text(language: str) -> KitText:
    """Return the texts in a language.

    Raises:
        FileNotFoundError: there are none.
    """
    source = (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(source), KitText)
