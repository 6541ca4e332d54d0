"""The wishes of the other players, as they become known here."""

from firmware.display.text.alerts import Alert
from firmware.play.turn.advice import WISH_OF
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.position import at_table
from game import illegality
from game.actions import Fault


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
