"""Matches of bluff games between reference players of the coach."""

from random import Random

from game import apply, laid_open, new_match, rolls
from game.actions import Roll
from game.coach.knowing import Going
from game.coach.match_worth import match_worth
from game.record import Record
from game.strategy.response import known

NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal", "Ida")


def by_the_book(rules, players, seed, most_rounds=40):
    """Return the record of a match, without what comes after so many rounds."""
    rng = Random(seed)
    match = new_match(rules, NAMES[:players], 0)
    actions = []
    while match.to_act is not None and match.round <= most_rounds:
        if match.phase == "opening":
            going = Going(match_worth(rules, players).play(match))
        chances = going.play.play(known(going.state))
        action = rng.choices(tuple(chances), tuple(chances.values()))[0]
        done = laid_open(match, action)
        if action == Roll():
            ways = rolls(match)
            done = rng.choices([way for way, _ in ways], [float(chance) for _, chance in ways])[0]
        actions.append(done)
        after = apply(match, done).match
        if after.round == match.round and after.to_act is not None:
            going.follow(done)
        match = after
    return Record(rules, match.players, 0, tuple(actions))
