"""The rules of the games of the better throw in words: the coaster games and ``sevens``."""

from firmware.display.text.rulebook.model import LEAVING, GameTexts, rule
from firmware.display.text.words import Words

_THROWS = (
    rule(
        "T-1",
        "Wer vorgibt, wirft bis zu dreimal; so oft dürfen die anderen auch. Weniger darf jeder.",
        "The leader throws up to three times; the others may as often. Anybody may stop earlier.",
    ),
    rule(
        "T-2",
        "Zwischen zwei Würfen legst du Würfel beiseite oder keinen und wirfst den Rest, mindestens "
        "einen. Was liegt, bleibt liegen.",
        "Between two throws you set dice aside or none, and throw the rest, at least one. What is "
        "aside stays.",
    ),
    rule(
        "T-3",
        "Von genau zwei Sechsen eines Wurfs darf eine zur Eins gedreht werden, von dreien zwei; "
        "die übrige Sechs wird neu geworfen. Wer gedreht hat, muss noch werfen.",
        "Of exactly two sixes of one throw one may be turned to a one, of three two; the other six "
        "is thrown again. Who has turned must throw once more.",
    ),
)

MAXEN = GameTexts(
    Words(
        "Drei Würfel, 21 Deckel, zwei Hälften: Max, Pasch, Strasse oder Schiet.",
        "Three dice, 21 coasters, two halves: Max, Pasch, Strasse or Schiet.",
    ),
    (
        rule(
            "M-1 M-2",
            "Am besten ist General, 1-1-1. Dann Max, zwei Einsen und eine 2 bis 6, die er wert "
            "ist; dann Pasch, drei gleiche (3 wert); Strasse, drei aufeinander folgende (2 wert); "
            "und Schiet, der Rest, als Zahl gelesen (1 wert). Ein Max 2 schlägt jeden Pasch.",
            "Best is General, 1-1-1. Then Max, two ones and a 2 to 6, which it is worth; then "
            "Pasch, three equal (worth 3); Strasse, three in a row (worth 2); and Schiet, the "
            "rest, read as a number (worth 1). A Max 2 beats every Pasch.",
        ),
        rule(
            "M-3",
            "„Mit ist Schitt“: von gleichen Würfen ist der frühere besser.",
            "“Mit ist Schitt”: of equal throws the earlier is better.",
        ),
        rule(
            "R-MAX-1",
            "Äugeln: jeder wirft einmal, die kleinste Augensumme gibt vor; bei Gleichstand werfen "
            "diese noch einmal. Später gibt vor, wer die Runde verloren hat.",
            "Äugeln: everybody throws once, the lowest sum of pips leads; the tied throw again. "
            "Later the loser of a round leads the next.",
        ),
        *_THROWS,
        rule(
            "T-4",
            "Wer im dritten Wurf Sechsen dreht, hat einen Wurf mehr, danach wird nicht mehr "
            "gedreht. Mit einem Wurf wird nicht gedreht, mit zweien nur nach dem ersten.",
            "Who turns sixes of the third throw has one more throw, and no turning after it. With "
            "one throw there is no turning, with two only after the first.",
        ),
        rule(
            "T-5",
            "Ein dritter Wurf bleibt verdeckt, auch für den, der wirft. Haben alle geworfen, wird "
            "der Reihe nach aufgedeckt, gedreht und nachgeworfen.",
            "A third throw stays covered, for its thrower too. When all have thrown, cups are "
            "lifted in turn, with turning and the extra throw.",
        ),
        rule(
            "R-MAX-2",
            "21 Deckel liegen im Stapel. Zuerst nimmt der schlechteste Wurf so viele vom Stapel, "
            "wie der beste wert ist.",
            "21 coasters lie in the pile. At first the worst throw takes as many from the pile as "
            "the best is worth.",
        ),
        rule(
            "R-MAX-3",
            "Ist der Stapel leer, gibt der beste Wurf so viele von seinen dem schlechtesten. Wer "
            "keine hat, setzt aus. Wer alle 21 hat, hat die Hälfte verloren.",
            "Once the pile is empty the best throw hands the worst that many of his own. Who has "
            "none sits out. Who holds all 21 has lost the half.",
        ),
        rule(
            "R-MAX-4",
            "Ein General beendet die Hälfte: die Runde wird zu Ende gespielt, und der schlechteste "
            "Wurf hat sie verloren.",
            "A General ends the half: the round is completed, and its worst throw has lost it.",
        ),
        rule(
            "R-MAX-5",
            "Gespielt werden zwei Hälften. Wer beide verliert, hat verloren; sonst spielen die "
            "beiden Verlierer eine dritte allein. Der Verlierer zahlt die nächste Runde.",
            "Two halves are played. Who loses both has lost; otherwise the two losers play a third "
            "alone. The loser pays for the next round.",
        ),
        LEAVING,
    ),
    {},
)

