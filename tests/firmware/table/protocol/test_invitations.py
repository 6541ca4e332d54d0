"""Frames of a table that is being made up, to the byte."""

import pytest

from firmware.table.protocol.invitations import (
    EVERYBODY,
    MOST_PEOPLE,
    Head,
    InvitationError,
    InvitationKind,
    Terms,
    body_of,
    head_of,
    is_invitation,
    packed,
)
from game import RULES

HEAD = Head(InvitationKind.TERMS, b"device", EVERYBODY, b"sess")


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("lost", [(0, 0, 0), (1, 0, 255), tuple(range(MOST_PEOPLE))])
def test_terms_tell_the_tally_by_place(game, lost):
    terms = Terms(7, len(lost), 2, RULES[game], lost)
    frame = packed(HEAD, terms)
    assert head_of(frame) == HEAD
    assert body_of(frame) == terms
    assert len(frame) == 18 + 5 + 16 + MOST_PEOPLE


def test_a_tally_of_people_who_are_not_there_is_refused():
    frame = bytearray(packed(HEAD, Terms(7, 3, 0, RULES["class"], (1, 2, 3))))
    frame[-1] = 1
    assert is_invitation(bytes(frame))
    with pytest.raises(InvitationError, match="3 people cannot have lost"):
        body_of(bytes(frame))
