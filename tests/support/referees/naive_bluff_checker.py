"""An independent referee for logs of the three bluff games, from the rule book alone.

It shares no code with the project: plain variables that change and one long loop. ``judge(lines)``
takes a log's lines as dicts, header first, and needs the dice of every roll, lift and tower.
"""

from types import SimpleNamespace

LADDER = [str(value) for value in (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65)]
LADDER += ["11", "22", "33", "44", "55", "66", "21"]


def judge(lines):
    """Judge a record. Returns what it came to; ``disagreement`` is None or the first objection."""
    header = lines[0]
    rules, count = header["rules"], len(header["players"])
    plain, family = (rules["game"] == game for game in ("class", "holy-family"))
    drinking = not plain or rules["stakes"] == "drinks"
    most_out = rules["losers"] if family else 1 if plain and rules["ends"] == "first_out" else count
    table = SimpleNamespace(
        paid=[0] * count, gone=[False] * count, out=[], left=[], losers=[], over=False,
        direction=1, rounds=1, rolls=0, matches=[0 if drinking else rules["credit"]] * count,
        disagreement=None if 2 + plain <= count <= 9 else f"line 1: {count} players",
    )  # fmt: skip
    cup = SimpleNamespace()
    may_roll, may_look = (3, 2) if family else (2, 1)

    def seated():
        return [seat for seat in range(count) if not table.gone[seat]]

    def beside(seat, way):
        while True:
            seat = (seat + way) % count
            if not table.gone[seat]:
                return seat

    def fresh(seat):
        cup.opener = cup.turn = seat
        cup.state, cup.dice, cup.tower = "empty", None, False
        cup.standing = cup.speaker = None
        cup.own, cup.peeked, cup.astray, cup.third = 0, False, False, False

    def next_round(seat):
        table.rounds += 1
        fresh(beside(seat, table.direction) if table.gone[seat] else seat)

    def punish(*bills):
        for seat, price in bills:
            table.paid[seat] += price
            if family:
                full = table.paid[seat] >= rules["points"] and len(table.out) < most_out
            else:
                full = not drinking and table.matches[seat] == 0
                table.matches[seat] -= not drinking and not full
            if full:
                table.out.append(seat)
                table.gone[seat] = True
        if len(table.out) == most_out or len(seated()) == 1:
            table.over, table.losers = True, table.out
        else:
            next_round(bills[0][0])

    def settle():
        """The cup is lifted after a doubt."""
        shown = "".join(map(str, sorted(cup.dice, reverse=True)))
        lied = LADDER.index(shown) < LADDER.index(cup.standing)
        if plain:
            lied = cup.standing != shown if rules["understating"] == "lie" else lied
            punish((cup.speaker if lied else cup.turn, 1))
            return
        if cup.tower and lied and cup.third:
            cup.state, cup.turn, cup.dice, cup.tower = "spared", cup.speaker, None, False
            return
        dear = cup.standing == "21" or (not family and shown == "21")
        if family and shown == "21" and len(seated()) > 2:
            table.direction = -table.direction
        punish((cup.speaker if lied else cup.turn, 2 if dear else 1))

    def offer(said, wrong_way):
        """Pass the cup on with a value, or with None for words that mean nothing here."""
        if said is None or (cup.standing and not admissible(said)):
            if not family:
                return f"{said} does not beat {cup.standing}"
            punish((cup.turn, 1))
            return None
        if wrong_way and (not family or len(seated()) == 2):
            return "there is no wrong way"
        cup.third = family and cup.own == 3
        cup.reach = cup.own  # how many rolls of his own the speaker may have looked at
        cup.standing, cup.speaker, cup.astray = said, cup.turn, wrong_way
        cup.turn = beside(cup.turn, -table.direction if wrong_way else table.direction)
        cup.state, cup.own, cup.peeked = "offered", 0, False
        return None

    def admissible(said):
        higher = LADDER.index(said) > LADDER.index(cup.standing)
        again = said == cup.standing and cup.own > 0 and (family or (not plain and said == "21"))
        return higher or again

    def step(line):
        what, held = line["action"], cup.state in ("thrown", "accepted")
        if what == "leave":
            seat = line["seat"]
            if seat not in seated():
                return "nobody sits there"
            table.gone[seat] = True
            table.left.append(seat)
            if len(seated()) == 1:
                table.over = True
            elif seat == cup.speaker or (seat == cup.turn and cup.state != "offered"):
                next_round(seat)
            elif seat == cup.turn and cup.state == "offered":
                astray = cup.astray and len(seated()) > 2
                cup.turn = beside(cup.speaker, -table.direction if astray else table.direction)
        elif what == "void_round":
            if cup.state == "empty":
                return "there is no round to void"
            next_round(cup.opener)
        elif what == "stop_match":
            table.over = True
        elif what == "end_match":
            if family or not drinking or cup.state != "empty" or table.rounds == 1:
                return "the match cannot be ended here"
            most = max(table.paid[seat] for seat in seated())
            table.losers = [seat for seat in seated() if table.paid[seat] == most]
            table.over = True
        elif what == "fault" and not plain:
            who = cup.speaker if cup.state == "offered" else cup.turn
            other = line["kind"] == "other" and line["seat"] in seated()
            if cup.state in ("empty", "shown", "spared") or not (line["seat"] == who or other):
                return "no fault of his"
            price = 1
            if line["kind"] == "drop":
                price = 2 if not family or cup.standing == "21" else 1
            elif line["kind"] == "move" and cup.state != "offered":
                return "the cup is not being passed"
            elif line["kind"] == "look":
                own = cup.reach if cup.state == "offered" else cup.own
                if cup.state == "doubted" or 1 <= own <= may_look:
                    return "he may look"
            punish((line["seat"], price))
        elif what == "roll":
            again = cup.state in ("shown", "spared")
            opener_again = not (plain or family) and cup.own == 1 and cup.standing is None
            if not (held or again or cup.state == "empty") or cup.own == may_roll or opener_again:
                return "no roll is due"
            cup.dice, cup.tower = line["dice"], line.get("tower", False)
            if not cup.dice or len(cup.dice) != 2 or not set(cup.dice) <= set(range(1, 7)):
                return "these are no two dice"
            table.rolls += 1
            cup.peeked = False
            if cup.state == "spared":
                cup.turn, cup.state = beside(cup.speaker, table.direction), "doubted"
            else:
                cup.own += 1
                cup.state = "thrown"
        elif what == "look":
            if cup.state != "thrown" or cup.own > may_look or cup.peeked:
                return "no look is due"
            cup.peeked = True
        elif what == "show_tower":
            if cup.state != "thrown" or not cup.peeked or not cup.tower:
                return "no tower was seen"
            cup.state, cup.own, cup.dice, cup.tower = "shown", cup.own - 1, None, False
        elif what == "announce":
            if not held:
                return "nothing can be announced"
            if str(line["value"]) not in LADDER:
                return "no dice show this"
            return offer(str(line["value"]), line.get("wrong_way", False))
        elif what == "say":
            if not held or not family:
                return "nothing can be said"
            said = cup.standing
            if said and line["words"] == "one_more":
                said = [*LADDER, None][LADDER.index(said) + 1]
            return offer(said, line.get("wrong_way", False))
        elif what == "show_maexchen" and plain:
            if cup.state != "thrown" or not cup.peeked or sorted(cup.dice) != [1, 2]:
                return "no Mäxchen was seen"
            punish((beside(cup.turn, 1), 1))
        elif what == "own_up" and plain:
            if cup.state != "thrown" or cup.standing is None:
                return "there is nothing to own up to"
            punish((cup.turn, 1))
        elif what == "lift":
            if cup.state != "doubted":
                return "nobody has doubted"
            if sorted(line["dice"] or ()) != sorted(cup.dice):
                return f"lifted {line['dice']}, but {cup.dice} was rolled"
            settle()
        elif what in ("believe", "doubt", *(["give_in"] if plain else ["refuse"])):
            if cup.state != "offered":
                return "nothing is offered"
            if plain and what != "doubt" and (what == "give_in") is not (cup.standing == "21"):
                return "a Mäxchen is given in to, and nothing else"
            if what == "give_in":
                punish((cup.turn, 1))
                return None
            astray = cup.astray and len(seated()) > 2
            if what == "refuse" and not astray:
                return "it came the right way"
            if astray:
                punish((cup.speaker, 1), *([(cup.turn, 1)] if what != "refuse" else []))
            else:
                cup.state = "accepted" if what == "believe" else "doubted"
        else:
            return "unknown to this game"
        return None

    fresh(header["first"])
    for number, line in enumerate(lines[1:], start=2):
        objection = "the match is over" if table.over else step(line)
        if objection:
            table.disagreement = f"line {number}: {line['action']}: {objection}"
            break
    return table
