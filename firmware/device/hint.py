"""A hint for a player in practice: a page of the handheld."""

from collections.abc import Sequence
from typing import Final

from firmware.display.screens import QuestionPage
from firmware.display.screens.dial import Item, Phrase
from firmware.display.text.labels import Text
from firmware.play.handheld import Handheld
from firmware.play.presenter.labels import die_item, item_of
from firmware.play.turn.draft import drafted
from firmware.table.log.merged_log import merged_log
from game.actions import Keep

MOST_LINES: Final = 4


def hint_page(seats: Sequence[Handheld], first: int) -> QuestionPage:
    """Return the hint for the player at the first of ``seats``; ``first`` opened the match.

    It is the one against people: a Pi takes too long for the best reply to each opponent.
    """
    from firmware.bots.hint import HintFits, hint  # many modules, for a page that few ask for

    mine = seats[0]
    logs = [each.own_seat.log for each in seats]
    record = merged_log(mine.match.rules, mine.match.players, first, logs)[0]
    lines: list[Item] = []
    told = hint(record, mine.seat)
    shares = told.ways
    for action, share in shares.items():
        if isinstance(action, Keep):
            thrown = mine.match.dice or ()
            lines += map(die_item, drafted(thrown, action), thrown)
        else:
            item = item_of(mine.view(), action)
            lines.append(item if len(shares) == 1 else _shared(item, share))
    title = Text.HINT_SAFE if told.fits is HintFits.ANYBODY else Text.HINT
    return QuestionPage(title, tuple(lines[:MOST_LINES]) or (Text.NEUTRAL,), hint=Text.HINT_TAP)


def _shared(item: Item, share: float) -> Item:
    """Return a way of a mix with how many times in 100 it should be done."""
    name = str(item) if isinstance(item, int) else item
    return Phrase(Text.HINT_SHARE, name, round(100 * share))
