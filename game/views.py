"""What a seat may know of a match. Hidden dice leave through here and nowhere else (B-7)."""

from game.match import Match


def view(match: Match, seat: int | None) -> Match:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy of the match whose dice are unknown unless this seat has just looked at a roll of
    his own and still holds it. Everything else about a match is public. Raises ValueError for a
    seat nobody has.
    """
    if seat is not None and seat not in range(len(match.players)):
        raise ValueError(f"there is no seat {seat!r} at a table of {len(match.players)}")
    entitled = match.seen and seat == match.to_act
    return match if entitled else match._replace(dice=None, tower=False)
