"""Whether a bot's character shows: ``python -m tests.labs.bench.characters [N]``.

A stranger watches ten rounds of a table of four and names the kind of one seat. The stranger knows
how often each kind does what, from N other tables (300 unless told), and takes all public acts as
independent. It prints the share of right names over as many tables: among the four characters, and
among all kinds but the shark, whose play changes with the table.
"""

import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import log
from random import Random

from firmware.bots.open_dice import goodness
from game import RULES, AnyMatch, Phase, hides_dice
from game.actions import Action, Announce, Keep, Say
from game.bluff.rules import rank, value_of
from game.coaster.rules import CoasterRules
from game.sevens import score
from hw_sim.players.bot_kinds import KINDS, USUAL_KINDS
from tests.labs.bench.play import turns

ROUNDS, SEATS, USUAL_N = 10, 4, 300
Act = tuple[Hashable, ...]


def public(match: AnyMatch, action: Action) -> Act:
    """Return what all at the table see of an action, in rough classes."""
    name = type(action).__name__
    if not hides_dice(match):
        if match.phase is not Phase.THROWN or match.dice is None:
            return (name,)
        if match.rules.family != CoasterRules.family:
            return name, match.throws, score(match.dice, match.rules.seven_dice) // 3
        kept = action if isinstance(action, Keep) else Keep(())
        have = round(3 * goodness(match.rules.game, match.aside + match.dice))
        return name, match.throws, have, kept.aside.count(1), len(kept.aside), kept.turned
    stands = -1 if match.announced is None else rank(match.announced)
    if isinstance(action, Announce):
        return name, stands // 4, min(rank(action.value) - stands, 8), match.rolls
    if isinstance(action, Say):
        return name, action.words
    return name, stands // 2, match.rolls


def watched(game: str, kinds: Sequence[str], rng: Random) -> list[Counter[Act]]:
    """Return the public acts of each seat in ten rounds, over as many matches as these take."""
    seen, played = [Counter[Act]() for _ in kinds], 0
    while played < ROUNDS:
        for match, done, after in turns(RULES[game], kinds, rng, rng.randrange(SEATS)):
            seen[match.to_act][public(match, done)] += 1
            said = match.announced if hides_dice(match) else None
            if match.phase is Phase.DOUBTED and said is not None and match.dice is not None:
                lied = rank(value_of(match.dice)) < rank(said)
                seen[match.announcer]["lied" if lied else "true", rank(said) // 4] += 1
            played += after.round != match.round or after.outcome is not None
            if played >= ROUNDS:
                break
    return seen


def tables(
    game: str, kinds: Sequence[str], many: int, seed: str
) -> Iterator[tuple[str, Counter[Act]]]:
    """Yield kinds and what was seen of them."""
    rng = Random(f"{game} {seed}")
    for _ in range(many):
        seated = rng.sample(kinds, SEATS)
        yield from zip(seated, watched(game, seated, rng))


def rightly(game: str, kinds: Sequence[str], many: int) -> float:
    """Return how often the stranger is right."""
    known = {kind: Counter[Act]() for kind in kinds}
    for kind, seen in tables(game, kinds, many, "learn"):
        known[kind].update(seen)
    acts = set().union(*known.values())
    wholes = {kind: sum(each.values()) + len(acts) for kind, each in known.items()}
    right = told = 0
    for kind, seen in tables(game, kinds, many, "test"):
        fits = {
            k: sum(n * log((known[k][act] + 1) / wholes[k]) for act, n in seen.items())
            for k in kinds
        }
        right += max(fits, key=fits.__getitem__) == kind
        told += 1
    return right / told


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL_N
    steady = [kind for kind in KINDS if kind != "shark"]
    for game in RULES:
        among = {len(kinds): rightly(game, kinds, many) for kinds in (USUAL_KINDS, steady)}
        shares = ", ".join(f"among {number} {share:.0%}" for number, share in among.items())
        print(f"{game}: right {shares}", flush=True)


if __name__ == "__main__":
    main()
