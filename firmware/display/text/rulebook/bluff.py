"""The rules of the bluff games in words."""

from firmware.display.text.rulebook.model import LEAVING, GameTexts, rule
from firmware.display.text.words import Words

_VALUES = (
    rule(
        "V-1 V-2 V-3 V-5",
        "Der höhere Würfel zählt die Zehner: 3 und 6 sind 63. Von unten nach oben: 31, 32, 41 bis "
        "65, dann die Pasche 11 bis 66, ganz oben 21, das Mäxchen (auch Meier).",
        "The higher die counts the tens: 3 and 6 are 63. From the bottom up: 31, 32, 41 to 65, "
        "then the pairs 11 to 66, and on top 21, the Mäxchen (also Meier).",
    ),
    rule(
        "V-4",
        "Ein gemischter Wert fällt in 2 von 36 Würfen, ein Pasch in einem, das Mäxchen in 2.",
        "A mixed value falls in 2 of 36 throws, a pair in one, the Mäxchen in 2.",
    ),
)
_BLUFFING = (
    rule(
        "B-1 B-7",
        "Der Becher geht reihum. Wer ihn hat, würfelt verdeckt, sagt einen Wert an, wahr oder "
        "nicht, und gibt den Becher verdeckt weiter. Die Würfel sieht nur, wer nachschauen darf.",
        "The cup goes round. Who has it throws covered, announces a value, true or not, and passes "
        "the covered cup on. Only who may look sees the dice.",
    ),
    rule(
        "B-2 B-3",
        "Der Nächste glaubt und ist an die Ansage gebunden: seine muss höher sein. Oder er "
        "zweifelt und deckt vor allen auf. Wer eine Runde eröffnet, darf alles ansagen.",
        "The next player believes and is bound by the announcement: his own must be higher. Or he "
        "doubts and lifts the cup before everybody. Who opens a round may announce anything.",
    ),
    rule(
        "B-4 B-5",
        "Aufgedeckt zeigt sich: war mehr angesagt, als da liegt, verliert der Ansager, sonst der "
        "Zweifler. Es zählt die letzte Ansage, gleich wer gewürfelt hat.",
        "Once lifted: if more was announced than lies there, the announcer loses, else the "
        "doubter. The last announcement counts, whoever threw.",
    ),
    rule(
        "B-6",
        "Nach jeder Strafe beginnt eine neue Runde mit leerem Becher; der Bestrafte eröffnet. Ist "
        "er raus, eröffnet der Nächste, der noch dabei ist. Das Spiel beginnt im Uhrzeigersinn.",
        "After every penalty a new round begins with an empty cup; the penalised player opens. If "
        "he is out, the next who is still in opens. Play starts clockwise.",
    ),
)
_TALLY_ENDS = rule(
    "B-8",
    "Das Spiel endet nicht von selbst: wer eröffnet, darf es stattdessen beenden. Wer am meisten "
    "getrunken hat, hat verloren.",
    "The match has no end of its own: who opens may end it instead. Who drank most has lost.",
)

