"""The tones of each sound: (Hz, µs), 0 Hz for silence."""

from collections.abc import Mapping
from typing import Final

from drivers.piezo import Tone
from firmware.effects.sounds import MS, Sound

TONES: Final[Mapping[Sound, tuple[Tone, ...]]] = {
    Sound.MAEXCHEN: (
        Tone(784, 70 * MS),
        Tone(0, 20 * MS),
        Tone(784, 70 * MS),
        Tone(0, 20 * MS),
        Tone(784, 70 * MS),
        Tone(1047, 300 * MS),
    ),
    Sound.LOST: (Tone(392, 150 * MS), Tone(330, 150 * MS), Tone(262, 300 * MS)),
    Sound.WON: (Tone(784, 80 * MS), Tone(988, 80 * MS), Tone(1175, 80 * MS), Tone(1568, 180 * MS)),
    Sound.OFFER: (Tone(880, 90 * MS), Tone(0, 30 * MS), Tone(1175, 140 * MS)),
    Sound.TURN: (Tone(988, 120 * MS),),
    Sound.NUDGE: (Tone(988, 80 * MS), Tone(0, 80 * MS), Tone(988, 80 * MS)),
    Sound.CUP_DOWN: (Tone(220, 30 * MS), Tone(150, 50 * MS)),
    Sound.RATTLE: (
        Tone(1900, 6 * MS),
        Tone(0, 14 * MS),
        Tone(2300, 5 * MS),
        Tone(0, 22 * MS),
        Tone(1700, 6 * MS),
        Tone(0, 11 * MS),
        Tone(2600, 5 * MS),
        Tone(0, 21 * MS),
    ),
}
