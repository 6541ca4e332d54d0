"""The overlays of a match: standings, help, the end of a round, and alerts.

Numbers without a source are chosen.
"""

from typing import NamedTuple

from firmware.display.oled.pages.lists import most_pages
from firmware.display.text.labels import Alert
from firmware.effects import earliest
from firmware.input.controls import Dial, Entry, PageNumber
from firmware.play.turn.draft import Draft, keep_of
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd, round_end_of
from firmware.table.seat.cup_custody import at_table
from firmware.table.seat.parts import SeatParts
from game import AnyMatch, AnyRules, AnyStep, Phase, hides_dice, illegality
from game.actions import Action, Fault, StopMatch, VoidRound
from game.events import Rolled, Threw

WISH_OF: dict[type[Action], Alert] = {
    VoidRound: Alert.WISHES_TO_VOID,
    StopMatch: Alert.WISHES_TO_STOP,
    Fault: Alert.WISHES_MISTAKE,
}
"""The alert about a wish (B-10) for the others, with the player's name (a fault: the offender's);
``Leave`` has none."""

_NOTHING_TO_SEE = (Phase.OPENING, Phase.ROLL_AGAIN, Phase.ROLL_OFF, Phase.TO_THROW, Phase.LEVELLING)


def look_refused(match: AnyMatch) -> Alert:
    """Return why a lift shows nothing, for a seat that may not look."""
    return Alert.THROW_FIRST if match.phase in _NOTHING_TO_SEE else Alert.NO_LOOK


def throw_refused(match: AnyMatch, draft: Draft) -> Alert:
    """Return why a shake or a hold does not throw, for a seat that ``can_throw`` denies it."""
    if hides_dice(match) or match.phase is not Phase.THROWN:
        return Alert.NO_THROW
    keep = keep_of(match, draft)
    if keep is None:
        return Alert.NO_BONUS
    everything = len(keep.aside) + keep.turned == len(draft)
    return Alert.THROW_ALL_ASIDE if everything else Alert.NOT_THESE_DICE


class News:
    """The wishes (B-10) and votes that this player has seen an alert of."""

    def __init__(self) -> None:
        self._wishes: frozenset[object] = frozenset()
        self._gone: frozenset[int] = frozenset()

    def from_seat(self, seat: SeatParts) -> list[tuple[Alert, str]]:
        """Return what is new since the last call: alerts with the name of the player in each."""
        names, me = seat.match.players, seat.seat
        wishes = frozenset(seat.open_wishes)
        news = [
            (WISH_OF[type(action)], names[action.seat if isinstance(action, Fault) else wisher])
            for wisher, action in sorted(wishes - self._wishes, key=str)
            if wisher != me and type(action) in WISH_OF and illegality(seat.match, action) is None
        ]
        self._wishes = wishes
        there = frozenset(at_table(seat.match))
        gone = frozenset(gone for _, vote in seat.open_votes for gone in vote.gone) & there
        news += [
            (Alert.WISHES_WITHOUT, names[absent]) for absent in sorted(gone - self._gone - {me})
        ]
        self._gone = gone
        return news


NOTICE_US = 2_500_000
"""An alert of advice stays this long."""
SCORES_US = 6_000_000
"""The standings stay this long, or until a tap."""
LAST_ENDING_US = 8_000_000
"""The end of the last round stays this long, or until a tap; then the end of the match follows."""
OPENING_US = 2_500_000
"""The end of the last round stays this long for the player who opens the next one."""


class Notice(NamedTuple):
    """An alert that closes at ``until_us``; ``name``: of the player in it, or empty."""

    message: Alert
    until_us: int
    name: str = ""


class Overlays:
    """The open overlays, and when they close. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.notice: Notice | None = None
        self.help: Dial | None = None
        """The pages of the help, turned by tilting; None while it is closed."""
        self.round_end: BluffRoundEnd | OpenRoundEnd | None = None
        """How the last round ended, until the next throw."""
        self.reads_end = False
        """Whether that is still to be read, its dice with it."""
        self.scores_until_us: int | None = None
        """When the standings close; None while they are closed."""
        self._ending_until_us: int | None = None

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to close; None if nothing closes by itself."""
        notice_us = None if self.notice is None else self.notice.until_us
        return earliest((self.scores_until_us, self._ending_until_us, notice_us))

    def advise(self, message: Alert, now_us: int, name: str = "") -> None:
        """Show an alert for `NOTICE_US`, instead of any before; ``name``: of the player in it."""
        self.notice = Notice(message, now_us + NOTICE_US, name)

    def show_scores(self, now_us: int) -> None:
        """Show the standings for `SCORES_US`."""
        self.scores_until_us = now_us + SCORES_US

    def open_help(self, rules: AnyRules, now_us: int) -> None:
        """Open the help about the rules at its first page, until a tap."""
        pages = tuple(Entry(PageNumber(number)) for number in range(1, most_pages(rules)))
        self.help = Dial((), pages, now_us)

    def close(self) -> None:
        """Close help and standings."""
        self.help = None
        self.scores_until_us = None

    def stop_reading(self) -> None:
        """Close the end of the last round."""
        self._ending_until_us = None
        self.reads_end = False

    def open_soon(self, now_us: int) -> None:
        """Close the end of the last round after `OPENING_US`: its reader opens the next."""
        if self.reads_end and self._ending_until_us is None:
            self._ending_until_us = now_us + OPENING_US

    def forget_round(self) -> None:
        """Close the end of the last round: it did not happen."""
        self.round_end = None
        self.stop_reading()

    def apply(
        self, before: AnyMatch, step: AnyStep, now_us: int
    ) -> BluffRoundEnd | OpenRoundEnd | None:
        """Follow a step of the match ``before``; return how it ended a round, if it did."""
        self.notice = None
        ended = round_end_of(before, step)
        if ended is not None:
            self.round_end = ended
            self.reads_end = True
            if step.match.outcome is not None:
                self._ending_until_us = now_us + LAST_ENDING_US
        elif step.match.outcome is not None or any(
            isinstance(event, Rolled | Threw) for event in step.events
        ):
            self.forget_round()
        return ended

    def tick(self, now_us: int) -> None:
        """Close everything whose time has come."""
        if self.notice is not None and self.notice.until_us <= now_us:
            self.notice = None
        if self.scores_until_us is not None and self.scores_until_us <= now_us:
            self.scores_until_us = None
        if self._ending_until_us is not None and self._ending_until_us <= now_us:
            self.stop_reading()
