"""An outside referee for tables with house rules, from the rule book and the pages of the variants.

It shares no code with the project: words, plain lists and one big ``do``. It knows the cup with two
dice, lives or drinks; no words, towers or points. ``House(rules, players, first)`` takes the fields
of the rules as a dict; actions are dicts as a record has them.
"""

ORDER = "31 32 41 42 43 51 52 53 54 61 62 63 64 65".split()  # noqa: SIM905 - as pages list them
ORDER += ["11", "22", "33", "44", "55", "66", "21"]


def order_of(name):
    """The ladder as the variants' pages list it."""
    moved = {"meyer": ("31", -1), "ones": ("11", -1), "half": ("42", -1), "double": ("42", 0)}
    ladder = list(ORDER)
    if name in moved:
        value, back = moved[name]
        ladder.remove(value)
        ladder.insert(len(ladder) + back, value)
    return ladder


class House:
    def __init__(self, rules, players, first):
        self.rules, self.players = rules, players
        self.ladder = order_of(rules["ranking"])
        self.paid = [0] * players
        self.lives = [rules["credit"]] * players
        self.gone, self.losers, self.way, self.rounds = [], None, "clockwise", 0
        self.open(first)

    def open(self, seat):
        self.opener = self.turn = seat
        self.rounds += 1
        self.standing, self.speaker, self.spoke_after = None, None, 0
        self.dice, self.thrown, self.peeked, self.due = None, 0, False, "throw"

    def beside(self, seat):
        circle = list(range(self.players))
        if self.way != "clockwise":
            circle.reverse()
        here = circle.index(seat)
        return next(each for each in circle[here + 1 :] + circle[:here] if each not in self.gone)

    def high(self, value):
        """Whether a value is a Mäxchen, or above it."""
        return self.ladder.index(value) >= self.ladder.index("21")

    def again(self, value):
        """Whether a value may follow itself after a throw."""
        return self.rules["equal"] == "any" or (self.rules["equal"] == "maexchen" and value == "21")

    def can(self, action):
        rules, kind = self.rules, action["action"]
        if self.losers is not None:
            return False
        if kind == "end_match":
            return rules["stakes"] == "drinks" and self.due == "throw" and self.rounds > 1
        if kind == "roll":
            if self.due in ("throw", "taken"):
                return True
            once = rules["game"] == "physicist" and self.standing is None
            return self.due == "holding" and self.thrown < (1 if once else rules["rolls"])
        if kind == "look":
            return self.due == "holding" and self.thrown <= rules["looks"] and not self.peeked
        if kind == "announce":
            return self.due in ("holding", "taken") and self.may_say(str(action["value"]))
        if kind in ("believe", "doubt", "give_in"):
            if self.due != "answer":
                return False
            last = self.standing == self.ladder[-1] and not self.again(self.standing)
            surrender = rules["give_in"] and self.high(self.standing)
            return {"believe": not last, "doubt": True, "give_in": surrender}[kind]
        if kind == "lift":
            return self.due == "lift"
        if kind == "show_maexchen":
            return self.due == "holding" and self.peeked and self.dice == "21" and rules["show"]
        if kind == "own_up":
            return self.due == "holding" and self.standing is not None and rules["own_up"]
        return False

    def may_say(self, value):
        if self.standing is None:
            return True
        gap = self.ladder.index(value) - self.ladder.index(self.standing)
        if self.due == "holding":
            if self.rules["free_maexchen"] and self.peeked and self.dice == "21":
                return True
            return gap > 0 or (gap == 0 and self.again(value))
        how = self.rules["hand_on"]
        if how == "once":
            return gap > 0 and 1 <= self.spoke_after <= self.rules["looks"]
        return how != "never" and (gap > 0 or (gap == 0 and how == "as_high"))

    def do(self, action):
        kind, seat, rules = action["action"], self.turn, self.rules
        if kind == "roll":
            self.dice = "".join(str(die) for die in sorted(action["dice"], reverse=True))
            self.thrown, self.peeked, self.due = self.thrown + 1, False, "holding"
        elif kind == "look":
            self.peeked = True
        elif kind == "announce":
            self.standing, self.speaker, self.spoke_after = str(action["value"]), seat, self.thrown
            self.turn, self.due, self.thrown, self.peeked = self.beside(seat), "answer", 0, False
        elif kind == "believe":
            self.due = "taken"
        elif kind == "doubt":
            self.due = "lift"
        elif kind in ("give_in", "own_up"):
            self.turn_round(False)
            self.charge(seat, 1, self.speaker)
        elif kind == "show_maexchen":
            victim = self.beside(seat)
            self.turn_round(rules["reverses"] != "never")
            self.charge(victim, 1, seat)
        elif kind == "lift":
            self.lifted(seat)
        elif kind == "end_match":
            stay = [each for each in range(self.players) if each not in self.gone]
            most = max(self.paid[each] for each in stay)
            self.losers = [each for each in stay if self.paid[each] == most]

    def lifted(self, seat):
        rules = self.rules
        real, said = self.ladder.index(self.dice), self.ladder.index(self.standing)
        lying = real != said if rules["understating"] == "lie" else real < said
        double = self.high(self.standing)
        double = double or (rules["game"] == "physicist" and self.dice == "21")
        price = rules["maexchen_false" if lying else "maexchen_true"] if double else 1
        loser, winner = (self.speaker, seat) if lying else (seat, self.speaker)
        reversing = (self.dice == "21" and rules["reverses"] != "never") or (
            self.dice == "32" and rules["mexican"]
        )
        self.turn_round(reversing)
        if self.dice == "31" and rules["mexican"]:
            for each in range(self.players):
                if each not in self.gone and each != loser:
                    self.paid[each] += 1
        elif rules["free_doubt"] and not lying:
            price = 0
        self.charge(loser, price, winner)

    def turn_round(self, now):
        if now and self.players - len(self.gone) > 2:
            self.way = "clockwise" if self.way != "clockwise" else "against"
        elif self.rules["reverses"] == "once":
            self.way = "clockwise"

    def charge(self, loser, price, winner):
        rules = self.rules
        if rules["stakes"] == "matches":
            afloat = self.lives[loser] > 0
            price = min(price, self.lives[loser]) if afloat else 1
            self.lives[loser] -= price
            if self.lives[loser] < 0 or (self.lives[loser] == 0 and not rules["swim"]):
                self.gone.append(loser)
        self.paid[loser] += price
        done = 1 if rules["ends"] == "first_out" else self.players - 1
        if rules["stakes"] == "matches" and len(self.gone) == done:
            self.losers = list(self.gone)
            return
        begins = {"loser": loser, "winner": winner, "next": None}[rules["opener"]]
        if begins is None:
            begins = self.beside(loser)
        self.open(self.beside(begins) if begins in self.gone else begins)