CLASS = GameTexts(
    Words(
        "Meiern mit drei Streichhölzern: lügen, glauben oder aufdecken.",
        "Meiern with three matches: lie, believe or lift the cup.",
    ),
    (
        *_VALUES,
        *_BLUFFING,
        rule(
            "R-CLASS-8",
            "Gespielt wird immer im Uhrzeigersinn.",
            "Play always runs clockwise.",
        ),
        rule(
            "R-CLASS-4",
            "Du darfst zweimal würfeln, aber nur nach dem ersten Wurf nachschauen. Der zweite geht "
            "blind weiter.",
            "You may throw twice, but look only after the first throw. The second is passed on "
            "blind.",
        ),
        rule(
            "R-CLASS-5",
            "Wer glaubt, sagt höher an: nach eigenem Wurf, oder ohne zu würfeln und ohne "
            "nachzuschauen.",
            "Who believes announces higher: after a throw of his own, or without throwing and "
            "without looking.",
        ),
        rule(
            "R-CLASS-6",
            "Wer im ersten Wurf ein Mäxchen sieht, kann es zeigen: der Nächste zahlt sofort.",
            "Who sees a Mäxchen in his first throw may show it: the next player pays at once.",
        ),
        rule(
            "R-CLASS-7",
            "Ein angesagtes Mäxchen kann man nicht glauben: aufdecken, oder nachgeben und ein "
            "Streichholz zahlen, ohne dass aufgedeckt wird.",
            "An announced Mäxchen cannot be believed: lift the cup, or give in and pay one match "
            "without a lift.",
        ),
        rule(
            "R-CLASS-10",
            "Wer gewürfelt hat und nicht höher liegt, darf das zugeben: er zahlt ein Streichholz "
            "und eröffnet neu.",
            "Who has thrown and does not beat what stands may own up: he pays one match and opens "
            "again.",
        ),
        rule(
            "R-CLASS-1 R-CLASS-2",
            "Jeder hat drei Streichhölzer, jede Strafe kostet eines. Wer keins mehr hat, schwimmt; "
            "wer schwimmend bestraft wird, ist raus und zahlt die nächste Runde.",
            "Everybody has three matches, every penalty costs one. Who has none left swims; who is "
            "penalised swimming is out and pays for the next round.",
        ),
        rule(
            "R-CLASS-3 B-8",
            "Um Getränke gespielt kostet jede Strafe ein Getränk, und niemand scheidet aus. Wer "
            "eröffnet, darf das Spiel beenden; wer am meisten getrunken hat, hat verloren.",
            "Played for drinks every penalty is one drink and nobody goes out. Who opens may end "
            "the match; who drank most has lost.",
        ),
        rule(
            "B-9",
            "Fehler kosten nichts: das Gerät warnt, die Würfel bleiben, wie sie sind.",
            "Mistakes cost nothing: the handheld warns, the dice stay as they are.",
        ),
        rule(
            "R-CLASS-9",
            "Am Gerät: Schütteln würfelt. Die Würfel sieht man nur, solange Licht auf den Sensor "
            "fällt. Antippen bietet den Becher an; der Nächste tippt zum Glauben und hebt zum "
            "Zweifeln.",
            "On the handheld: shaking throws. The dice show only while the sensor sees light. A "
            "tap offers the cup; the next player taps to believe and lifts to doubt.",
        ),
        LEAVING,
    ),
    {
        "ends": Words(
            "Schluss, wenn der Erste raus ist, oder erst, wenn nur einer übrig ist.",
            "The match ends when the first player is out, or when one is left.",
        ),
        "stakes": Words(
            "Gespielt wird um Streichhölzer, oder um Getränke, die nur gezählt werden.",
            "What is played for: matches, or drinks that are only counted.",
        ),
        "understating": Words(
            "Ob es gelogen ist, weniger anzusagen, als die Würfel zeigen.",
            "Whether announcing less than the dice show is a lie.",
        ),
    },
)

PHYSICIST = GameTexts(
    Words(
        "Mäxchen nach Physikerregeln: ein Wurf, viel Luft, und jede Strafe ist ein Stamperl.",
        "Mäxchen by the physicists' rules: one throw, much air, and every penalty is a glass.",
    ),
    (
        *_VALUES,
        *_BLUFFING,
        rule(
            "R-PHYS-1",
            "Ein Wurf, den du anschauen darfst. Liegt er nicht höher und willst du nicht lügen, "
            "darfst du noch einmal würfeln und gibst blind weiter. Wer eröffnet, würfelt nur "
            "einmal.",
            "One throw, which you may look at. If it does not beat what stands and you do not want "
            "to lie, you may throw once more and pass on blind. Who opens throws only once.",
        ),
        rule(
            "R-PHYS-2",
            "Wer gewürfelt hat, darf über ein Mäxchen noch ein Mäxchen ansagen; das geht weiter, "
            "bis jemand zweifelt.",
            "Who has thrown may announce a Mäxchen over a Mäxchen; that goes on until someone "
            "doubts.",
        ),
        rule(
            "R-PHYS-3",
            "Wer glaubt, würfelt, oder erhöht ungesehen: er gibt die Würfel unberührt mit höherer "
            "Ansage weiter. Über ein Mäxchen muss er würfeln.",
            "Who believes throws, or raises unseen: he hands the untouched dice on with a higher "
            "announcement. Over a Mäxchen he must throw.",
        ),
        rule(
            "R-PHYS-4",
            "Eine Strafe ist ein Stamperl. Es sind zwei, wenn das bezweifelte oder das aufgedeckte "
            "ein Mäxchen ist.",
            "A penalty is one glass. It is two if what was doubted or what is lifted is a Mäxchen.",
        ),
        rule(
            "R-PHYS-6",
            "„Mit Luft“ oder „mit viel Luft“ darf zu jeder Ansage gesagt werden. Es bindet "
            "niemanden und darf gelogen sein.",
            "“With air” or “with much air” may be added to any announcement. It binds nobody and "
            "may be a lie.",
        ),
        rule(
            "R-PHYS-7",
            "Die Würfel beim Weitergeben zu bewegen oder verboten nachzuschauen kostet ein "
            "Stamperl, sie fallen zu lassen zwei. Wer den Fehler macht, eröffnet neu.",
            "Moving the dice in passing or a forbidden look costs one glass, dropping them two. "
            "Who made the mistake opens again.",
        ),
        rule("R-PHYS-5", "Niemand scheidet aus.", "Nobody is ever out."),
        _TALLY_ENDS,
        LEAVING,
    ),
    {},
)

