"""Every text of the project by its key and language; one TOML file a language, beside this module.

The sentences about options and the labels of their values are in the sheet of house rules, in
``game``.

A key is a member of an enumeration, such as ``Text.THROW``, or dotted, such as ``card.LOSES``.
English is the measure: every other file has its keys, and in each text the same names in braces.
A file is read when its language is first used.
"""

import tomllib
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple, TypeAlias

Language: TypeAlias = str
"""One of `LANGUAGES`."""
_FOLDER: Final = Path(__file__).parent
LANGUAGES: Final = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))
ENGLISH: Final = "en"
_MOST_FAULTS = 5
"""The most faults of a file that its error names."""


class LanguageError(ValueError):
    """There is no such language, or its file has faults; the text is one line."""


class Book(NamedTuple):
    """A language: the counts that take the ``singular``, and the texts by dotted keys."""

    singular: frozenset[int]
    decimal: str
    texts: Mapping[str, str]


@cache
def book(language: Language) -> Book:
    """Return a language.

    Raises:
        LanguageError: there is none, or its file has faults.
    """
    from game.options import texts_of  # the first picture of a handheld needs no game

    own = from_file(language)
    return own._replace(texts={**own.texts, **texts_of(language)})


@cache
def from_file(language: Language) -> Book:
    """Return a language without the texts of the sheet. Raises LanguageError as ``book`` does."""
    check_language(language)
    source = (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    return parsed(language, source, None if language == ENGLISH else from_file(ENGLISH))


def name_of(language: Language) -> str:
    """Return the name of a language, as a person chooses it; it reads no more of the file."""
    with (_FOLDER / f"{language}.toml").open(encoding="utf-8") as lines:
        line = next(each for each in lines if each.startswith("name = "))
    name: str = tomllib.loads(line)["name"]
    return name


def check_language(language: Language) -> None:
    """Raise LanguageError if there are no texts in a language."""
    if language not in LANGUAGES:
        raise LanguageError(f"language {language!r}: use one of {', '.join(LANGUAGES)}")


def parsed(language: Language, source: str, measure: Book | None) -> Book:
    """Read a language file.

    Args:
        language: its name for an error.
        source: its content.
        measure: the language whose keys and places it must have; None for any.

    Raises:
        LanguageError: it is no TOML, or its keys or places differ.
    """
    try:
        data = tomllib.loads(source)
        grammar = data.pop("grammar")
        del data["name"]
        found = Book(frozenset(grammar["one"]), grammar["decimal"], dict(_flat(data)))
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise LanguageError(f"{language}.toml: {error}") from error
    faults = [] if measure is None else list(_faults(found.texts, measure.texts))
    if faults:
        more = f"; and {len(faults) - _MOST_FAULTS} more" * (len(faults) > _MOST_FAULTS)
        raise LanguageError(f"{language}.toml: {'; '.join(faults[:_MOST_FAULTS])}{more}")
    return found


def key_of(key: Enum | str, *parts: str) -> str:
    """Return the dotted key of a text, or of a part of it, such as "Alert.STORE.title"."""
    whole = f"{type(key).__name__}.{key.name}" if isinstance(key, Enum) else key
    return ".".join((whole, *parts))


def say(key: Enum | str, language: Language, /, **places: object) -> str:
    """Return a text in a language, its places filled.

    Raises:
        KeyError: there is no such text, or a place was not given.
        LanguageError: there is no such language.
    """
    return book(language).texts[key_of(key)].format(**places)


def say_count(key: Enum | str, language: Language, count: int, /, **places: object) -> str:
    """Return the part "one" or "many" of a text for a count, ``{count}`` filled, too."""
    part = "one" if takes_singular(count, language) else "many"
    return say(key_of(key, part), language, count=count, **places)


def takes_singular(count: int, language: Language) -> bool:
    """Return whether a noun after a count stands in the singular."""
    return count in book(language).singular


def decimal(number: str, language: Language) -> str:
    """Return a number, written with a point, with the decimal mark of a language."""
    return number.replace(".", book(language).decimal)


def spoken(value: int, language: Language) -> str:
    """Return the spoken name of a value of two dice (V-5).

    Raises ValueError for a number no two dice show.
    """
    name = book(language).texts.get(f"value.{value}")
    if name is None:
        raise ValueError(f"{value!r} is no value of two dice")
    return name


def section(name: str, language: Language) -> dict[str, str]:
    """Return all texts of a section, such as "page", by the rest of their keys."""
    start = f"{name}."
    texts = book(language).texts
    return {key.removeprefix(start): texts[key] for key in texts if key.startswith(start)}


def preferred(tag: str | None) -> Language:
    """Return the language of a locale, or the first of an Accept-Language header; else English."""
    wanted = (tag or "").lower()
    return next((each for each in LANGUAGES if wanted.startswith(each)), ENGLISH)


def places(text: str) -> set[str]:
    """Return the names in braces of a text; ValueError if a brace has no partner."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _flat(data: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, str):
            yield before + key, value
        else:
            raise TypeError(f"{before}{key} is no text")


def _faults(texts: Mapping[str, str], measure: Mapping[str, str]) -> Iterator[str]:
    for key in measure.keys() - texts.keys():
        yield f"{key} is missing"
    for key in texts.keys() - measure.keys():
        yield f"{key} is too much"
    for key in sorted(texts.keys() & measure.keys()):
        try:
            has, due = places(texts[key]), places(measure[key])
        except ValueError as error:
            yield f"{key}: {error}"
            continue
        if has != due:
            yield f"{key} has the places {sorted(has)} instead of {sorted(due)}"
        if bool(texts[key].strip()) != bool(measure[key].strip()):
            yield f"{key} is empty" if measure[key].strip() else f"{key} must be empty"
