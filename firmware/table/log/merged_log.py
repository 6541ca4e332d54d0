"""The record of a match, merged from the logs of all seats."""

from collections.abc import Sequence

from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from game import AnyMatch, AnyRules, apply, new_match, public
from game.actions import Action
from game.record import Record


def merged_log(
    rules: AnyRules, names: tuple[str, ...], first: int, logs: Sequence[PublicLog]
) -> tuple[Record, list[int]]:
    """Return the record of the longest log, with all covered dice that their rollers know.

    ``logs`` are by seat, ``first`` is the seat that opened. Also return the sorted seats whose log
    is shorter or differs in public.
    """
    actions_of = [decode_entries(b"".join(log.since(0))) for log in logs]
    longest = max(actions_of, key=len)
    differing = set[int]()
    merged: list[Action] = []
    match: AnyMatch = new_match(rules, names, first)
    for place, action in enumerate(longest):
        public_action = fullest = public(action, match)
        for seat, actions in enumerate(actions_of):
            if place >= len(actions) or public(actions[place], match) != public_action:
                differing.add(seat)
            elif actions[place] != public_action:
                fullest = actions[place]
        merged.append(fullest)
        match = apply(match, fullest).match
    return Record(rules, names, first, tuple(merged)), sorted(differing)
