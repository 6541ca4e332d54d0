"""Ratings of a league, computed anew from all matches: they depend on nothing else."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firmware.audience.store import LeagueMatch
from game import Outcome


class RatedMatch(NamedTuple):
    """The result of a match for one player.

    Attributes:
        match: which.
        player, others: by name.
        rank: 1 for a player who did not lose; a later loss ranks better.
        lost: whether the player lost.
        mu, sigma: the rating after the match: mean and uncertainty.
    """

    match: LeagueMatch
    player: str
    others: tuple[str, ...]
    rank: int
    lost: bool
    mu: float
    sigma: float


class RatedPlayer(NamedTuple):
    """A player's standing. ``rating`` is the skill that is almost certain: mu - 3 sigma."""

    player: str
    rating: float
    mu: float
    sigma: float
    matches: int
    lost: int


def ranks(outcome: Outcome, players: int) -> tuple[int, ...] | None:
    """Return by seat how well each player did, 1 for best; None for a match without a loser.

    A player who went out later did better. A player who left has lost.
    """
    losers = {*outcome.losers, *outcome.left}
    if not losers or len(losers) == players:
        return None
    went = [seat for seat in outcome.out if seat in losers]
    by_seat = [len(went) + 2 if seat in losers else 1 for seat in range(players)]
    for place, seat in enumerate(reversed(went)):
        by_seat[seat] = 2 + place
    return tuple(by_seat)


def results(matches: Iterable[LeagueMatch], game: str | None = None) -> list[RatedMatch]:
    """Return the results of all rated matches, in order; ``game`` selects one game.

    Disputed matches, matches without a loser, and matches of other keys than their table's are not
    rated.
    """
    from openskill.models import PlackettLuce, PlackettLuceRating  # an extra: no handheld has it

    model, known, found = PlackettLuce(), dict[str, PlackettLuceRating](), list[RatedMatch]()
    for match in matches:
        if match.disputed or match.apart or match.ranks is None or game not in (None, match.game):
            continue
        teams = [[known.get(name) or model.rating(name=name)] for name in match.players]
        rated = model.rate(teams, ranks=[float(rank) for rank in match.ranks])
        for name, rank, (rating,) in zip(match.players, match.ranks, rated):
            known[name] = rating
            others = tuple(other for other in match.players if other != name)
            found.append(RatedMatch(match, name, others, rank, rank > 1, rating.mu, rating.sigma))
    return found


def standings(results: Sequence[RatedMatch]) -> list[RatedPlayer]:
    """Return the standings of all players, best first."""
    last = {each.player: each for each in results}
    found = []
    for name, latest in last.items():
        own = [each for each in results if each.player == name]
        rating = latest.mu - 3 * latest.sigma
        lost = sum(each.lost for each in own)
        found.append(RatedPlayer(name, rating, latest.mu, latest.sigma, len(own), lost))
    return sorted(found, key=lambda each: (-each.rating, each.player))
