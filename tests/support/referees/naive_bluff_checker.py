"""An outside referee for the bluff games, from the rule book and the pages of the variants.

It shares no code with the project: words, plain lists and one big ``do``. ``Referee(rules, players,
first)`` takes the fields of the rules as a dict, and actions as a record has them. ``judge(lines)``
takes a log's lines, header first, and needs the dice of every roll, lift and tower. It knows all
house rules of ``class`` and ``physicist``.
"""

ORDER = [f"{high}{low}" for high in range(3, 7) for low in range(1, high)]
ORDER += ["11", "22", "33", "44", "55", "66", "21"]
USUAL = {"opener": "loser", "hand_on": "higher", "equal": "none", "reverses": "never"}
USUAL |= {"ranking": "usual", "swim": True, "maexchen_true": 2, "maexchen_false": 2}
USUAL |= dict.fromkeys(("show", "give_in", "own_up", "free_doubt", "mexican", "free_maexchen"))
BOOK = {
    "class": {"show": True, "give_in": True, "own_up": True}
    | {"maexchen_true": 1, "maexchen_false": 1},
    "physicist": {"equal": "maexchen"},
    "holy-family": {"equal": "any", "reverses": "lasting"},
}
"""The house rules of each game that differ from the usual ones."""


def judge(lines):
    """Judge a record. Returns what it came to; ``disagreement`` is None or the first objection."""
    header = lines[0]
    rules, count = header["rules"], len(header["players"])
    referee = Referee(rules, count, header["first"])
    if not 2 + (rules["game"] == "class") <= count <= 9:
        referee.disagreement = f"line 1: {count} players"
    for number, line in enumerate(lines[1:], start=2):
        objection = referee.objection(line) or referee.misread(line)
        if objection:
            referee.disagreement = f"line {number}: {line['action']}: {objection}"
            break
        referee.do(line)
    return referee


def order_of(name):
    """The ladder as the variants' pages list it."""
    moved = {"meyer": ("31", -1), "ones": ("11", -1), "half": ("42", -1), "double": ("42", 0)}
    ladder = list(ORDER)
    if name in moved:
        value, back = moved[name]
        ladder.remove(value)
        ladder.insert(len(ladder) + back, value)
    return ladder


def shown(dice):
    return "".join(map(str, sorted(dice or (), reverse=True)))


