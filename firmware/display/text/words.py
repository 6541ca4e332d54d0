"""Words in both languages, and the choice of one."""

from typing import NamedTuple, get_args

from game.spoken import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)


class Words(NamedTuple):
    """One text in both languages."""

    de: str
    en: str


def words(both: Words, language: Language) -> str:
    """Choose one of two languages.

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
