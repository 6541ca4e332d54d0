"""What the handheld says, in German and English: one table of words.

A text may have places for a name or a value, such as ``{name}``; both languages have the same ones.
What a value is called is the game's own business (``game.values.spoken``). Messages that take the
whole panel stand in ``firmware.display.text.alerts``, the rules in
``firmware.display.text.rulebook``.
"""

from collections.abc import Mapping
from enum import Enum, auto

from firmware.display.text.words import Words, words
from game.spoken import Language


class Text(Enum):
    """One text. The name says what it means; the table below says it in both languages."""

    # Entries of the dial
    NEUTRAL = auto()
    THROW = auto()
    THROW_AGAIN = auto()
    LOOK = auto()
    BELIEVE = auto()
    DOUBT = auto()
    GIVE_IN = auto()
    SHOW_MAEXCHEN = auto()
    OWN_UP = auto()
    LIFT = auto()
    GO_ON = auto()
    END_MATCH = auto()
    SCORES = auto()
    HELP = auto()
    SOUND_OFF = auto()
    SOUND_QUIET = auto()
    SOUND_MEDIUM = auto()
    SOUND_LOUD = auto()
    PAUSE = auto()
    LEAVE = auto()
    SWITCH_OFF = auto()
    MORE = auto()
    BACK = auto()
    SHOW_THROW = auto()
    STOP = auto()
    NOBODY = auto()
    SAME = auto()
    ONE_MORE = auto()
    NOT_MINE = auto()
    PLAIN = auto()
    AIR = auto()
    MUCH_AIR = auto()
    DRAWN_OUT = auto()
    FORWARD = auto()
    BACKWARD = auto()
    FORWARD_DRAWN_OUT = auto()
    BACKWARD_DRAWN_OUT = auto()
    SHOW_TOWER = auto()
    VOID_ROUND = auto()
    WITHOUT = auto()
    STOP_MATCH = auto()
    DIE_IN_PLAY = auto()
    DIE_ASIDE = auto()
    DIE_TURNED = auto()
    # Gestures that work now
    HINT_TILT = auto()
    HINT_TAP = auto()
    HINT_BACK = auto()
    HINT_HOLD = auto()
    HINT_TILT_TAP = auto()
    HINT_TILT_HOLD = auto()
    HINT_SHAKE_TILT = auto()
    HINT_SHAKE_LIFT_TILT = auto()
    HINT_LIFT_TILT = auto()
    HINT_DOUBT = auto()
    HINT_NOT_YET = auto()
    HINT_TAKE_BACK = auto()
    HINT_COVER = auto()
    HINT_LIFT = auto()
    HINT_STEADY = auto()
    HINT_SHAKE_ON = auto()
    HINT_KEEP_COVERED = auto()
    HINT_WAIT = auto()
    HINT_MOMENT = auto()
    HINT_RESTART = auto()
    HINT_MEND = auto()
    HINT_ENDED = auto()
    HINT_OVER = auto()
    # What is going on
    TITLE = auto()
    STARTING = auto()
    TURN_OF = auto()
    SAYS = auto()
    NOTHING_SAID = auto()
    CUP_EMPTY = auto()
    AS_OF = auto()
    YOUR_TURN = auto()
    YOU_OPEN = auto()
    THROW_FIRST = auto()
    THROW_NUMBER = auto()
    SAY_ANYTHING = auto()
    OVER = auto()
    YOU_SAY = auto()
    TO = auto()
    SHAKING = auto()
    SHAKING_AGAIN = auto()
    WAY_CALLING = auto()
    WAY_OFFERED = auto()
    WAY_GIVING = auto()
    WAY_SILENT = auto()
    NEXT_CUP = auto()
    RECIPIENT = auto()
    YOU_DOUBT = auto()
    DOUBTS = auto()
    MENU = auto()
    A_TOWER = auto()
    ROLL_AGAIN = auto()
    # Throws that lie open
    THROW_FOR_THE_LEAD = auto()
    THROW_OF = auto()
    BONUS_THROW = auto()
    YOUR_THROW = auto()
    NAMES_THROW = auto()
    LIFT_YOUR_CUP = auto()
    GIVE_A_COASTER = auto()
    DICE_ASIDE = auto()
    DICE_TO_THROW = auto()
    LIFT_SHOWS = auto()
    BEST = auto()
    WORST = auto()
    GENERAL = auto()
    MAX = auto()
    PASCH = auto()
    STRASSE = auto()
    SCHIET = auto()
    CHICAGO = auto()
    SUM = auto()
    SCORE = auto()
    LEADS = auto()
    TIED = auto()
    WORST_TAKES = auto()
    BEST_GIVES = auto()
    BEST_GIVES_AWAY = auto()
    GOT_SAFE = auto()
    PHASE_ONE = auto()
    PHASE_TWO = auto()
    HALF_LOST = auto()
    HALF_BEGINS = auto()
    ROUND_LOST = auto()
    DECIDING = auto()
    DECLINED = auto()
    LEFT_TABLE = auto()
    VOIDED = auto()
    PILE = auto()
    HALF = auto()
    REVERSED = auto()
    # Verdicts
    LIED = auto()
    TRUE = auto()
    SHOWN = auto()
    GAVE_IN = auto()
    OWNED_UP = auto()
    INADMISSIBLE = auto()
    WRONG_WAY = auto()
    HAS_DROPPED = auto()
    HAS_MOVED = auto()
    HAS_LOOKED = auto()
    TOWER_SHOWN = auto()
    TOWER_SPARED = auto()
    ROUND_VOID = auto()
    HAS_LEFT = auto()
    AND_ALSO = auto()
    NOBODY_PAYS = auto()
    AND_SWIMS = auto()
    AND_OUT = auto()
    # Standings and the end
    STANDINGS = auto()
    ROW_OUT = auto()
    ROW_LEFT = auto()
    ROW_WAITS = auto()
    ROW_SAFE = auto()
    HALVES = auto()
    LOST = auto()
    NOBODY_LOST = auto()
    ENDED_BY_OUT = auto()
    ENDED_BY_TALLY = auto()
    ENDED_BY_TABLE = auto()
    MATCH_ONE = auto()
    MATCH_MANY = auto()
    DRINK_ONE = auto()
    DRINK_MANY = auto()
    POINT_ONE = auto()
    POINT_MANY = auto()
    GLASS_ONE = auto()
    GLASS_MANY = auto()
    COASTER_ONE = auto()
    COASTER_MANY = auto()
    ENDED_BY_POINTS = auto()
    ENDED_BY_HALVES = auto()
    ENDED_ALONE = auto()
    ENDED_BY_COASTERS = auto()
    ENDED_BY_ROUNDS = auto()
    # Hints for the above
    HINT_SHAKE = auto()
    HINT_LIFT_LOOK = auto()
    HINT_SHAKE_LIFT = auto()
    HINT_PAGES = auto()
    HINT_QUESTION = auto()
    HINT_MORE = auto()
    # The lobby
    GAME_CLASS = auto()
    GAME_PHYSICIST = auto()
    GAME_HOLY_FAMILY = auto()
    GAME_MAXEN = auto()
    GAME_CHICAGO = auto()
    GAME_SEVENS = auto()
    OPTION_FIRST_OUT = auto()
    OPTION_LAST_STANDING = auto()
    OPTION_MATCHES = auto()
    OPTION_DRINKS = auto()
    OPTION_NO_LIE = auto()
    OPTION_LIE = auto()
    YES = auto()
    NO = auto()
    WHO_ARE_YOU = auto()
    WHICH_GAME = auto()
    WHICH_TABLE = auto()
    HELLO = auto()
    OPEN_TABLE = auto()
    JOIN_TABLE = auto()
    WATCH_TABLE = auto()
    ONE_HANDHELD = auto()
    OTHER_NAME = auto()
    LISTENING = auto()
    TABLE_OF = auto()
    KNOCKING = auto()
    ALL_HERE = auto()
    SEATS = auto()
    WHO_OPENS = auto()
    WHO_PLAYS = auto()
    DRAW_LOTS = auto()
    SAME_DICE = auto()
    WAIT_FOR_TAPS = auto()
    HINT_SAME_DICE = auto()
    HINT_HAND_TO = auto()
    HINT_MOVE = auto()
    OTHERS_JOIN = auto()
    NOT_IN_PLAY = auto()
    TABLES_HEARD = auto()
    AT_TABLE = auto()
    HINT_FORGET = auto()
    PRACTICE = auto()
    AGAINST = auto()
    WATCHES = auto()
    HAND_TO = auto()
    AGAIN = auto()
    FORGET_TABLE = auto()
    WANTS_AGAIN = auto()
    HAS_LOST = auto()
    OTHERS_TOO = auto()
    AGAIN_QUESTION = auto()