class Referee:
    def __init__(self, rules, players, first):
        self.game = rules["game"]
        self.rules = {**USUAL, **BOOK[self.game], **rules}
        self.family = self.game == "holy-family"
        self.players, self.ladder = players, order_of(self.rules["ranking"])
        lives = rules["credit"] if rules["stakes"] == "matches" else 0
        self.paid, self.matches = [0] * players, [lives] * players
        self.out, self.gone, self.losers, self.over = [], set(), [], False
        self.way, self.rounds, self.rolls, self.disagreement = 1, 0, 0, None
        self.open(first)

    def open(self, seat):
        """Begin a round, with a seat or the next one that is still there."""
        self.opener = self.turn = self.beside(seat) if seat in self.gone else seat
        self.rounds += 1
        self.standing, self.speaker, self.spoke_after, self.astray = None, None, 0, False
        self.dice, self.tower, self.thrown, self.peeked, self.due = None, False, 0, False, "throw"

    def seated(self):
        return [seat for seat in range(self.players) if seat not in self.gone]

    def beside(self, seat, way=None):
        while True:
            seat = (seat + (way or self.way)) % self.players
            if seat not in self.gone:
                return seat

    def came_astray(self):
        return self.astray and len(self.seated()) > 2

    def high(self, value):
        """Whether a value is a Mäxchen, or above it."""
        return self.ladder.index(value) >= self.ladder.index("21")

    def again(self, value):
        """Whether a value may follow itself after a throw."""
        return self.rules["equal"] == "any" or (self.rules["equal"] == "maexchen" and value == "21")

    # what may be done

    def can(self, line):
        return self.objection(line) is None

    def objection(self, line):
        """The rule that an action breaks, in words; None if it breaks none."""
        kind, due, rules = line["action"], self.due, self.rules
        saw = due == "holding" and self.peeked
        if self.over:
            return "the match is over"
        if kind == "leave":
            return None if line["seat"] in self.seated() else "nobody sits there"
        if kind == "void_round":
            return None if due != "throw" else "there is no round to void"
        if kind == "fault" and self.game != "class":
            return self.no_fault(line)
        if kind == "roll":
            once = self.game == "physicist" and self.standing is None
            again = due == "holding" and self.thrown < (1 if once else rules["rolls"])
            ready = due in ("throw", "taken", "shown", "spared")
            return None if ready or again else "no roll is due"
        if kind == "look":
            seen = due != "holding" or self.thrown > rules["looks"] or self.peeked
            return "no look is due" if seen else None
        if kind == "announce" or (kind == "say" and self.family):
            if due not in ("holding", "taken"):
                return "nothing can be announced"
            if kind == "announce" and str(line["value"]) not in self.ladder:
                return "no dice show this"
            if self.is_higher(self.said(line)):
                alone = not self.family or len(self.seated()) == 2
                return "there is no wrong way" if line.get("wrong_way") and alone else None
            return None if self.family else f"it does not beat {self.standing}"
        if kind in ("believe", "doubt", "give_in", "refuse"):
            if due != "answer":
                return "nothing is offered"
            last = self.standing == self.ladder[-1] and not self.again(self.standing)
            surrender = rules["give_in"] and self.high(self.standing)
            may = {"believe": not last, "give_in": surrender, "refuse": self.came_astray()}
            return None if may.get(kind, True) else f"nobody may {kind} here"
        allowed = {
            "stop_match": True,
            "end_match": rules["stakes"] == "drinks" and due == "throw" and self.rounds > 1,
            "lift": due == "lift",
            "show_maexchen": saw and self.dice == "21" and rules["show"],
            "show_tower": saw and self.tower,
            "own_up": due == "holding" and self.standing is not None and rules["own_up"],
        }
        told = {"lift": "nobody has doubted", "end_match": "the match cannot be ended here"}
        if kind not in allowed:
            return "unknown to this game"
        return None if allowed[kind] else told.get(kind, "nothing was seen that allows it")

    def misread(self, line):
        """The fault of the dice of a line; None if they have none."""
        kind, dice = line["action"], line.get("dice") or ()
        if kind == "roll" and not (len(dice) == 2 and set(dice) <= set(range(1, 7))):
            return "these are no two dice"
        if kind == "lift" and shown(dice) != self.dice:
            return f"lifted {dice}, but {self.dice} was rolled"
        return None

    def no_fault(self, line):
        offered, kind = self.due == "answer", line["kind"]
        other = kind == "other" and line["seat"] in self.seated()
        who = self.speaker if offered else self.turn
        if self.due in ("throw", "shown", "spared") or not (line["seat"] == who or other):
            return "no fault of his"
        if kind == "move" and not offered:
            return "the cup is not being passed"
        own = self.spoke_after if offered else self.thrown
        if kind == "look" and (self.due == "lift" or 1 <= own <= self.rules["looks"]):
            return "he may look"
        return None

    def said(self, line):
        """The value that is announced; None for words that mean none here."""
        if line["action"] == "announce":
            return str(line["value"])
        if self.standing and line["words"] == "one_more":
            return [*self.ladder, None][self.ladder.index(self.standing) + 1]
        return self.standing

    def is_higher(self, value):
        """Whether a value may be announced after the one that stands."""
        if value is None or self.standing is None:
            return value is not None
        gap = self.ladder.index(value) - self.ladder.index(self.standing)
        if self.due == "holding":
            if self.rules["free_maexchen"] and self.peeked and self.dice == "21":
                return True
            return gap > 0 or (gap == 0 and self.again(value))
        how = self.rules["hand_on"]
        if how == "once":
            return gap > 0 and 1 <= self.spoke_after <= self.rules["looks"]
        return how != "never" and (gap > 0 or (gap == 0 and how == "as_high"))

    # what comes of it

    def do(self, line):
        kind, seat, rules = line["action"], self.turn, self.rules
        if kind == "roll":
            self.dice, self.tower = shown(line["dice"]), line.get("tower", False)
            self.rolls, self.peeked = self.rolls + 1, False
            if self.due == "spared":
                self.turn, self.due = self.beside(self.speaker), "lift"
            else:
                self.thrown, self.due = self.thrown + 1, "holding"
        elif kind == "look":
            self.peeked = True
        elif kind in ("announce", "say"):
            self.offer(self.said(line), line.get("wrong_way", False))
        elif kind in ("believe", "doubt", "refuse") and self.came_astray():
            self.charge((self.speaker, 1), *([(seat, 1)] if kind != "refuse" else []))
        elif kind in ("believe", "doubt"):
            self.due = "taken" if kind == "believe" else "lift"
        elif kind in ("give_in", "own_up"):
            self.turn_round(False)
            self.charge((seat, 1), winner=self.speaker)
        elif kind == "show_maexchen":
            victim = self.beside(seat)
            self.turn_round(rules["reverses"] != "never")
            self.charge((victim, 1), winner=seat)
        elif kind == "show_tower":
            self.due, self.thrown, self.dice, self.tower = "shown", self.thrown - 1, None, False
        elif kind == "lift":
            self.lifted(seat)
        elif kind == "fault":
            dear = line["kind"] == "drop" and (not self.family or self.standing == "21")
            self.charge((line["seat"], 2 if dear else 1))
        elif kind == "leave":
            self.leaves(line["seat"])
        elif kind == "void_round":
            self.open(self.opener)
        elif kind == "end_match":
            most = max(self.paid[each] for each in self.seated())
            self.losers = [each for each in self.seated() if self.paid[each] == most]
        self.over = self.over or kind in ("stop_match", "end_match")

    def offer(self, said, wrong_way):
        if not self.is_higher(said):
            self.charge((self.turn, 1))
            return
        self.standing, self.speaker, self.astray = said, self.turn, wrong_way
        self.turn = self.beside(self.turn, -self.way if wrong_way else self.way)
        self.due, self.spoke_after, self.thrown, self.peeked = "answer", self.thrown, 0, False

    def lifted(self, seat):
        rules = self.rules
        real, said = self.ladder.index(self.dice), self.ladder.index(self.standing)
        lying = real != said if rules["understating"] == "lie" else real < said
        if self.tower and lying and self.spoke_after == 3:
            self.due, self.turn, self.dice, self.tower = "spared", self.speaker, None, False
            return
        double = self.high(self.standing)
        double = double or (self.game == "physicist" and self.dice == "21")
        price = rules["maexchen_false" if lying else "maexchen_true"] if double else 1
        loser, winner = (self.speaker, seat) if lying else (seat, self.speaker)
        reversing = (self.dice == "21" and rules["reverses"] != "never") or (
            self.dice == "32" and rules["mexican"]
        )
        self.turn_round(reversing)
        if self.dice == "31" and rules["mexican"]:
            for each in self.seated():
                self.paid[each] += each != loser
        elif rules["free_doubt"] and not lying:
            price = 0
        self.charge((loser, price), winner=winner)

    def turn_round(self, now):
        if now and len(self.seated()) > 2:
            self.way = -self.way
        elif self.rules["reverses"] == "once":
            self.way = 1

    def leaves(self, seat):
        self.gone.add(seat)
        if len(self.seated()) == 1:
            self.over = True
        elif seat == self.speaker or (seat == self.turn and self.due != "answer"):
            self.open(seat)
        elif seat == self.turn:
            self.turn = self.beside(self.speaker, -self.way if self.came_astray() else self.way)

    def charge(self, *bills, winner=None):
        """Let seats pay; the first of them has lost the round."""
        rules = self.rules
        most_out = rules["losers"] if self.family else 1 if rules["ends"] == "first_out" else None
        for seat, price in bills:
            full = False
            if rules["stakes"] == "matches":
                afloat = self.matches[seat] > 0
                price = min(price, self.matches[seat]) if afloat else 1
                self.matches[seat] -= price * afloat
                full = not afloat or (self.matches[seat] == 0 and not rules["swim"])
            self.paid[seat] += price
            if self.family:
                full = self.paid[seat] >= rules["points"] and len(self.out) < most_out
            if full:
                self.out.append(seat)
                self.gone.add(seat)
        if len(self.out) == most_out or len(self.seated()) == 1:
            self.over, self.losers = True, self.out
            return
        loser = bills[0][0]
        begins = {"loser": loser, "winner": winner, "next": None}[rules["opener"]]
        self.open(self.beside(loser) if begins is None else begins)
