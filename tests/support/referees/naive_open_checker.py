"""An independent referee for logs of `maxen`, `chicago` and `sevens`, from the rule book alone.

It shares no code with the project: plain variables that change. ``judge(lines)`` takes a log's
lines as dicts, header first, and needs the dice of every throw, covered ones too. Nobody may leave.
"""

from itertools import combinations
from types import SimpleNamespace


def judge(lines):
    """Judge a record. Returns what it came to; ``disagreement`` is None or the first objection."""
    referee = Referee(lines[0])
    for number, line in enumerate(lines[1:], start=2):
        objection = "the match is over" if referee.over else referee.step(line)
        if objection:
            referee.disagreement = f"line {number}: {line['action']}: {objection}"
            break
    return referee


def rank_in_maxen(dice):
    """M-1, best first: General, Max, Pasch, Strasse, Schiet."""
    high, middle, low = sorted(dice, reverse=True)
    if dice.count(1) == 3:
        return (5, 0)
    if dice.count(1) == 2:
        return (4, high)
    if high == low:
        return (3, 0)
    if (high, middle) == (low + 2, low + 1):
        return (2, 0)
    return (1, int(f"{high}{middle}{low}"))


def worth_in_maxen(dice):
    place, number = rank_in_maxen(dice)
    return {4: number, 3: 3, 2: 2, 1: 1}[place]


def sum_in_chicago(dice):
    return sum({1: 100, 6: 60}.get(die, die) for die in dice)


def left_in_sevens(dice, any_number):
    """Return the least rest of a throw of sevens, by trying everything."""
    sizes = range(1, len(dice) + 1) if any_number else (2,)
    left = sum(dice)
    for size in sizes:
        for group in combinations(range(len(dice)), size):
            if sum(dice[place] for place in group) == 7:
                rest = [die for place, die in enumerate(dice) if place not in group]
                left = min(left, left_in_sevens(rest, any_number))
    return left