HOLY_FAMILY = GameTexts(
    Words(
        "Die Holy Family Edition: drei Würfe, Türme, Richtungswechsel und Strafen für jeden "
        "Fehler.",
        "The Holy Family Edition: three throws, towers, turns of direction, and a price for every "
        "mistake.",
    ),
    (
        *_VALUES,
        *_BLUFFING,
        rule(
            "R-HF-1",
            "Bis zu drei Würfe. Die eigenen ersten beiden darfst du anschauen, den dritten nie. "
            "Weitergeben darfst du nach jedem.",
            "Up to three throws. You may look at your own first two, never at the third. You may "
            "pass on after any of them.",
        ),
        rule(
            "R-HF-2",
            "Nach eigenem Wurf genügt gleich viel, auch Mäxchen auf Mäxchen. Wer ohne zu würfeln "
            "und ohne nachzuschauen weitergibt, muss höher ansagen.",
            "After a throw of your own equal is enough, a Mäxchen on a Mäxchen too. Who hands on "
            "without throwing and looking must announce higher.",
        ),
        rule(
            "R-HF-9",
            "Statt eines Werts darf man „mitgehen“ sagen (dasselbe noch einmal, nur nach eigenem "
            "Wurf) oder „um 1 erhöhen“. Wer nicht aufgepasst hat, muss raten.",
            "Instead of a value one may say “the same again” (only after throwing) or “one more”. "
            "Who did not pay attention must guess.",
        ),
        rule(
            "R-HF-5",
            "Fehler kosten einen Punkt: verboten nachschauen, die Würfel beim Weitergeben bewegen, "
            "eine unzulässige Ansage, Fallenlassen (zwei, wenn ein Mäxchen angesagt ist). Falsch "
            "herum weitergeben kostet den Geber einen und den Nachbarn, wenn er den Becher nimmt.",
            "Mistakes cost a point: a forbidden look, moving the dice in passing, an inadmissible "
            "announcement, dropping (two while a Mäxchen stands). Passing the wrong way costs the "
            "passer one, and the neighbour one if he takes the cup.",
        ),
        rule(
            "R-HF-8",
            "Liegen die Würfel aufeinander, ist es ein Turm. Wer ihn sieht, darf ihn allen zeigen "
            "und würfelt neu; der Wurf zählt wie der gezeigte. Wird ein dritter Wurf aufgedeckt, "
            "ist ein Turm und war gelogen, so würfelt der Ansager ungesehen neu, statt zu zahlen, "
            "und derselbe Nachbar kann nur zweifeln.",
            "Dice on top of each other are a tower. Who sees one may show it to all and throws "
            "again; that throw has the number of the shown one. If a lifted third throw is a tower "
            "and was a lie, the announcer throws again unseen instead of paying, and the same "
            "neighbour may only doubt.",
        ),
        rule(
            "R-HF-7",
            "Wird ein Mäxchen aufgedeckt, dreht sich die Richtung um und bleibt so bis zum "
            "nächsten.",
            "When a Mäxchen is lifted the direction turns round and stays so until the next one.",
        ),
        rule(
            "R-HF-3",
            "Jede Strafe ist ein Punkt, zwei, wenn ein angesagtes Mäxchen bezweifelt wurde.",
            "Every penalty is one point, two if an announced Mäxchen was doubted.",
        ),
        rule(
            "R-HF-6",
            "Wer zuletzt bestraft wurde, eröffnet; von zweien der, der falsch weitergegeben hat.",
            "Who was penalised last opens; of two the one who passed the wrong way.",
        ),
        rule(
            "R-HF-4",
            "Wer die Punktzahl erreicht, hat verloren. Sind zwei Verlierer vereinbart, setzt der "
            "erste aus, und der zweite beendet das Spiel.",
            "Who reaches the points has lost. If two losers are agreed, the first sits out and the "
            "second ends the match.",
        ),
        rule(
            "R-HF-10",
            "Nur Brauch: oft wird mit 65 eröffnet, die niemand bezweifelt, und einen hohen Wert "
            "zieht man in die Länge: „Viiiiieeeererpasch“.",
            "Only custom: rounds are often opened with 65, which nobody doubts, and a high value "
            "is drawn out: “Viiiiieeeererpasch”.",
        ),
        LEAVING,
    ),
    {
        "points": Words("Bei so vielen Punkten ist verloren.", "So many points lose."),
        "losers": Words(
            "Wie viele verlieren; zwei brauchen drei Spieler oder mehr.",
            "How many lose; two need three players or more.",
        ),
        "tower_one_in": Words(
            "Einer von so vielen Würfen ist ein Turm.", "One throw in so many is a tower."
        ),
    },
)
