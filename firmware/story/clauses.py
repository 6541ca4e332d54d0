"""The clauses about a match, in both languages: words only, by the event that they describe.

``{name}`` is the player it is about, several names joined by `Clause.AND`; ``{to}`` is the other
player. Dice and values stand as digits.
"""

from collections.abc import Mapping
from enum import Enum

from firmware.display.text.words import Words
from game import actions as played
from game import events
from game.actions import FaultKind, Flourish

OF_ONE: Mapping[type[events.Event], Words] = {
    events.Looked: Words("{name} schaut nach", "{name} looks"),
    events.Inadmissible: Words(
        "das durfte {name} nicht sagen", "{name} was not allowed to say that"
    ),
    events.Believed: Words("{name} glaubt", "{name} believes"),
    events.Doubted: Words("{name} zweifelt", "{name} doubts"),
    events.Refused: Words("{name} nimmt den Becher nicht", "{name} refuses the cup"),
    events.MaexchenShown: Words("{name} zeigt ein Mäxchen", "{name} shows a Mäxchen"),
    events.TowerSpared: Words(
        "ein Turm, {name} würfelt noch einmal", "a tower, {name} throws again"
    ),
    events.GaveIn: Words("{name} gibt nach", "{name} gives in"),
    events.OwnedUp: Words("{name} gibt zu, nicht drüber zu liegen", "{name} admits it"),
    events.Swam: Words("{name} schwimmt", "{name} swims"),
    events.WentOut: Words("{name} ist raus", "{name} is out"),
    events.Stopped: Words("{name} lässt es dabei", "{name} leaves it at that"),
    events.GotSafe: Words("{name} ist außer Gefahr", "{name} is out of danger"),
    events.LevellingDeclined: Words("{name} gleicht nicht aus", "{name} gives nobody a coaster"),
    events.LeftTable: Words("{name} geht", "{name} leaves"),
}
"""Events whose clause names nothing but their seat."""
FAULTS: Mapping[FaultKind, Words] = {
    FaultKind.DROP: Words("{name} lässt etwas fallen", "{name} drops something"),
    FaultKind.MOVE: Words(
        "{name} bewegt die Würfel beim Weitergeben", "{name} moves the dice in passing"
    ),
    FaultKind.LOOK: Words("{name} schaut verbotenerweise nach", "{name} looks against the rules"),
    FaultKind.OTHER: Words("{name} macht einen Fehler", "{name} makes a mistake"),
}
SAID: Mapping[played.Words, Words] = {
    played.Words.SAME: Words("„mitgehen“", "“the same again”"),
    played.Words.ONE_MORE: Words("„um 1 erhöhen“", "“one more”"),
}
FLOURISHES: Mapping[Flourish, Words] = {
    Flourish.AIR: Words("{value} mit Luft", "{value} with air"),
    Flourish.MUCH_AIR: Words("{value} mit viel Luft", "{value} with much air"),
    Flourish.DRAWN_OUT: Words("{value}, lang gezogen,", "{value}, drawn out,"),
}


class Clause(Enum):
    """One clause. Words compare by identity, so that equal ones are no aliases."""

    THROWS = Words("{name} würfelt", "{name} throws")
    THROWS_AGAIN = Words("{name} würfelt noch einmal", "{name} throws again")
    TOWER = Words("{dice} (Turm)", "{dice} (a tower)")
    SAYS = Words("{name} sagt {value} zu {to}", "{name} says {value} to {to}")
    SAYS_WRONG_WAY = Words(
        "{name} sagt {value} zu {to}, falsch herum", "{name} says {value} to {to}, the wrong way"
    )
    WRONG_WAY = Words("{name} hat falsch herum weitergegeben", "{name} had passed the wrong way")
    WRONG_WAY_TAKEN = Words(
        "{name} hat falsch herum weitergegeben, {to} hat genommen",
        "{name} had passed the wrong way, {to} took it",
    )
    LIFTS = Words("{name} deckt {dice} auf", "{name} lifts {dice}")
    LIED = Words(
        "{announcer} hatte {value} gesagt und gelogen", "{announcer} had said {value} and lied"
    )
    TRUE = Words(
        "{announcer} hatte {value} gesagt, und das stimmt",
        "{announcer} had said {value}, and it was true",
    )
    SHOWS_TOWER = Words("{name} zeigt einen Turm, {dice}", "{name} shows a tower, {dice}")
    CLOCKWISE = Words("ab jetzt im Uhrzeigersinn", "clockwise from now on")
    COUNTER = Words("ab jetzt gegen den Uhrzeigersinn", "counter-clockwise from now on")
    PAYS = Words("{name} zahlt, noch {left}", "{name} pays, {left} left")
    TIED = Words("{name} würfeln noch einmal", "{name} throw again")
    KEEPS = Words("{name} legt {dice} beiseite", "{name} sets {dice} aside")
    DECIDED = Words(
        "{name} wirft am besten, {worst} am schlechtesten", "{name} throws best, {worst} worst"
    )
    ROUND_LOST = Words("{name} verliert die Runde", "{name} loses the round")
    PHASE_TWO = Words("alle Deckel sind verteilt", "all coasters are dealt")
    HALF_LOST = Words("{name} verliert Hälfte {half}", "{name} loses half {half}")
    HALF_BEGINS = Words("Hälfte {half}: {name} spielen", "half {half}: {name} play")
    DECIDING = Words(
        "Gleichstand, {name} spielen eine Runde um alles",
        "a draw, {name} play one round that decides",
    )
    VOID = Words("Runde {round} gilt nicht", "round {round} is void")
    BEGINS = Words("Runde {round}: {name} beginnt", "round {round}: {name} opens")
    LEADS = Words("Runde {round}: {name} gibt vor", "round {round}: {name} leads")
    LOSES = Words("das Spiel ist aus, {name} verliert", "the match is over, {name} loses")
    LOSE = Words("das Spiel ist aus, {name} verlieren", "the match is over, {name} lose")
    NOBODY = Words("das Spiel ist aus, niemand verliert", "the match is over, nobody loses")
    AND = Words(" und ", " and ")


class Counted(Enum):
    """A clause that counts something: one of it, and ``{count}`` of it."""

    DRINKS = (
        Words("{name} trinkt", "{name} drinks"),
        Words("{name} trinkt {count}", "{name} drinks {count}"),
    )
    SCORES = (
        Words("{name} bekommt 1 Punkt", "{name} gets 1 point"),
        Words("{name} bekommt {count} Punkte", "{name} gets {count} points"),
    )
    TURNS = (
        Words("{name} dreht eine Sechs zur Eins", "{name} turns a six to a one"),
        Words("{name} dreht {count} Sechsen zu Einsen", "{name} turns {count} sixes to ones"),
    )
    TAKES = (
        Words("{name} nimmt 1 Deckel", "{name} takes 1 coaster"),
        Words("{name} nimmt {count} Deckel", "{name} takes {count} coasters"),
    )
    HANDS = (
        Words("{name} gibt {to} 1 Deckel", "{name} gives {to} 1 coaster"),
        Words("{name} gibt {to} {count} Deckel", "{name} gives {to} {count} coasters"),
    )
    RETURNS = (
        Words("{name} gibt 1 Deckel ab", "{name} gives 1 coaster away"),
        Words("{name} gibt {count} Deckel ab", "{name} gives {count} coasters away"),
    )