CHICAGO = GameTexts(
    Words(
        "Drei offene Würfel und sechs Deckel: Einsen zählen 100, Sechsen 60.",
        "Three open dice and six coasters: ones count 100, sixes 60.",
    ),
    (
        rule(
            "C-1",
            "Eine Eins zählt 100, eine Sechs 60, der Rest die Augen; der Wurf ist die Summe wert.",
            "A one counts 100, a six 60, the others their pips; a throw is worth the sum.",
        ),
        rule(
            "C-2",
            "Drei Einsen sind Chicago, über allem. Von gleichen Summen ist die frühere besser.",
            "Three ones are Chicago, above everything. Of equal sums the earlier is better.",
        ),
        rule(
            "R-CHI-5",
            "Ein Becher mit drei Würfeln geht reihum. Zuerst gibt vor, wer mit einem Wurf die "
            "kleinste Augensumme hat; bei Gleichstand werfen diese noch einmal.",
            "One cup with three dice goes round. The lowest sum of pips of one throw leads first; "
            "the tied throw again.",
        ),
        *_THROWS,
        rule(
            "T-4",
            "Wer im dritten Wurf Sechsen dreht, hat einen Wurf mehr, wenn nur Einsen beiseite "
            "liegen; alles andere wird geworfen. Mit einem Wurf wird nicht gedreht, mit zweien nur "
            "nach dem ersten.",
            "Who turns sixes of the third throw has one more throw if only ones lie aside; "
            "everything else is thrown. With one throw there is no turning, with two only after "
            "the first.",
        ),
        rule("T-5", "Alle Würfe liegen offen.", "All throws lie open."),
        rule(
            "R-CHI-1",
            "Zuerst nimmt der schlechteste Wurf jeder Runde einen der sechs Deckel und gibt vor.",
            "At first the worst throw of a round takes one of the six coasters and leads.",
        ),
        rule(
            "R-CHI-2",
            "Wer dabei Chicago wirft, ist außer Gefahr und geht mit seinen Deckeln. Ist nur noch "
            "einer im Spiel, hat er verloren.",
            "Who throws Chicago then is out of danger and leaves with his coasters. Who is the "
            "only one left in the match has lost.",
        ),
        rule(
            "R-CHI-3",
            "Sind alle verteilt, ist sicher, wer keinen hat. Jetzt gibt der beste Wurf einen "
            "Deckel ab, mit Chicago alle; der schlechteste gibt vor. Wer als Letzter Deckel hat, "
            "hat verloren.",
            "Once all are dealt, who has none is safe. Now the best throw gives one coaster away, "
            "with Chicago all; the lowest leads. The last one holding a coaster has lost.",
        ),
        rule(
            "R-CHI-4",
            "Beim Ausgleichen darf, wer drei Deckel oder mehr hat, vor der zweiten Phase einem mit "
            "genau einem noch einen geben; der gibt dann vor.",
            "With levelling a player with three coasters or more may give one to a player with "
            "exactly one, before phase two; who gets it leads.",
        ),
        LEAVING,
    ),
    {
        "levelling": Words(
            "Ob vor der zweiten Phase ausgeglichen werden darf.",
            "Whether a coaster may be given before phase two.",
        ),
    },
)

SEVENS = GameTexts(
    Words(
        "Sechs Würfel, die Siebenen fallen weg, und was übrig bleibt, soll wenig sein.",
        "Six dice, the sevens are taken away, and what is left should be little.",
    ),
    (
        rule(
            "S-1",
            "Geworfen werden sechs Würfel. Paare, die sieben ergeben (6-1, 5-2, 4-3), kommen weg; "
            "die Augen der übrigen zählen, wenig ist gut.",
            "Six dice are thrown. Pairs that make seven (6-1, 5-2, 4-3) are taken away; the pips "
            "of the rest count, low is good.",
        ),
        rule(
            "S-5",
            "Zuerst gibt vor, wer mit einem Wurf die kleinste Augensumme hat, hier ohne dass "
            "Siebenen wegkommen; bei Gleichstand werfen diese noch einmal. Dann der Verlierer der "
            "Runde.",
            "The lowest sum of pips of one throw leads first, no sevens taken away; the tied throw "
            "again. Then the loser of a round leads.",
        ),
        rule(
            "S-2",
            "Wer vorgibt, wirft bis zu dreimal, immer alle Würfel; es zählt der letzte Wurf. So "
            "oft dürfen die anderen auch, weniger darf jeder. Alles liegt offen.",
            "The leader throws up to three times, always all dice; the last throw counts. The "
            "others may as often, anybody may stop earlier. Everything lies open.",
        ),
        rule(
            "S-3",
            "Mit sieben Würfeln sind es höchstens zwei Würfe, und beliebig viele Würfel dürfen "
            "eine Sieben bilden: 6-1-2-2-3-3-1 zählt 4.",
            "With seven dice there are at most two throws, and any number of dice may make a "
            "seven: 6-1-2-2-3-3-1 counts 4.",
        ),
        rule(
            "S-4",
            "Am meisten verliert die Runde und nimmt einen Deckel, bei gleich viel der spätere. "
            "Die meisten Deckel verlieren das Spiel; haben mehrere gleich viele, entscheidet eine "
            "Runde unter ihnen.",
            "The highest score loses the round and takes a coaster, of equal ones the later. Most "
            "coasters lose the match; if several share the most, one round among them decides.",
        ),
        LEAVING,
    ),
    {
        "seven_dice": Words(
            "Ob mit sieben Würfeln gespielt wird.", "Whether seven dice are thrown."
        ),
        "rounds": Words(
            "So viele Runden hat ein Spiel, eine Entscheidungsrunde nicht gezählt.",
            "So many rounds make a match, a deciding one not counted.",
        ),
    },
)
