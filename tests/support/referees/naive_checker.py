"""An independent referee for logs of `class`: it judges every line again, from the rule book.

It shares no code with the project: plain variables that change, one long loop, its own ranking.
``judge(lines)`` takes a log's lines as dicts (``json.loads`` of each), header first, and returns
a Verdict. It needs the dice: every roll and every lift of the log must say what fell.
"""

from typing import NamedTuple

LADDER = [str(value) for value in (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65)]
LADDER += ["11", "22", "33", "44", "55", "66", "21"]


class Verdict(NamedTuple):
    """What the referee makes of a record.

    ``over`` tells whether the match has ended. ``losers`` are the seats that lost, in the order
    they went out (or by seat, if they share the most drinks). ``out`` went out, in order; ``left``
    left the table, in order. ``matches`` are left by seat (all 0 with drinks), ``paid`` are the
    penalties by seat. ``rounds`` and ``rolls`` are counted from 1 and 0. ``disagreement`` is a
    sentence about the first line that the referee would not have let pass, or None.
    """

    over: bool
    losers: list[int]
    out: list[int]
    left: list[int]
    matches: list[int]
    paid: list[int]
    rounds: int
    rolls: int
    disagreement: str | None


def judge(lines):
    """Judge a log of `class`: a sequence of dicts, header first. Returns a Verdict."""
    header = lines[0]
    rules = header["rules"]
    count = len(header["players"])
    drinking = rules["stakes"] == "drinks"

    matches = [0 if drinking else rules["credit"]] * count
    paid = [0] * count
    gone = [False] * count
    out, left, losers, disagreement = [], [], [], None
    rounds, rolls, over = 1, 0, False

    opener = turn = header["first"]  # turn: whose move it is
    state = "empty cup"
    dice = None  # as last rolled, sorted
    standing = speaker = None  # the announcement and who made it
    thrown = 0  # how often the holder has rolled
    peeked = False

    if not 3 <= count <= 8:
        disagreement = f"line 1: {count} players"

    def after(seat):
        while True:
            seat = (seat + 1) % count
            if not gone[seat]:
                return seat

    def new_round(seat):
        nonlocal rounds, opener, turn, state, dice, standing, speaker, thrown, peeked
        rounds += 1
        opener = turn = seat
        state, dice, standing, speaker, thrown, peeked = "empty cup", None, None, None, 0, False

    def punish(seat):
        nonlocal over
        paid[seat] += 1
        if drinking or matches[seat] > 0:
            if not drinking:
                matches[seat] -= 1
            new_round(seat)
            return
        gone[seat] = True
        out.append(seat)
        if rules["ends"] == "first_out" or gone.count(False) == 1:
            losers.extend(out)
            over = True
        else:
            new_round(after(seat))

    for number, line in enumerate(lines[1:], start=2):
        what = line["action"]
        wrong = None
        if over:
            wrong = "the match is over"

        elif what == "leave":
            seat = line["seat"]
            if not 0 <= seat < count or gone[seat]:
                wrong = "nobody sits there"
            else:
                gone[seat] = True
                left.append(seat)
                if gone.count(False) == 1:
                    over = True
                elif seat == speaker or (seat == turn and state != "offered"):
                    new_round(after(seat))
                elif seat == turn:
                    turn = after(seat)
        elif what == "void_round":
            if state == "empty cup":
                wrong = "there is no round to void"
            else:
                new_round(after(opener) if gone[opener] else opener)
        elif what == "stop_match":
            over = True
        elif what == "end_match":
            if not drinking or state != "empty cup" or rounds == 1:
                wrong = "the match cannot be ended here"
            else:
                over = True
                still = [seat for seat in range(count) if not gone[seat]]
                most = max(paid[seat] for seat in still)
                losers.extend(seat for seat in still if paid[seat] == most)

        elif what == "roll":
            if state not in ("empty cup", "accepted", "thrown") or thrown == 2:
                wrong = "no roll is due"
            elif (
                not line["dice"]
                or len(line["dice"]) != 2
                or not set(line["dice"]) <= set(range(1, 7))
            ):
                wrong = "these are no two dice"
            else:
                dice = sorted(line["dice"])
                rolls += 1
                thrown += 1
                peeked = False
                state = "thrown"
        elif what == "look":
            if state != "thrown" or thrown != 1 or peeked:
                wrong = "no look is due"
            peeked = True
        elif what == "announce":
            said = str(line["value"])
            if state not in ("thrown", "accepted"):
                wrong = "nothing can be announced"
            elif said not in LADDER:
                wrong = "no dice show this"
            elif standing is not None and LADDER.index(said) <= LADDER.index(standing):
                wrong = f"{said} does not beat {standing}"
            else:
                standing, speaker = said, turn
                state, turn, thrown, peeked = "offered", after(turn), 0, False
        elif what == "show_maexchen":
            if state != "thrown" or not peeked or dice != [1, 2]:
                wrong = "no Mäxchen was seen"
            else:
                punish(after(turn))
        elif what == "own_up":
            if state != "thrown" or standing is None:
                wrong = "there is nothing to own up to"
            else:
                punish(turn)

        elif what == "believe":
            if state != "offered" or standing == "21":
                wrong = "there is nothing to believe"
            state = "accepted"
        elif what == "doubt":
            if state != "offered":
                wrong = "there is nothing to doubt"
            state = "doubted"
        elif what == "give_in":
            if state != "offered" or standing != "21":
                wrong = "there is nothing to give in to"
            else:
                punish(turn)
        elif what == "lift":
            if state != "doubted":
                wrong = "nobody has doubted"
            elif not line["dice"] or sorted(line["dice"]) != dice:
                wrong = f"lifted {line['dice']}, but {dice} was rolled"
            else:
                shown = f"{dice[1]}{dice[0]}"
                if rules["understating"] == "lie":
                    lied = standing != shown
                else:
                    lied = LADDER.index(standing) > LADDER.index(shown)
                punish(speaker if lied else turn)
        else:
            wrong = "unknown to this game"

        if wrong:
            disagreement = f"line {number}: {what}: {wrong}"
            break

    return Verdict(over, losers, out, left, matches, paid, rounds, rolls, disagreement)
