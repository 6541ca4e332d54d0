"""Words in both languages, and the choice of one."""

from dataclasses import dataclass
from typing import Generic, TypeVar, get_args

from game.spoken import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class InBoth(Generic[T]):
    """A value in both languages.

    It compares by identity, so that two members of an enum may have equal words.
    """

    de: T
    en: T


class Words(InBoth[str]):
    """One text in both languages. It may have places, such as ``{name}``: the same in both."""

    __slots__ = ()


def words(both: InBoth[T], language: Language) -> T:
    """Return the part of ``both`` for ``language``, "de" or "en".

    Raises:
        ValueError: a language that is neither.
    """
    match language:
        case "de":
            return both.de
        case "en":
            return both.en
        case _:
            raise ValueError(f"language {language!r}: use one of {', '.join(LANGUAGES)}")