TEXTS: Mapping[Text, Words] = {
    Text.NEUTRAL: Words("–", "–"),
    Text.THROW: Words("werfen", "throw"),
    Text.THROW_AGAIN: Words("noch ein Wurf", "throw again"),
    Text.LOOK: Words("schauen", "look"),
    Text.BELIEVE: Words("glauben", "believe"),
    Text.DOUBT: Words("zweifeln", "doubt"),
    Text.GIVE_IN: Words("nachgeben", "give in"),
    Text.SHOW_MAEXCHEN: Words("Mäxchen zeigen", "show Mäxchen"),
    Text.OWN_UP: Words("zugeben", "own up"),
    Text.LIFT: Words("aufdecken", "lift"),
    Text.GO_ON: Words("weiter", "go on"),
    Text.END_MATCH: Words("Spiel beenden", "end the match"),
    Text.SCORES: Words("Stand", "scores"),
    Text.HELP: Words("Hilfe", "help"),
    Text.SOUND_OFF: Words("Ton aus", "sound off"),
    Text.SOUND_QUIET: Words("Ton leise", "sound quiet"),
    Text.SOUND_MEDIUM: Words("Ton mittel", "sound medium"),
    Text.SOUND_LOUD: Words("Ton laut", "sound loud"),
    Text.PAUSE: Words("Pause", "pause"),
    Text.LEAVE: Words("aussteigen", "leave"),
    Text.SWITCH_OFF: Words("ausschalten", "switch off"),
    Text.HINT_TILT: Words("neigen", "tilt"),
    Text.HINT_TAP: Words("tippen", "tap"),
    Text.HINT_BACK: Words("tippen = zurück", "tap = back"),
    Text.HINT_HOLD: Words("halten", "hold"),
    Text.HINT_TILT_TAP: Words("neigen · tippen", "tilt · tap"),
    Text.HINT_TILT_HOLD: Words("neigen · halten", "tilt · hold"),
    Text.HINT_SHAKE_TILT: Words("schütteln · neigen", "shake · tilt"),
    Text.HINT_SHAKE_LIFT_TILT: Words("schütteln · heben · neigen", "shake · lift · tilt"),
    Text.HINT_LIFT_TILT: Words("heben · neigen", "lift · tilt"),
    Text.HINT_DOUBT: Words("heben = zweifeln · neigen", "lift = doubt · tilt"),
    Text.HINT_NOT_YET: Words("gleich …", "in a moment …"),
    Text.HINT_TAKE_BACK: Words("neigen = zurücknehmen", "tilt = take it back"),
    Text.HINT_COVER: Words("zudecken", "cover"),
    Text.HINT_LIFT: Words("heben", "lift"),
    Text.HINT_STEADY: Words("dann ruhig halten", "then hold it still"),
    Text.HINT_SHAKE_ON: Words("weiterschütteln", "keep shaking"),
    Text.HINT_KEEP_COVERED: Words("zugedeckt lassen", "keep it covered"),
    Text.HINT_WAIT: Words("warten", "wait"),
    Text.HINT_MOMENT: Words("einen Moment …", "one moment …"),
    Text.HINT_RESTART: Words("aus- und einschalten", "switch off and on"),
    Text.HINT_MEND: Words("danach geht es weiter", "then play goes on"),
    Text.HINT_ENDED: Words("hier ist Schluss", "it ends here"),
    Text.HINT_OVER: Words("danke fürs Spielen", "thank you for playing"),
    Text.TITLE: Words("Mäxchen", "Mäxchen"),
    Text.STARTING: Words("würfeln, lügen, weitergeben", "shake, lie, pass it on"),
    Text.TURN_OF: Words("{name} ist dran", "{name}'s turn"),
    Text.SAYS: Words("{name} sagt", "{name} says"),
    Text.NOTHING_SAID: Words("Runde beginnt", "round begins"),
    Text.CUP_EMPTY: Words("Becher leer", "cup is empty"),
    Text.AS_OF: Words("Stand: Runde {round}", "as of round {round}"),
    Text.YOUR_TURN: Words("Du bist dran", "Your turn"),
    Text.YOU_OPEN: Words("Du beginnst", "You open"),
    Text.THROW_FIRST: Words("erst werfen", "throw first"),
    Text.THROW_NUMBER: Words("Wurf {number}", "Throw {number}"),
    Text.SAY_ANYTHING: Words("sag, was du willst", "say what you like"),
    Text.OVER: Words("über {value}", "over {value}"),
    Text.YOU_SAY: Words("Du sagst", "You say"),
    Text.TO: Words("zu {name}", "to {name}"),
    Text.SHAKING: Words("Es klappert …", "It rattles …"),
    Text.SHAKING_AGAIN: Words("Noch ein Wurf", "Throw again"),
    Text.WAY_CALLING: Words("wird gerufen …", "is being called …"),
    Text.WAY_OFFERED: Words("überlegt …", "is thinking …"),
    Text.WAY_GIVING: Words("bekommt den Becher", "is given the cup"),
    Text.WAY_SILENT: Words("antwortet nicht: näher kommen", "does not answer: move closer"),
    Text.NEXT_CUP: Words("Becher geht an", "Cup goes to"),
    Text.RECIPIENT: Words("{name}", "{name}"),
    Text.YOU_DOUBT: Words("Du zweifelst", "You doubt"),
    Text.DOUBTS: Words("{name} zweifelt", "{name} doubts"),
    Text.LIED: Words("{announcer} hat gelogen", "{announcer} was lying"),
    Text.TRUE: Words("Es stimmt: {payer} zahlt", "It is true: {payer} pays"),
    Text.SHOWN: Words("Mäxchen! {payer} zahlt", "Mäxchen! {payer} pays"),
    Text.GAVE_IN: Words("{payer} gibt nach", "{payer} gives in"),
    Text.OWNED_UP: Words("{payer} gibt es zu", "{payer} owns up"),
    Text.AND_SWIMS: Words("und schwimmt", "and swims"),
    Text.AND_OUT: Words("und ist raus", "and is out"),
    Text.STANDINGS: Words("Spielstand", "Standings"),
    Text.ROW_OUT: Words("raus", "out"),
    Text.ROW_LEFT: Words("weg", "left"),
    Text.ROW_WAITS: Words("setzt aus", "waits"),
    Text.ROW_SAFE: Words("sicher", "safe"),
    Text.HALVES: Words("{count} · {halves}", "{count} · {halves}"),
    Text.LOST: Words("{name} verliert", "{name} loses"),
    Text.NOBODY_LOST: Words("Niemand verliert", "Nobody loses"),
    Text.ENDED_BY_OUT: Words("Raus, zahlt die nächste Runde", "Out: pays the next round"),
    Text.ENDED_BY_TALLY: Words("Am meisten getrunken", "Drank the most"),
    Text.ENDED_BY_TABLE: Words("Der Tisch hat beendet", "Ended by the table"),
    Text.MATCH_ONE: Words("−1 Streichholz", "−1 match"),
    Text.MATCH_MANY: Words("−{count} Streichhölzer", "−{count} matches"),
    Text.DRINK_ONE: Words("+1 Getränk", "+1 drink"),
    Text.DRINK_MANY: Words("+{count} Getränke", "+{count} drinks"),
    Text.POINT_ONE: Words("+1 Punkt", "+1 point"),
    Text.POINT_MANY: Words("+{count} Punkte", "+{count} points"),
    Text.GLASS_ONE: Words("+1 Stamperl", "+1 glass"),
    Text.GLASS_MANY: Words("+{count} Stamperl", "+{count} glasses"),
    Text.COASTER_ONE: Words("+1 Deckel", "+1 coaster"),
    Text.COASTER_MANY: Words("+{count} Deckel", "+{count} coasters"),
    Text.ENDED_BY_POINTS: Words("Punkte voll", "Points are full"),
    Text.ENDED_BY_HALVES: Words("Zahlt die nächste Runde", "Pays the next round"),
    Text.ENDED_ALONE: Words("Allein übrig geblieben", "Left all alone"),
    Text.ENDED_BY_COASTERS: Words("Hat den letzten Deckel", "Has the last coaster"),
    Text.ENDED_BY_ROUNDS: Words("Die meisten Runden verloren", "Lost the most rounds"),
    Text.MORE: Words("…", "…"),
    Text.BACK: Words("zurück", "back"),
    Text.SHOW_THROW: Words("zeigen", "show"),
    Text.STOP: Words("fertig", "done"),
    Text.NOBODY: Words("niemand", "nobody"),
    Text.SAME: Words("mitgehen", "the same"),
    Text.ONE_MORE: Words("um 1 höher", "one more"),
    Text.NOT_MINE: Words("nicht meiner", "not mine"),
    Text.PLAIN: Words("ohne Luft", "plain"),
    Text.AIR: Words("mit Luft", "with air"),
    Text.MUCH_AIR: Words("mit viel Luft", "with much air"),
    Text.DRAWN_OUT: Words("gedehnt", "drawn out"),
    Text.FORWARD: Words("an {name}", "to {name}"),
    Text.BACKWARD: Words("zurück an {name}", "back to {name}"),
    Text.FORWARD_DRAWN_OUT: Words("gedehnt an {name}", "drawn out to {name}"),
    Text.BACKWARD_DRAWN_OUT: Words("gedehnt zurück an {name}", "drawn out back to {name}"),
    Text.SHOW_TOWER: Words("Turm zeigen", "show the tower"),
    Text.WITHOUT: Words("ohne {name} weiter", "without {name}"),
    Text.VOID_ROUND: Words("Runde ungültig", "void the round"),
    Text.STOP_MATCH: Words("Spiel abbrechen", "stop the match"),
    Text.DIE_IN_PLAY: Words("{pips} im Spiel", "{pips} in play"),
    Text.DIE_ASIDE: Words("{pips} beiseite", "{pips} aside"),
    Text.DIE_TURNED: Words("{pips} wird 1", "{pips} turned to 1"),
    Text.A_TOWER: Words("ein Turm!", "a tower!"),
    Text.MENU: Words("Menü", "Menu"),
    Text.ROLL_AGAIN: Words("Turm: noch einmal", "Tower: throw again"),
    Text.THROW_FOR_THE_LEAD: Words("Auswürfeln", "For the lead"),
    Text.THROW_OF: Words("Wurf {number} von {limit}", "Throw {number} of {limit}"),
    Text.BONUS_THROW: Words("Bonuswurf", "Bonus throw"),
    Text.YOUR_THROW: Words("Dein Wurf {number}", "Your throw {number}"),
    Text.NAMES_THROW: Words("{name}: Wurf {number}", "{name}: throw {number}"),
    Text.LIFT_YOUR_CUP: Words("Deck deinen Wurf auf", "Lift your cup"),
    Text.GIVE_A_COASTER: Words("Deckel abgeben?", "Give a coaster?"),
    Text.DICE_ASIDE: Words("beiseite {dice}", "aside {dice}"),
    Text.DICE_TO_THROW: Words("{count} im Becher", "{count} in the cup"),
    Text.LIFT_SHOWS: Words("Becher heben", "lift the cup"),
    Text.BEST: Words("vorn", "best"),
    Text.WORST: Words("hinten", "worst"),
    Text.GENERAL: Words("General", "General"),
    Text.MAX: Words("Max {value}", "Max {value}"),
    Text.PASCH: Words("Pasch", "triple"),
    Text.STRASSE: Words("Straße", "straight"),
    Text.SCHIET: Words("Schiet {value}", "Schiet {value}"),
    Text.CHICAGO: Words("Chicago", "Chicago"),
    Text.SUM: Words("Augen {value}", "sum {value}"),
    Text.SCORE: Words("Punkte {value}", "score {value}"),
    Text.LEADS: Words("{name} beginnt", "{name} leads"),
    Text.TIED: Words("{count} gleich: noch einmal", "{count} are tied: again"),
    Text.WORST_TAKES: Words("{name} nimmt {count} vom Stapel", "{name} takes {count} of the pile"),
    Text.BEST_GIVES: Words("{name} gibt {other} {count}", "{name} gives {other} {count}"),
    Text.BEST_GIVES_AWAY: Words("{name} gibt {count} ab", "{name} gives {count} away"),
    Text.GOT_SAFE: Words("{name} ist sicher", "{name} is safe"),
    Text.PHASE_ONE: Words("Phase 1", "phase 1"),
    Text.PHASE_TWO: Words("Phase 2", "phase 2"),
    Text.HALF_LOST: Words("{name} verliert Hälfte {count}", "{name} loses half {count}"),
    Text.HALF_BEGINS: Words("Hälfte {count} beginnt", "Half {count} begins"),
    Text.ROUND_LOST: Words("{name} verliert die Runde", "{name} loses the round"),
    Text.DECIDING: Words("Runde um alles", "One round decides"),
    Text.DECLINED: Words("{name} behält alle", "{name} keeps them all"),
    Text.LEFT_TABLE: Words("{name} ist gegangen", "{name} has left"),
    Text.VOIDED: Words("Runde ungültig", "Round void"),
    Text.PILE: Words("{count} im Stapel", "{count} in the pile"),
    Text.HALF: Words("Hälfte {count}", "half {count}"),
    Text.REVERSED: Words("andersherum", "other way round"),
    Text.INADMISSIBLE: Words("{payer}: geht nicht", "{payer}: not allowed"),
    Text.WRONG_WAY: Words("{payer}: falsch herum", "{payer}: wrong way"),
    Text.HAS_DROPPED: Words("{payer} ließ fallen", "{payer} dropped it"),
    Text.HAS_MOVED: Words("{payer} hat gerüttelt", "{payer} moved the dice"),
    Text.HAS_LOOKED: Words("{payer} hat geschaut", "{payer} looked"),
    Text.TOWER_SHOWN: Words("{payer} zeigt den Turm", "{payer} shows a tower"),
    Text.TOWER_SPARED: Words("Ein Turm rettet {payer}", "A tower saves {payer}"),
    Text.ROUND_VOID: Words("Die Runde ist ungültig", "The round is void"),
    Text.HAS_LEFT: Words("{payer} ist gegangen", "{payer} has left"),
    Text.AND_ALSO: Words("und {name}", "and {name}"),
    Text.NOBODY_PAYS: Words("niemand zahlt", "nobody pays"),
    Text.HINT_SHAKE: Words("schütteln", "shake"),
    Text.HINT_LIFT_LOOK: Words("heben = zeigen · neigen", "lift = show · tilt"),
    Text.HINT_SHAKE_LIFT: Words("schütteln · heben = zeigen", "shake · lift = show"),
    Text.HINT_PAGES: Words("neigen = blättern · tippen", "tilt = pages · tap"),
    Text.HINT_QUESTION: Words("halten = zählt · neigen = nein", "hold = counts · tilt = no"),
    Text.HINT_MORE: Words("tippen = zurück · halten = mehr", "tap = back · hold = more"),
    Text.GAME_CLASS: Words("Klassisch", "Classic"),
    Text.GAME_PHYSICIST: Words("Physiker-Meiern", "Physicist Meiern"),
    Text.GAME_HOLY_FAMILY: Words("Heilige Familie", "Holy Family"),
    Text.GAME_MAXEN: Words("Maxen", "Maxen"),
    Text.GAME_CHICAGO: Words("Chicago", "Chicago"),
    Text.GAME_SEVENS: Words("Siebener", "Sevens"),
    Text.OPTION_FIRST_OUT: Words("der Erste raus", "first one out"),
    Text.OPTION_LAST_STANDING: Words("einer übrig", "one left"),
    Text.OPTION_MATCHES: Words("Streichhölzer", "matches"),
    Text.OPTION_DRINKS: Words("Getränke", "drinks"),
    Text.OPTION_NO_LIE: Words("keine Lüge", "no lie"),
    Text.OPTION_LIE: Words("gelogen", "a lie"),
    Text.YES: Words("ja", "yes"),
    Text.NO: Words("nein", "no"),
    Text.WHO_ARE_YOU: Words("Wer bist du?", "Who are you?"),
    Text.WHICH_GAME: Words("Welches Spiel?", "Which game?"),
    Text.WHICH_TABLE: Words("Welcher Tisch?", "Which table?"),
    Text.HELLO: Words("Hallo {name}", "Hello {name}"),
    Text.OPEN_TABLE: Words("einladen", "invite"),
    Text.JOIN_TABLE: Words("mitspielen", "join"),
    Text.WATCH_TABLE: Words("zuschauen", "watch"),
    Text.ONE_HANDHELD: Words("ein Gerät für alle", "one for all"),
    Text.OTHER_NAME: Words("Name", "name"),
    Text.LISTENING: Words("Noch kein Tisch zu hören", "No table to be heard yet"),
    Text.TABLE_OF: Words("bei {name}", "{name}'s table"),
    Text.KNOCKING: Words("klopft an …", "knocking …"),
    Text.ALL_HERE: Words("alle da", "all are here"),
    Text.SEATS: Words("Reihenfolge", "Order of play"),
    Text.WHO_OPENS: Words("Wer beginnt?", "Who opens?"),
    Text.WHO_PLAYS: Words("Wer spielt mit?", "Who plays?"),
    Text.DRAW_LOTS: Words("das Los", "draw lots"),
    Text.SAME_DICE: Words("Überall dieselben?", "The same on all?"),
    Text.WAIT_FOR_TAPS: Words("Warten auf die anderen", "Waiting for the others"),
    Text.HINT_SAME_DICE: Words("tippen = gleich · halten = nein", "tap = same · hold = no"),
    Text.HINT_HAND_TO: Words("tippen = weiter · halten = Ende", "tap = go on · hold = end"),
    Text.HINT_FORGET: Words("halten = Tisch verlassen", "hold = leave the table"),
    Text.HINT_MOVE: Words("tippen = einen Platz weiter", "tap = one place on"),
    Text.OTHERS_JOIN: Words("Die anderen wählen: mitspielen", "The others choose: join"),
    Text.NOT_IN_PLAY: Words("(wo gespielt wird, erst danach)", "(where they play, only after)"),
    Text.TABLES_HEARD: Words("Zu hören: {pips}", "To be heard: {pips}"),
    Text.AT_TABLE: Words("schon da: {pips}", "there already: {pips}"),
    Text.PRACTICE: Words("allein üben", "practise"),
    Text.AGAINST: Words("Gegen wen?", "Against whom?"),
    Text.WATCHES: Words("{name} (schaut zu)", "{name} (watches)"),
    Text.HAND_TO: Words("Weitergeben an", "Hand it to"),
    Text.AGAIN: Words("noch ein Spiel", "play again"),
    Text.FORGET_TABLE: Words("Tisch vergessen", "forget the table"),
    Text.OTHERS_TOO: Words("neue Runde", "new company"),
    Text.HAS_LOST: Words("{name}: {pips}× verloren", "{name}: lost {pips}×"),
    Text.AGAIN_QUESTION: Words("Noch ein Spiel?", "Play again?"),
    Text.WANTS_AGAIN: Words("{name} will nochmal", "{name} wants to"),
}

ENDINGS: Mapping[str, Text] = {
    "R-CLASS-2": Text.ENDED_BY_OUT,
    "B-8": Text.ENDED_BY_TALLY,
    "B-10": Text.ENDED_BY_TABLE,
    "R-HF-4": Text.ENDED_BY_POINTS,
    "R-MAX-5": Text.ENDED_BY_HALVES,
    "R-CHI-2": Text.ENDED_ALONE,
    "R-CHI-3": Text.ENDED_BY_COASTERS,
    "S-4": Text.ENDED_BY_ROUNDS,
}
"""What is said of the rule that ended a match (``Outcome.rule``)."""


def say(text: Text, language: Language, **places: object) -> str:
    """Return a text in a language, its places filled.

    Raises:
        KeyError: a place was not given.
    """
    return words(TEXTS[text], language).format(**places)
