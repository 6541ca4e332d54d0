"""A person's hand on a page: dragged pictures and phone motion become commands to a handheld."""

from time import monotonic

from hw_sim.hand.control.browser_samples import Pacer, drag_samples, phone_samples
from hw_sim.live.web import incoming
from hw_sim.live.world.commands import Command, Drag, FollowPhone


class HandInput:
    """Turns the messages of one page's hand into commands, with times on the table's clock."""

    def __init__(self) -> None:
        self._drag, self._phone = Pacer(), Pacer()
        most = incoming.SAMPLES_PER_S
        self._samples = incoming.Allowance(most, most, monotonic())

    def command(self, message: incoming.SeatMessage, now_us: int, rate: float) -> Command | None:
        """Return the command of a message; None if the page sends too many samples.

        ``now_us`` is virtual time in µs, which goes ``rate`` times as fast as real time.
        """
        match message:
            case incoming.DragMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    return Drag(seat, drag_samples(self._drag, rows, now_us, rate))
            case incoming.PhoneMotionMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    return FollowPhone(seat, phone_samples(self._phone, rows, now_us, rate))
            case command:
                return command
        return None
