"""The faults and requests that take the whole panel, in German and English."""

from dataclasses import dataclass
from enum import Enum

from firmware.display.text.labels import Text
from firmware.display.text.words import InBoth


@dataclass(frozen=True, slots=True, eq=False)
class AlertWords(InBoth[tuple[str, str]]):
    """An alert in both languages: its title, its body, which is wrapped, and its hint."""

    hint: Text = Text.HINT_MEND


class Alert(Enum):
    """A fault or a request that takes the whole panel."""

    COVER_CUP = AlertWords(
        ("Becher zudecken", "Leg den Daumen auf den Lichtsensor, dann schütteln."),
        ("Cover the cup", "Put your thumb on the light sensor, then shake."),
        Text.HINT_COVER,
    )
    THROW_FIRST = AlertWords(
        ("Erst werfen", "Der Becher ist noch leer. Zudecken!"),
        ("Throw first", "The cup is still empty. Cover it!"),
        Text.HINT_COVER,
    )
    NO_LOOK = AlertWords(
        ("Nicht schauen", "Dieser Wurf bleibt verdeckt, auch für dich. Zudecken!"),
        ("No looking", "This throw stays hidden, from you too. Cover it!"),
        Text.HINT_COVER,
    )
    NO_THROW = AlertWords(
        ("Kein Wurf", "Jetzt ist kein Wurf dran. Wähle etwas anderes."),
        ("No throw", "No throw is due now. Choose something else."),
        Text.HINT_TILT_TAP,
    )
    SHAKE_LONGER = AlertWords(
        ("Zu kurz", "Für einen neuen Wurf länger schütteln."),
        ("Too short", "Shake for longer to throw again."),
        Text.HINT_SHAKE_TILT,
    )
    NO_MAEXCHEN = AlertWords(
        ("Kein Mäxchen", "Zeigen geht nur mit 2 und 1."),
        ("No Mäxchen", "Only a 2 and a 1 can be shown."),
        Text.HINT_TILT,
    )
    TOO_DARK = AlertWords(
        ("Zu dunkel", "Heben ist hier nicht zu erkennen. Wählen und halten tut dasselbe."),
        ("Too dark", "A lift cannot be told here. Choosing and holding does the same."),
        Text.HINT_TILT_HOLD,
    )
    ACCELEROMETER = AlertWords(
        ("Bewegungssensor", "Der ADXL345 antwortet nicht: Stecker prüfen, SDO an Masse."),
        ("Motion sensor", "The ADXL345 does not answer: check its plug, SDO to ground."),
    )
    DISPLAY = AlertWords(
        ("Anzeige", "Der SSD1306 hat nicht geantwortet: Stecker prüfen."),
        ("Display", "The SSD1306 did not answer: check its plug."),
    )
    LIGHT_SENSOR = AlertWords(
        ("Lichtsensor", "Der VEML7700 antwortet nicht: Stecker prüfen. Heben geht so lange nicht."),
        ("Light sensor", "The VEML7700 does not answer: check its plug. No lifting until then."),
    )
    WRONG_PART = AlertWords(
        ("Falsches Teil", "Statt {name} antwortet ein anderer Chip: Modul tauschen."),
        ("Wrong part", "Instead of the {name} another chip answers: swap the module."),
    )
    RADIO = AlertWords(
        ("Bluetooth", "Kein Funk: Ist Bluetooth eingeschaltet und frei?"),
        ("Bluetooth", "No radio: is Bluetooth switched on and free?"),
    )
    INFRARED = AlertWords(
        ("Infrarot", "Kein Infrarot: maexchen doctor sagt, was fehlt."),
        ("Infrared", "No infrared: maexchen doctor says what is missing."),
    )
    STORE = AlertWords(
        ("Angehalten", "Speichern geht nicht: Ist die Karte voll? Platz schaffen, neu starten."),
        ("Stopped", "Saving failed: is the card full? Make room, start again."),
        Text.HINT_RESTART,
    )
    JOURNAL_DAMAGED = AlertWords(
        ("Nicht lesbar", "Der Spielstand ist beschädigt: Datei wegräumen, Tisch neu beginnen."),
        ("Not readable", "The saved match is damaged: move the file away, begin a new table."),
        Text.HINT_RESTART,
    )
    OTHER_TABLE = AlertWords(
        ("Passt nicht", "Spielstand und Einstellungen passen nicht: im Protokoll steht, was."),
        ("Does not fit", "The saved match and the settings do not fit: the log says how."),
        Text.HINT_RESTART,
    )
    RECORDS_DIFFER = AlertWords(
        ("Angehalten", "Zwei Geräte wissen Verschiedenes. Wer recht hat, ist offen. Neu beginnen."),
        ("Stopped", "Two handhelds differ on what was played. Either may be right. Start anew."),
        Text.HINT_ENDED,
    )
    CAUGHT_DICE = AlertWords(
        ("{name}: falsch", "Diese Würfel sind so nicht gefallen. Das Spiel ist zu Ende."),
        ("{name}: false", "These dice never fell like that. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_PROOF = AlertWords(
        ("{name}: falsch", "Der Beweis der Würfel fehlt oder ist falsch. Das Spiel ist zu Ende."),
        ("{name}: false", "The proof of the dice is missing or false. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_ROOT = AlertWords(
        ("{name}: falsch", "Was vor dem Wurf galt, wurde geändert. Das Spiel ist zu Ende."),
        ("{name}: false", "A promise made before the throw was changed. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_ORDER = AlertWords(
        ("{name}: falsch", "Ein Wurf fehlt, oder einer kam zweimal. Das Spiel ist zu Ende."),
        ("{name}: false", "A throw is missing, or came twice. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_ANSWER = AlertWords(
        (
            "{name}: falsch",
            "Die Antwort änderte sich, als der Becher da war. Das Spiel ist zu Ende.",
        ),
        ("{name}: false", "The answer was taken back when the cup had come. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_CUP = AlertWords(
        ("{name}: falsch", "Dieser Becher kann nicht von dort kommen. Das Spiel ist zu Ende."),
        ("{name}: false", "This cup cannot come from there. The match is over."),
        Text.HINT_ENDED,
    )
    CAUGHT_TWICE = AlertWords(
        ("{name}: falsch", "Zweierlei signiert, das sich widerspricht. Das Spiel ist zu Ende."),
        ("{name}: false", "It signed two things that contradict each other. The match is over."),
        Text.HINT_ENDED,
    )
    ACCUSED = AlertWords(
        ("Betrug?", "Wer es sagt, und von wem: {name}. Das Spiel ist zu Ende."),
        ("Cheating?", "The accuser and the accused: {name}. The match is over."),
        Text.HINT_ENDED,
    )
    DROPPED = AlertWords(
        ("Gefallen?", "Die Würfel bleiben, wie sie sind."),
        ("Dropped?", "The dice stay as they are."),
        Text.HINT_KEEP_COVERED,
    )
    NOT_THESE_DICE = AlertWords(
        ("Geht nicht", "So dürfen die Würfel nicht liegen bleiben. Ändere deine Wahl."),
        ("Not so", "The dice must not be kept like this. Change your choice."),
        Text.HINT_TILT_TAP,
    )
    NO_BONUS = AlertWords(
        ("Kein Wurf mehr", "Nur gedrehte Sechsen bringen noch einen. Sonst: fertig."),
        ("No throw left", "Only turned sixes bring another one. Else: done."),
        Text.HINT_TILT_TAP,
    )
    THROW_ALL_ASIDE = AlertWords(
        ("Alle beiseite", "Zum Werfen muss ein Würfel übrig sein. Sonst: fertig."),
        ("All aside", "One die must be left to throw. Else: done."),
        Text.HINT_TILT_TAP,
    )
    NO_TOWER = AlertWords(
        ("Kein Turm", "Zeigen geht nur, wenn die Würfel aufeinander liegen."),
        ("No tower", "Only dice on top of each other can be shown."),
        Text.HINT_TILT,
    )
    WISHES_TO_STOP = AlertWords(
        ("Schluss?", "{name} will aufhören. Wer mitmacht, wählt es unter …"),
        ("Stop?", "{name} wants to stop. To agree, choose it under …"),
        Text.HINT_TILT_TAP,
    )
    WISHES_TO_VOID = AlertWords(
        ("Ungültig?", "{name} will neu beginnen. Wer mitmacht, wählt es unter …"),
        ("Void?", "{name} wants this round void. To agree, choose it under …"),
        Text.HINT_TILT_TAP,
    )
    WISHES_MISTAKE = AlertWords(
        ("Fehler?", "Hat {name} einen Fehler gemacht? Wer das meint, wählt es unter …"),
        ("A mistake?", "Did {name} make a mistake? If so, choose it under …"),
        Text.HINT_TILT_TAP,
    )
    WISHES_WITHOUT = AlertWords(
        ("Ohne {name}?", "Einer will ohne das Gerät weiter. Wer mitmacht, wählt es unter …"),
        ("Without {name}?", "Somebody wants to go on without it. To agree, choose it under …"),
        Text.HINT_TILT_TAP,
    )
    WISHED = AlertWords(
        ("Gesagt", "Es gilt, wenn mehr als die Hälfte dasselbe will."),
        ("Said", "It counts once more than half of you want it."),
        Text.HINT_WAIT,
    )
    LEAVING = AlertWords(
        ("Du gehst", "Lass das Gerät an, bis der Becher weiter ist."),
        ("You leave", "Leave the handheld on until the cup has gone on."),
        Text.HINT_WAIT,
    )
    FAULT_WARNED = AlertWords(
        ("Nicht rütteln", "Der Becher ist unterwegs. Die Würfel bleiben, wie sie sind."),
        ("Keep it still", "The cup is on its way. The dice stay as they are."),
        Text.HINT_KEEP_COVERED,
    )
    ASK_DROP = AlertWords(
        ("Gefallen?", "Ist der Becher gefallen?"),
        ("Dropped?", "Has the cup fallen?"),
        Text.HINT_QUESTION,
    )
    ASK_MOVE = AlertWords(
        ("Gerüttelt?", "Sind die Würfel beim Weitergeben gerollt?"),
        ("Moved?", "Did the dice roll while you passed the cup?"),
        Text.HINT_QUESTION,
    )
    ASK_LOOK = AlertWords(
        ("Geschaut?", "Hast du unter den Becher geschaut?"),
        ("Looked?", "Did you look under the cup?"),
        Text.HINT_QUESTION,
    )
    ASKED_DROP = AlertWords(
        ("Gefallen?", "Hat {name} den Becher fallen lassen?"),
        ("Dropped?", "Did {name} drop the cup?"),
        Text.HINT_WAIT,
    )
    ASKED_MOVE = AlertWords(
        ("Gerüttelt?", "Hat {name} die Würfel bewegt?"),
        ("Moved?", "Did {name} move the dice?"),
        Text.HINT_WAIT,
    )
    ASKED_LOOK = AlertWords(
        ("Geschaut?", "Hat {name} unter den Becher geschaut?"),
        ("Looked?", "Did {name} look under the cup?"),
        Text.HINT_WAIT,
    )
    DICE_DIFFER = AlertWords(
        ("Andere Würfel", "Sagt es! Jemand kann dazwischen sein. Rückt zusammen, fangt neu an."),
        ("Other dice", "Say so! Somebody may sit in between. Move closer, and begin anew."),
        Text.HINT_TAP,
    )
    TABLE_GIVEN_UP = AlertWords(
        ("Kein Tisch", "Der Gastgeber hat ihn aufgegeben, oder jemand ist gegangen."),
        ("No table", "Its host gave it up, or somebody left."),
        Text.HINT_TAP,
    )
    NO_PLACE = AlertWords(
        ("Kein Platz", "Der Tisch ist voll oder spielt, jemand heißt wie du, oder du bist raus."),
        ("No place", "The table is full or plays, somebody has your name, or you are out."),
        Text.HINT_TAP,
    )
    CANNOT_BE_DRAWN = AlertWords(
        ("Kein Bild", "Diese Seite lässt sich nicht zeigen. Das Spiel geht weiter."),
        ("No picture", "This page cannot be shown. The match goes on."),
        Text.HINT_TILT_TAP,
    )
    RETURNING = AlertWords(
        ("Wieder da", "Die anderen sagen, wie es steht. Sind ihre Geräte an?"),
        ("Back again", "The others tell how things stand. Are their handhelds on?"),
        Text.HINT_WAIT,
    )
    MEMORY_LOST = AlertWords(
        (
            "Kein Spielstand",
            "Läuft das Spiel schon, geht es ohne dich weiter. Sonst mit --begin starten.",
        ),
        ("No memory", "A match that runs goes on without you. Else start it with --begin."),
        Text.HINT_WAIT,
    )
