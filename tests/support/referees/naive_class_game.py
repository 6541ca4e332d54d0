"""`class` written the plain way: one mutable object, no frozen state, no replay, nothing hidden.

The yardstick for the speed of the rules core: ``playout`` does the same work as
``game.explore.playout`` (list what is legal, choose, roll, apply, until over) and draws from the
source of chance in the same order, so that one seed gives one and the same match in both.
It covers the default options and shares no code with the project.
"""

LADDER = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21)
ALL_DICE = [(a, b) for a in range(1, 7) for b in range(1, 7)]


class NaiveClassGame:
    """A match of ``players`` seats; ``loser`` is None until it is over."""

    def __init__(self, players, first=0):
        self.players = players
        self.matches = [3] * players
        self.penalties = [0] * players
        self.loser = None
        self.begin_round(first)

    def begin_round(self, opener):
        self.turn = opener
        self.phase = "opening"
        self.announced = None
        self.announcer = None
        self.dice = None
        self.rolls = 0
        self.seen = False

    def value(self):
        return max(self.dice) * 10 + min(self.dice)

    def legal(self):
        if self.phase == "opening":
            return [("roll", None)]
        if self.phase == "offered":
            if self.announced == 21:
                return [("doubt", None), ("give in", None)]
            return [("believe", None), ("doubt", None)]
        if self.phase == "doubted":
            return [("lift", None)]
        actions = []
        if self.rolls < 2:
            actions.append(("roll", None))
        if self.phase == "thrown" and self.rolls == 1 and not self.seen:
            actions.append(("look", None))
        lowest = 0 if self.announced is None else LADDER.index(self.announced) + 1
        for value in LADDER[lowest:]:
            actions.append(("announce", value))
        if self.phase == "thrown":
            if self.seen and self.value() == 21:
                actions.append(("show", None))
            if self.announced is not None:
                actions.append(("own up", None))
        return actions

    def apply(self, action, argument):
        if action == "roll":
            self.dice = argument
            self.rolls += 1
            self.seen = False
            self.phase = "thrown"
        elif action == "look":
            self.seen = True
        elif action == "announce":
            self.announced = argument
            self.announcer = self.turn
            self.turn = (self.turn + 1) % self.players
            self.rolls = 0
            self.seen = False
            self.phase = "offered"
        elif action == "believe":
            self.phase = "believed"
        elif action == "doubt":
            self.phase = "doubted"
        elif action == "lift":
            lied = LADDER.index(self.announced) > LADDER.index(self.value())
            self.penalise(self.announcer if lied else self.turn)
        elif action == "show":
            self.penalise((self.turn + 1) % self.players)
        else:
            self.penalise(self.turn)

    def penalise(self, seat):
        self.penalties[seat] += 1
        if self.matches[seat] == 0:
            self.loser = seat
        else:
            self.matches[seat] -= 1
            self.begin_round(seat)


def playout(players, rng, first=0):
    """Play at random to the end. Returns the actions, as (name, argument), and the game."""
    game = NaiveClassGame(players, first)
    actions = []
    while game.loser is None:
        legal = game.legal()
        action, argument = legal[int(rng.random() * len(legal))]
        if action == "roll":
            argument = ALL_DICE[int(rng.random() * 36)]
        actions.append((action, argument))
        game.apply(action, argument)
    return actions, game
