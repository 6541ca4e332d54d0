"""The voices of bots at a party: when they speak, what they say, and what gives them away.

A tell is drawn from the truth of the bot's own dice, after its move is chosen: it changes no play.
May import: live.web, firmware.display.text, game. Begin with `Voices`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from firmware.display.text.language import ENGLISH, LANGUAGES, Language
from game.events import Announced, Doubted, Event, Penalised, Revealed, Rolled
from hw_sim.live.web.outgoing import PatterLine

_FOLDER: Final = Path(__file__).parent
SMILE_S: Final = 0.6
"""How long a bot smiles before it doubts; chosen."""
HECKLE_EVERY_S: Final = 12.0
"""Least time between two lines of bots that are not part of an announcement; chosen."""


class BotManner(NamedTuple):
    """How a kind of bots behaves when it announces.

    ``think_s``: how long it thinks about a truth and about a lie, each between two bounds.
    ``tell``: how often it uses a line that gives it away, for a truth and for a lie.
    ``smile``: how often it smiles before it doubts.
    """

    think_s: tuple[tuple[float, float], tuple[float, float]]
    tell: tuple[float, float]
    smile: float = 0.0


_SAME: Final = ((1.2, 1.8), (1.2, 1.8))
MANNERS: Final[Mapping[str, BotManner]] = {
    "trusting": BotManner(((1.4, 2.2), (2.2, 3.0)), (0.0, 0.0)),
    "cheeky": BotManner(((0.6, 0.8), (0.6, 0.8)), (0.25, 0.75)),
    "honest": BotManner(_SAME, (0.0, 0.9)),
    "random": BotManner(((0.5, 3.0), (0.5, 3.0)), (0.25, 0.67)),
    "expert": BotManner(((2.2, 2.2), (2.2, 2.2)), (0.7, 0.6)),
    "shark": BotManner(((1.4, 1.4), (1.4, 1.4)), (0.0, 0.0), smile=0.67),
}
_OTHERS: Final = BotManner(_SAME, (0.0, 0.0))


@cache
def lines_of(language: Language) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the lines in a language, by kind of bots and occasion; English where it has none."""
    known = language if language in LANGUAGES else ENGLISH
    return tomllib.loads((_FOLDER / f"{known}.toml").read_text(encoding="utf-8"))


Decks = dict[tuple[str, str], list[int]]
"""The lines of an evening by kind of bots and occasion: the last one said, under those to come."""


class Voices:
    """Speaks for the bots of a match. No line comes again before all of its occasion were said.

    Args:
        kinds: the kind of each seat; None for a person's.
        rng: draws lines, pauses and tells.
        decks: what is left of the evening's lines; this match draws from them.
    """

    def __init__(self, kinds: Sequence[str | None], rng: Random, decks: Decks) -> None:
        self._kinds = kinds
        self._rng = rng
        self._decks = decks
        self._moods: dict[int, str] = {}
        self._heckled_s = -HECKLE_EVERY_S

    def think_s(self, seat: int, *, lied: bool) -> float:
        """Return how long a bot thinks before its announcement; 0 for a person."""
        kind = self._kinds[seat]
        return 0.0 if kind is None else self._rng.uniform(*_manner(kind).think_s[lied])

    def smiles(self, events: Sequence[Event]) -> list[int]:
        """Return the seats of bots that smile before they doubt, as these events have it."""
        doubts = (each.seat for each in events if isinstance(each, Doubted))
        return [
            seat
            for seat in doubts
            if (kind := self._kinds[seat]) and self._rng.random() < _manner(kind).smile
        ]

    def lines(
        self, events: Sequence[Event], lied: Mapping[int, bool], language: Language, now_s: float
    ) -> list[PatterLine]:
        """Return what bots say to events; ``lied``: whether a bot has, by seat."""
        said: list[PatterLine] = []
        for event in events:
            match event:
                case Announced(seat):
                    said += self._announces(seat, language, lied=lied.get(seat, False))
                case Revealed(seat, lied=caught):
                    self._moods[seat] = "won" if caught else "lost"
                case Penalised(seat):
                    self._moods[seat] = "lost"
                case Rolled(seat) if self._kinds[seat] is None:
                    said += self._heckles(seat, language, now_s)
                case _:
                    pass
        return said

    def _announces(self, seat: int, language: Language, *, lied: bool) -> list[PatterLine]:
        kind = self._kinds[seat]
        if kind is None:
            return []
        occasion = "say"
        if self._rng.random() < _manner(kind).tell[lied]:
            own = lines_of(language).get(kind, {})
            tells = f"tell_{'lie' if lied else 'true'}", "tell"
            occasion = next((each for each in tells if each in own), "say")
        return self._draw(seat, kind, occasion, language)

    def _heckles(self, actor: int, language: Language, now_s: float) -> list[PatterLine]:
        bots = [seat for seat, kind in enumerate(self._kinds) if kind and seat != actor]
        if not bots or now_s - self._heckled_s < HECKLE_EVERY_S:
            return []
        self._heckled_s = now_s
        seat = self._rng.choice(bots)
        return self._draw(seat, self._kinds[seat] or "", self._moods.pop(seat, "heckle"), language)

    def _draw(self, seat: int, kind: str, occasion: str, language: Language) -> list[PatterLine]:
        lines = lines_of(language).get(kind, {}).get(occasion, ())
        if not lines:
            return []
        deck = self._decks.setdefault((kind, occasion), [])
        last = deck[-1:]
        if len(deck) > 1:
            deck.pop()
        else:
            deck[:] = range(len(lines))
            self._rng.shuffle(deck)
            if deck[-1:] == last:
                deck.reverse()
        return [PatterLine(seat, lines[deck[-1]])]


def _manner(kind: str) -> BotManner:
    return MANNERS.get(kind, _OTHERS)
