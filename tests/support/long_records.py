"""Records of matches that nobody would play: so long that reading them could keep a reader busy."""

from random import Random

from firmware.bots.arena import Arena, filled
from game import legal_actions, rule_set
from game.actions import EndMatch
from game.record import Record, write
from hw_sim.players.bot_kinds import personality_of

PLAYERS = ("Ana", "Ben", "Cem")


def drinks(actions, seed=1):
    """The text of a record of class for drinks, which has no end, with so many actions."""
    rules, rng = rule_set("class", {"stakes": "drinks"}), Random(seed)
    bots = [personality_of(kind) for kind in ("honest", "trusting", "cheeky")]
    arena, done = Arena(rules, PLAYERS), []
    while len(done) < actions:
        match = arena.match
        choice = bots[match.to_act].decide(arena.sight(), rng)
        if choice == EndMatch():
            choice = next(each for each in legal_actions(match) if each != choice)
        done.append(filled(match, choice, rng))
        arena.act(done[-1])
    return write(Record(rules, PLAYERS, 0, tuple(done)))
