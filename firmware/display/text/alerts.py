"""The faults and requests that take the whole panel, in German and English: one table."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from firmware.display.text.labels import Text
from firmware.display.text.words import Words


class Alert(Enum):
    """A fault or a request that takes the whole panel."""

    COVER_CUP = auto()
    THROW_FIRST = auto()
    NO_LOOK = auto()
    NO_THROW = auto()
    SHAKE_LONGER = auto()
    NO_MAEXCHEN = auto()
    TOO_DARK = auto()
    ACCELEROMETER = auto()
    DISPLAY = auto()
    LIGHT_SENSOR = auto()
    WRONG_PART = auto()
    TOUCH_PAD = auto()
    RADIO = auto()
    INFRARED = auto()
    STORE = auto()
    JOURNAL_DAMAGED = auto()
    OTHER_TABLE = auto()
    AWAY = auto()
    RECORDS_DIFFER = auto()
    CAUGHT_DICE = auto()
    CAUGHT_PROOF = auto()
    CAUGHT_ROOT = auto()
    CAUGHT_ORDER = auto()
    CAUGHT_ANSWER = auto()
    ACCUSED = auto()
    DROPPED = auto()
    NOT_THESE_DICE = auto()
    NO_BONUS = auto()
    THROW_ALL_ASIDE = auto()
    NO_TOWER = auto()
    WISHES_TO_STOP = auto()
    WISHES_TO_VOID = auto()
    WISHES_WITHOUT = auto()
    WISHED = auto()
    LEAVING = auto()
    FAULT_WARNED = auto()
    ASK_DROP = auto()
    ASK_MOVE = auto()
    ASK_LOOK = auto()
    ASKED_DROP = auto()
    ASKED_MOVE = auto()
    ASKED_LOOK = auto()
    DICE_DIFFER = auto()
    TABLE_GIVEN_UP = auto()
    TABLE_CLOSED = auto()
    MEMORY_LOST = auto()


class AlertWords(NamedTuple):
    """A message in both languages: its title, its body, which is wrapped, and its hint."""

    title: Words
    body: Words
    hint: Text = Text.HINT_MEND


ALERTS: Mapping[Alert, AlertWords] = {
    Alert.COVER_CUP: AlertWords(
        Words("Becher zudecken", "Cover the cup"),
        Words(
            "Leg den Daumen auf den Lichtsensor, dann schütteln.",
            "Put your thumb on the light sensor, then shake.",
        ),
        Text.HINT_COVER,
    ),
    Alert.THROW_FIRST: AlertWords(
        Words("Erst werfen", "Throw first"),
        Words("Der Becher ist noch leer. Zudecken!", "The cup is still empty. Cover it!"),
        Text.HINT_COVER,
    ),
    Alert.NO_LOOK: AlertWords(
        Words("Nicht schauen", "No looking"),
        Words(
            "Dieser Wurf bleibt verdeckt, auch für dich. Zudecken!",
            "This throw stays hidden, from you too. Cover it!",
        ),
        Text.HINT_COVER,
    ),
    Alert.NO_THROW: AlertWords(
        Words("Kein Wurf", "No throw"),
        Words(
            "Jetzt ist kein Wurf dran. Neigen zeigt, was geht.",
            "No throw is due now. Tilt to see what can be done.",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.SHAKE_LONGER: AlertWords(
        Words("Zu kurz", "Too short"),
        Words(
            "Für einen neuen Wurf länger schütteln.",
            "Shake for longer to throw again.",
        ),
        Text.HINT_SHAKE_TILT,
    ),
    Alert.NO_MAEXCHEN: AlertWords(
        Words("Kein Mäxchen", "No Mäxchen"),
        Words("Zeigen geht nur mit 2 und 1.", "Only a 2 and a 1 can be shown."),
        Text.HINT_TILT,
    ),
    Alert.TOO_DARK: AlertWords(
        Words("Zu dunkel", "Too dark"),
        Words(
            "Heben ist hier nicht zu erkennen. Neigen und halten tut dasselbe.",
            "A lift cannot be told here. Tilting and holding does the same.",
        ),
        Text.HINT_TILT_HOLD,
    ),
    Alert.ACCELEROMETER: AlertWords(
        Words("Bewegungssensor", "Motion sensor"),
        Words(
            "Der ADXL345 antwortet nicht: Stecker prüfen, SDO an Masse.",
            "The ADXL345 does not answer: check its plug, SDO to ground.",
        ),
    ),
    Alert.DISPLAY: AlertWords(
        Words("Anzeige", "Display"),
        Words(
            "Der SSD1306 hat nicht geantwortet: Stecker prüfen.",
            "The SSD1306 did not answer: check its plug.",
        ),
    ),
    Alert.LIGHT_SENSOR: AlertWords(
        Words("Lichtsensor", "Light sensor"),
        Words(
            "Der VEML7700 antwortet nicht: Stecker prüfen. Heben geht so lange nicht.",
            "The VEML7700 does not answer: check its plug. No lifting until then.",
        ),
    ),
    Alert.WRONG_PART: AlertWords(
        Words("Falsches Teil", "Wrong part"),
        Words(
            "Statt {name} antwortet ein anderer Chip: Modul tauschen.",
            "Instead of the {name} another chip answers: swap the module.",
        ),
    ),
    Alert.TOUCH_PAD: AlertWords(
        Words("Tastfeld", "Touch pad"),
        Words(
            "Der TTP223 meldet nichts: Stecker prüfen, Finger kurz weg.",
            "The TTP223 reports nothing: check its plug, lift your finger.",
        ),
    ),
    Alert.RADIO: AlertWords(
        Words("Bluetooth", "Bluetooth"),
        Words(
            "Kein Funk: Ist Bluetooth eingeschaltet und frei?",
            "No radio: is Bluetooth switched on and free?",
        ),
    ),
    Alert.INFRARED: AlertWords(
        Words("Infrarot", "Infrared"),
        Words(
            "Kein Infrarot: maexchen doctor sagt, was fehlt.",
            "No infrared: maexchen doctor says what is missing.",
        ),
    ),
    Alert.STORE: AlertWords(
        Words("Angehalten", "Stopped"),
        Words(
            "Speichern geht nicht: Ist die Karte voll? Platz schaffen, neu starten.",
            "Saving failed: is the card full? Make room, start again.",
        ),
        Text.HINT_RESTART,
    ),
    Alert.JOURNAL_DAMAGED: AlertWords(
        Words("Nicht lesbar", "Not readable"),
        Words(
            "Der Spielstand ist beschädigt: Datei wegräumen, Tisch neu beginnen.",
            "What was saved is damaged: move the file away, begin a new table.",
        ),
        Text.HINT_RESTART,
    ),
    Alert.OTHER_TABLE: AlertWords(
        Words("Passt nicht", "Does not fit"),
        Words(
            "Spielstand und Einstellungen passen nicht: im Protokoll steht, was.",
            "What was saved and the settings do not fit: the log says how.",
        ),
        Text.HINT_RESTART,
    ),
    Alert.AWAY: AlertWords(
        Words("{name} fehlt", "{name} is away"),
        Words(
            "Das Gerät antwortet nicht. Ist es an? Näher zusammenrücken.",
            "The handheld does not answer. Is it on? Move closer.",
        ),
        Text.HINT_WAIT,
    ),
    Alert.RECORDS_DIFFER: AlertWords(
        Words("Angehalten", "Stopped"),
        Words(
            "Das Spiel von {name} verlief anders. Neu beginnen.",
            "The match of {name} went differently. Start anew.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.CAUGHT_DICE: AlertWords(
        Words("{name}: falsch", "{name}: false"),
        Words(
            "Diese Würfel sind so nicht gefallen. Das Spiel ist zu Ende.",
            "These dice never fell like that. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.CAUGHT_PROOF: AlertWords(
        Words("{name}: falsch", "{name}: false"),
        Words(
            "Der Beweis der Würfel fehlt oder ist falsch. Das Spiel ist zu Ende.",
            "The proof of the dice is missing or false. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.CAUGHT_ROOT: AlertWords(
        Words("{name}: falsch", "{name}: false"),
        Words(
            "Was vor dem Wurf abgemacht war, wurde geändert. Das Spiel ist zu Ende.",
            "What was agreed on before the throw was changed. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.CAUGHT_ORDER: AlertWords(
        Words("{name}: falsch", "{name}: false"),
        Words(
            "Ein Wurf fehlt, oder einer kam zweimal. Das Spiel ist zu Ende.",
            "A throw is missing, or came twice. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.CAUGHT_ANSWER: AlertWords(
        Words("{name}: falsch", "{name}: false"),
        Words(
            "Die Antwort wurde zurückgenommen, als der Becher da war. Das Spiel ist zu Ende.",
            "The answer was taken back when the cup had come. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.ACCUSED: AlertWords(
        Words("Betrug?", "Cheating?"),
        Words(
            "Wer es sagt, und von wem: {name}. Das Spiel ist zu Ende.",
            "Who says so, of whom: {name}. The match is over.",
        ),
        Text.HINT_ENDED,
    ),
    Alert.DROPPED: AlertWords(
        Words("Gefallen?", "Dropped?"),
        Words("Die Würfel bleiben, wie sie sind.", "The dice stay as they are."),
        Text.HINT_KEEP_COVERED,
    ),
    Alert.NOT_THESE_DICE: AlertWords(
        Words("Geht nicht", "Not so"),
        Words(
            "So dürfen die Würfel nicht liegen bleiben. Ändere deine Wahl.",
            "The dice must not be kept like this. Change your choice.",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.NO_BONUS: AlertWords(
        Words("Kein Wurf mehr", "No throw left"),
        Words(
            "Nur gedrehte Sechsen bringen noch einen. Sonst: fertig.",
            "Only turned sixes bring another one. Else: done.",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.THROW_ALL_ASIDE: AlertWords(
        Words("Alle beiseite", "All aside"),
        Words(
            "Zum Werfen muss ein Würfel übrig sein. Sonst: fertig.",
            "One die must be left to throw. Else: done.",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.NO_TOWER: AlertWords(
        Words("Kein Turm", "No tower"),
        Words(
            "Zeigen geht nur, wenn die Würfel aufeinander liegen.",
            "Only dice on top of each other can be shown.",
        ),
        Text.HINT_TILT,
    ),
    Alert.WISHES_TO_STOP: AlertWords(
        Words("Schluss?", "Stop?"),
        Words(
            "{name} will aufhören. Wer mitmacht, wählt es unter …",
            "{name} wants to stop. To agree, choose it under …",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.WISHES_TO_VOID: AlertWords(
        Words("Ungültig?", "Void?"),
        Words(
            "{name} will neu beginnen. Wer mitmacht, wählt es unter …",
            "{name} wants this round void. To agree, choose it under …",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.WISHES_WITHOUT: AlertWords(
        Words("Ohne {name}?", "Without {name}?"),
        Words(
            "Einer will ohne das Gerät weiter. Wer mitmacht, wählt es unter …",
            "Somebody wants to go on without it. To agree, choose it under …",
        ),
        Text.HINT_TILT_TAP,
    ),
    Alert.WISHED: AlertWords(
        Words("Gesagt", "Said"),
        Words(
            "Es gilt, wenn mehr als die Hälfte dasselbe will.",
            "It counts once more than half of you want it.",
        ),
        Text.HINT_WAIT,
    ),
    Alert.LEAVING: AlertWords(
        Words("Du gehst", "You leave"),
        Words(
            "Lass das Gerät an, bis der Becher weiter ist.",
            "Leave the handheld on until the cup has gone on.",
        ),
        Text.HINT_WAIT,
    ),
    Alert.FAULT_WARNED: AlertWords(
        Words("Nicht rütteln", "Keep it still"),
        Words(
            "Der Becher ist unterwegs. Die Würfel bleiben, wie sie sind.",
            "The cup is on its way. The dice stay as they are.",
        ),
        Text.HINT_KEEP_COVERED,
    ),
    Alert.ASK_DROP: AlertWords(
        Words("Gefallen?", "Dropped?"),
        Words("Ist der Becher gefallen?", "Has the cup fallen?"),
        Text.HINT_QUESTION,
    ),
    Alert.ASK_MOVE: AlertWords(
        Words("Gerüttelt?", "Moved?"),
        Words(
            "Sind die Würfel beim Weitergeben gerollt?",
            "Did the dice roll while you passed the cup?",
        ),
        Text.HINT_QUESTION,
    ),
    Alert.ASK_LOOK: AlertWords(
        Words("Geschaut?", "Looked?"),
        Words("Hast du unter den Becher geschaut?", "Did you look under the cup?"),
        Text.HINT_QUESTION,
    ),
    Alert.ASKED_DROP: AlertWords(
        Words("Gefallen?", "Dropped?"),
        Words("Hat {name} den Becher fallen lassen?", "Did {name} drop the cup?"),
        Text.HINT_WAIT,
    ),
    Alert.ASKED_MOVE: AlertWords(
        Words("Gerüttelt?", "Moved?"),
        Words("Hat {name} die Würfel bewegt?", "Did {name} move the dice?"),
        Text.HINT_WAIT,
    ),
    Alert.ASKED_LOOK: AlertWords(
        Words("Geschaut?", "Looked?"),
        Words("Hat {name} unter den Becher geschaut?", "Did {name} look under the cup?"),
        Text.HINT_WAIT,
    ),
    Alert.DICE_DIFFER: AlertWords(
        Words("Andere Würfel", "Other dice"),
        Words(
            "Jemand kann dazwischen sein. Kommt näher zusammen und fangt neu an.",
            "Somebody may sit in between. Move closer together and begin anew.",
        ),
        Text.HINT_TAP,
    ),
    Alert.TABLE_GIVEN_UP: AlertWords(
        Words("Kein Tisch", "No table"),
        Words("Der Tisch wurde aufgegeben.", "The table was given up."),
        Text.HINT_TAP,
    ),
    Alert.MEMORY_LOST: AlertWords(
        Words("Kein Spielstand", "No memory"),
        Words(
            "Läuft das Spiel schon, geht es ohne dich weiter. Sonst mit --begin starten.",
            "A match that runs goes on without you. Else start it with --begin.",
        ),
        Text.HINT_WAIT,
    ),
    Alert.TABLE_CLOSED: AlertWords(
        Words("Ohne dich", "Without you"),
        Words(
            "Der Tisch spielt schon. Zum nächsten Spiel kannst du dazu.",
            "The table plays already. You can join the next match.",
        ),
        Text.HINT_TAP,
    ),
}
