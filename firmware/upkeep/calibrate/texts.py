"""The steps and complaints of a calibration, and its summary, in German and English."""

from enum import Enum

from firmware.display.text.words import Words, words
from firmware.input.gestures.calibration import Calibration
from firmware.input.gestures.light import (
    LEAST_LEAK_LUX,
    LX_PER_COUNT,
    MOST_LEAK_SHARE,
    LightWatch,
)
from firmware.input.gestures.swings import COUNTS_PER_G
from game.spoken import Language


class GuideStep(Enum):
    """The instruction of each step: in few words for the panel, and in a sentence."""

    def __init__(self, title: Words, body: Words) -> None:
        self.title = title
        self.body = body

    PUT_DOWN = (
        Words("Ablegen", "Put down"),
        Words(
            "Flach auf den Tisch, Anzeige nach oben, nicht berühren.",
            "Flat on the table, display up, hands off.",
        ),
    )
    UNCOVER = (
        Words("Freigeben", "Uncover"),
        Words("Den Lichtsensor frei lassen.", "Keep the light sensor uncovered."),
    )
    COVER = (
        Words("Zudecken", "Cover"),
        Words("Den Daumen ganz auf den Lichtsensor.", "Put your thumb right on the light sensor."),
    )
    LIFT = (
        Words("Heben", "Lift"),
        Words("Dreimal heben und wieder zudecken.", "Lift and cover again, three times."),
    )
    SHAKE = (
        Words("Schütteln", "Shake"),
        Words("Dreimal schütteln, dazwischen ruhig halten.", "Shake three times, resting between."),
    )
    TILT = (
        Words("Neigen", "Tilt"),
        Words("Nach rechts neigen und so halten.", "Tilt it to the right, and hold it so."),
    )
    DONE = (
        Words("Fertig", "Done"),
        Words("Alles gemessen.", "All is measured."),
    )
    GIVEN_UP = (
        Words("Aufgegeben", "Given up"),
        Words("Nichts wurde geändert.", "Nothing was changed."),
    )


class Complaint(Enum):
    """Impossible measurements; the value is the complaint."""

    UPSIDE_DOWN = Words(
        "Es liegt auf der Anzeige, oder der Sensor sitzt verkehrt herum.",
        "It lies on its display, or the sensor is mounted upside down.",
    )
    NOT_LEVEL = Words(
        "Der Tisch ist schief, oder der Sensor sitzt schräg.",
        "The table is not level, or the sensor is mounted aslant.",
    )
    NO_GRAVITY = Words(
        "Der Sensor misst keine Schwerkraft: maexchen doctor.",
        "The sensor measures no gravity: maexchen doctor.",
    )
    TOO_DARK = Words("Zu dunkel: mehr Licht, bitte.", "Too dark: more light, please.")
    NO_CONTRAST = Words(
        "Zugedeckt kommt noch zu viel Licht herein.", "Covered it still sees too much light."
    )
    TOO_WEAK = Words("Das war zu schwach: kräftiger.", "That was too weak: harder.")
    TILTED_LEFT = Words(
        "Das war links, oder der Sensor ist verdreht eingebaut.",
        "That was left, or the sensor is mounted turned.",
    )
    NOTHING = Words("Nichts bemerkt.", "Nothing was noticed.")
    """Nothing happened for so long that the guide gave up."""


_LEVEL = Words(
    "Lage: bis zu {off:.0f} mg Versatz abgezogen.", "Level: an offset of up to {off:.0f} mg is off."
)
_LIGHT = Words(
    "Licht: zugedeckt {dark:.1f} lx, offen {bright:.0f} lx; gehoben ab {lift:.1f} lx.",
    "Light: covered {dark:.1f} lx, open {bright:.0f} lx; lifted from {lift:.1f} lx.",
)
_LOOSE = Words(
    "Unter dem Daumen bleiben {share:.0%}: eine Lampe kann als Heben gelten. 2 % sind gut.",
    "{share:.0%} comes in under the thumb: a lamp can pass for a lift. 2 % is good.",
)
_SHAKE = Words("Schütteln: zählt {gain:.2f}-fach.", "Shaking: counts {gain:.2f} times.")


def summary(calibration: Calibration, language: Language) -> list[str]:
    """Return the results, a line each."""
    off_mg = max(map(abs, calibration.offset_counts)) * 1000 / COUNTS_PER_G
    lines = [words(_LEVEL, language).format(off=off_mg)]
    dark, bright = calibration.dark_counts, calibration.open_counts
    if dark is not None and bright is not None:
        lift = LightWatch(dark, bright).lift_threshold_counts
        dark_lux, bright_lux, lift_lux = (LX_PER_COUNT * each for each in (dark, bright, lift))
        lines.append(
            words(_LIGHT, language).format(dark=dark_lux, bright=bright_lux, lift=lift_lux)
        )
        if dark > max(MOST_LEAK_SHARE * bright, LEAST_LEAK_LUX / LX_PER_COUNT):
            lines.append(words(_LOOSE, language).format(share=dark / bright))
    lines.append(words(_SHAKE, language).format(gain=calibration.shake_gain))
    return lines
