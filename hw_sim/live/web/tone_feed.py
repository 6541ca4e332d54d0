"""The sounds of a table: the tones of the piezos, from the traces that their boards keep."""

from collections.abc import Sequence
from itertools import islice

from drivers.pins import PIEZO
from hw_sim.live.web.outgoing import SeatTones
from hw_sim.steckbrett.board.pwm import Pulses
from hw_sim.table.handheld import SimulatedHandheld


class ToneFeed:
    """Follows the traces, and returns each tone once. It leaves out tones before the first look."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Pulses, int]] = {}

    def new_tones(self, seats: Sequence[SimulatedHandheld]) -> list[SeatTones]:
        """Return the tones that the piezos have begun since the last look, by seats."""
        tones: list[SeatTones] = []
        for seat in seats:
            pulses = seat.board.gpio.pulses
            seen = self._seen.get(seat.seat, (pulses, pulses.noted))
            fresh = pulses.noted - (seen[1] if seen[0] is pulses else 0)
            waves = [
                (wave.t_us / 1000, wave.frequency_hz, wave.duty_percent)
                for wave in islice(reversed(pulses.trace), fresh)
                if wave.pin == PIEZO
            ][::-1]
            self._seen[seat.seat] = pulses, pulses.noted
            if waves:
                tones.append(SeatTones(seat.seat, tuple(waves)))
        return tones
