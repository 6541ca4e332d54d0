"""What players wish for, and their faults: entered by who has the cup, whoever is to act."""

from firmware.table.handover.cup import Where
from firmware.table.seat.position import at_table
from firmware.table.seat.turn import SeatTurn
from firmware.table.seat.wishes import WishAction
from game import Phase, illegality
from game.actions import Action, Fault, FaultKind


class GrantingSeat(SeatTurn):
    """What does not wait for the seat that is to act: see ``firmware.table.seat.seat``."""

    def request(self, action: Fault, now_us: int) -> None:
        """Enter a fault of the player here, if the cup still is: one on offer is taken back first.

        A cup that has been given away by now knows no fault of this player any more.
        """
        free = self.trouble is None and self.holding
        if free and illegality(self.match, action) is None:
            self._interrupt(action, now_us)

    def wish(self, action: WishAction, now_us: int) -> None:
        """The player of this seat wishes for something. Who has the cup enters it."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.wish(action, self.match.round, now_us))
            self._grant(now_us)

    def ask(self, kind: FaultKind | None) -> None:
        """Tell the others, once, what the player here is asked; None: he has answered."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.ask(kind, self.match.round))

    def _interrupt(self, action: Action, now_us: int) -> None:
        """Enter what does not wait for the seat that is to act; a cup on offer is taken back."""
        offered = self.cup.where is Where.PROPOSED
        if offered:
            self._react(self._custody.withdraw(), now_us)
        self.act(action, now_us)
        left = self.seat not in at_table(self.match)
        if offered or left or self.match.phase is Phase.OFFERED:
            self.pass_on(now_us)

    def _grant(self, now_us: int) -> None:
        """With the cup here, enter what players wish for and may have (B-10)."""
        self._wishes.forget(self.match.round, at_table(self.match), now_us)
        while self.trouble is None and self.holding and self.match.to_act is not None:
            granted = self._wishes.granted(at_table(self.match))
            action = next((a for a in granted if illegality(self.match, a) is None), None)
            if action is None:
                return
            self._interrupt(action, now_us)
            self._wishes.forget(self.match.round, at_table(self.match), now_us)