class Referee:
    def __init__(self, header):
        rules = header["rules"]
        self.game = rules["game"]
        self.rules = rules
        self.count = len(header["players"])
        self.disagreement, self.over, self.losers = None, False, []
        self.paid = [0] * self.count
        self.pile, self.gone, self.stage, self.half = rules.get("coasters", 0), 0, 1, 1
        self.lost, self.resting, self.safe = [], set(), set()
        self.rounds, self.deciding = 0, False
        first = header["first"]
        self.order = [(first + place) % self.count for place in range(self.count)]
        self.leader = None
        self.sums = {}
        self.state = "lead"

    # the course of a round

    def seats(self):
        return [s for s in range(self.count) if s not in self.resting and s not in self.safe]

    def begin(self, leader):
        seats = self.seats()
        while leader not in seats:
            leader = (leader + 1) % self.count
        place = seats.index(leader)
        self.order = seats[place:] + seats[:place]
        self.leader, self.rounds = leader, self.rounds + 1
        self.limit = 2 if self.rules.get("seven_dice") else 3
        self.hands, self.covered_turns = {}, {}
        self.turn_of(leader)

    def turn_of(self, seat):
        self.turn = SimpleNamespace(seat=seat, throws=0, aside=[], dice=[])
        self.state = "throw"

    def step(self, line):
        what = line["action"]
        if what == "stop_match":
            self.over = True
        elif what == "void_round":
            self.begin(self.leader)
        elif what == "roll":
            return self.roll(line["dice"])
        elif what == "keep":
            return self.keep(line["aside"], line["turned"])
        elif what == "stop":
            if self.state != "decide":
                return "there is no throw to stop on"
            self.done()
        elif what == "lift":
            return self.lift(line["dice"])
        elif what == "give":
            return self.give(line["to"])
        else:
            return "unknown to this game"
        return None

    def roll(self, dice):
        size = (7 if self.rules.get("seven_dice") else 6) if self.game == "sevens" else 3
        if self.state == "lead":
            seat = next(seat for seat in self.order if seat not in self.sums)
            if len(dice) != size:
                return f"{len(dice)} dice"
            self.sums[seat] = sum(dice)
            if len(self.sums) == len(self.order):
                self.lead()
            return None
        turn = self.turn
        again = self.state == "decide" and turn.throws < self.limit
        if self.state != "throw" and not again:
            return "no throw is due"
        if len(dice) != size - len(turn.aside):
            return f"{len(dice)} dice"
        turn.dice = list(dice)
        turn.throws += 1
        covered = self.game == "maxen" and turn.throws == 3
        if not covered and (turn.throws < self.limit or self.bonus()):
            self.state = "decide"
        else:
            self.done(covered)
        return None

    def bonus(self):
        """Whether turned sixes bring another throw after the third."""
        turn = self.turn
        possible = turn.throws == 3 and turn.dice.count(6) in (2, 3)
        return possible and self.game != "sevens" and self.may_follow(turn.aside)

    def may_follow(self, aside):
        return self.game == "maxen" or set(aside) <= {1}

    def keep(self, aside, turned):
        turn = self.turn
        if self.state != "decide" or self.game == "sevens" or not (aside or turned):
            return "nothing can be set aside"
        left = list(turn.dice)
        if turned and turned != {2: 1, 3: 2}.get(left.count(6)):
            return "these sixes cannot be turned"
        for die in [*aside, *[6] * turned]:
            if die not in left:
                return f"there is no {die}"
            left.remove(die)
        if not left or (turned and 6 not in left):
            return "something has to be thrown"
        kept = turn.aside + aside + [1] * turned
        if turn.throws == 3 and not (turned and self.may_follow(kept)):
            return "no throw follows"
        turn.aside, self.state = kept, "throw"
        return None

    def lift(self, dice):
        seat = self.turn.seat
        if self.state != "lift" or sorted(dice) != sorted(self.turn.dice):
            return f"not the dice of seat {seat}: {self.turn.dice}"
        self.hands[seat] = (self.turn.aside + self.turn.dice, False)
        self.state = "decide"
        if not self.bonus():
            self.done()
        return None

    def done(self, covered=False):
        turn = self.turn
        if turn.seat == self.leader and turn.seat not in self.hands:
            self.limit = min(3, turn.throws)
        first_time = turn.seat not in self.hands
        self.hands[turn.seat] = (turn.aside + turn.dice, covered)
        if covered:
            self.covered_turns[turn.seat] = turn
        place = self.order.index(turn.seat) + 1
        if first_time and place < len(self.order):
            self.turn_of(self.order[place])
            return
        for seat in self.order:
            if self.hands[seat][1]:
                self.turn, self.state = self.covered_turns[seat], "lift"
                return
        self.settle()

    # what it comes to

    def lead(self):
        lowest = min(self.sums.values())
        tied = [seat for seat in self.order if self.sums[seat] == lowest]
        self.sums = {}
        if len(tied) == 1:
            self.begin(tied[0])
        else:
            self.order = tied

    def end(self, losers):
        self.over, self.losers = True, losers

    def settle(self):
        dice = {seat: self.hands[seat][0] for seat in self.order}
        if self.game == "sevens":
            many = self.rules.get("seven_dice", False)
            good = {seat: -left_in_sevens(sorted(dice[seat]), many) for seat in self.order}
        else:
            rank = rank_in_maxen if self.game == "maxen" else sum_in_chicago
            good = {seat: rank(dice[seat]) for seat in self.order}
        best = max(self.order, key=lambda seat: good[seat])  # the first of equals
        worst = min(reversed(self.order), key=lambda seat: good[seat])  # the last of equals
        getattr(self, f"settle_{self.game}")(best, worst, dice[best])

    def settle_maxen(self, best, worst, top):
        if top.count(1) == 3:
            self.lose_half(worst)
            return
        if self.stage == 1:
            paid = min(self.pile, worth_in_maxen(top))
            self.pile -= paid
        else:
            paid = min(self.paid[best], worth_in_maxen(top))
            self.paid[best] -= paid
        self.paid[worst] += paid
        if self.pile == 0:
            self.stage = 2
            self.resting |= {seat for seat in self.seats() if not self.paid[seat]}
        if self.seats() == [worst]:
            self.lose_half(worst)
        else:
            self.begin(worst)

    def lose_half(self, seat):
        self.lost.append(seat)
        if self.half == 3 or self.lost.count(seat) == 2:
            self.end([seat])
            return
        self.half += 1
        self.stage, self.pile, self.paid = 1, self.rules["coasters"], [0] * self.count
        self.resting = set(range(self.count)) - set(self.lost) if self.half == 3 else set()
        self.begin(self.lost[0])

    def settle_chicago(self, best, worst, top):
        chicago = top.count(1) == 3
        if self.stage == 1:
            self.pile -= 1
            self.paid[worst] += 1
            if chicago:
                self.leave_safely(best)
        else:
            given = self.paid[best] if chicago else 1
            self.paid[best] -= given
            self.gone += given
            if not self.paid[best]:
                self.leave_safely(best)
        if len(self.seats()) > 1 and self.stage == 1 and self.pile == 0:
            self.stage = 2
            for seat in self.seats():
                if not self.paid[seat]:
                    self.leave_safely(seat)
            rich = [seat for seat in self.seats() if self.paid[seat] >= 3]
            if self.rules["levelling"] and rich and self.with_one() and len(self.seats()) > 1:
                self.giver, self.leader, self.state = rich[0], worst, "level"
                return
        if len(self.seats()) == 1:
            self.end(self.seats())
        else:
            self.begin(worst)

    def with_one(self):
        return [seat for seat in self.seats() if self.paid[seat] == 1]

    def leave_safely(self, seat):
        self.safe.add(seat)
        self.gone += self.paid[seat]
        self.paid[seat] = 0

    def give(self, to):
        if self.state != "level" or (to is not None and to not in self.with_one()):
            return "no coaster can be given so"
        if to is not None:
            self.paid[self.giver] -= 1
            self.paid[to] += 1
        self.begin(self.leader if to is None else to)
        return None

    def settle_sevens(self, best, worst, top):
        if self.deciding:
            self.end([worst])
            return
        self.paid[worst] += 1
        self.lost.append(worst)
        most = [s for s in range(self.count) if self.paid[s] == max(self.paid)]
        if len(self.lost) < self.rules["rounds"]:
            self.begin(worst)
        elif len(most) == 1:
            self.end(most)
        else:
            self.deciding = True
            self.resting = set(range(self.count)) - set(most)
            self.begin([seat for seat in self.lost if seat in most][-1])
