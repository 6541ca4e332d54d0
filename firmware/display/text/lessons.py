"""The lessons of a first match, in German and English: a title and a few words for the panel."""

from enum import Enum

from firmware.display.text.alerts import AlertWords
from firmware.display.text.labels import Text


class LessonText(Enum):
    """One thing to learn; a tap goes on, a hold ends the lessons."""

    SHAKE = AlertWords(
        ("1 Schütteln", "Deck den Becher zu und schüttle: zwei Würfel fallen hinein."),
        ("1 Shake", "Cover the cup and shake it: two dice drop in."),
        Text.HINT_HAND_TO,
    )
    PEEK = AlertWords(
        ("2 Nachsehen", "Heb den Becher kurz an: nur du siehst, was darin liegt."),
        ("2 Peek", "Lift the cup for a moment: you alone see what is in it."),
        Text.HINT_HAND_TO,
    )
    SAY = AlertWords(
        ("3 Ansagen", "Sag, was du hast – oder mehr. Du darfst lügen."),
        ("3 Say", "Say what you have – or more. You may lie."),
        Text.HINT_HAND_TO,
    )
    PASS = AlertWords(
        ("4 Weitergeben", "Der Becher wandert. Wer ihn bekommt, muss mehr sagen."),
        ("4 Pass", "The cup goes round. The next player has to say more."),
        Text.HINT_HAND_TO,
    )
    DOUBT = AlertWords(
        ("5 Zweifeln", "Heb den Becher, wenn du es nicht glaubst. Wer irrt, zahlt."),
        ("5 Doubt", "Lift the cup if you do not believe it. Whoever is wrong pays."),
        Text.HINT_HAND_TO,
    )
    MAEXCHEN = AlertWords(
        ("6 Mäxchen", "2 und 1 sind das Mäxchen. Darüber gibt es nichts."),
        ("6 Mäxchen", "2 and 1 are the Mäxchen. Nothing beats it."),
        Text.HINT_HAND_TO,
    )
