"""A guest's part while a table is made up: it asks the host for what it has not heard."""

from cryptography.exceptions import InvalidTag

from firmware.table.pairing.seating import Seating
from firmware.table.pairing.state import AGAIN_US, PairingFailure, PairingPhase, PairingState
from firmware.table.protocol.invitations import (
    Body,
    Head,
    InvitationKind,
    Missing,
    Placement,
    Plain,
    TableNotice,
    Terms,
)
from game import RULES


class Guest:
    """Asks for a place, puts the host's list together, and taps until the table stands."""

    def __init__(self, accord: PairingState) -> None:
        self.places = Seating()
        self._accord = accord

    def tick(self) -> None:
        """Say again what has had no effect yet."""
        accord = self._accord
        if accord.phase is PairingPhase.TAPPED:
            host = accord.place_of(accord.host)
            assert host is not None, "a list without the host is not taken"
            accord.say(accord.host, InvitationKind.TAP, Plain(accord.proof.tap(accord.at, host)))
        elif (
            accord.phase is PairingPhase.GATHERING and accord.place is None and accord.terms is None
        ):
            accord.say(accord.host, InvitationKind.JOIN, accord.me)
        if accord.phase is PairingPhase.REVEALING:
            accord.reveal()
            missing = accord.proof.missing(len(accord.people))
            accord.say(accord.host, InvitationKind.ASK, Missing(0, missing, False))
        elif accord.phase is PairingPhase.GATHERING and (ask := self.places.missing()) is not None:
            accord.say(accord.host, InvitationKind.ASK, ask)

    def take_in(self, head: Head, body: Body, now_us: int) -> bool:
        """Take in what the host says. Returns whether it fitted."""
        match body:
            case Placement():
                return self._on_place(body, now_us)
            case Terms():
                return self._on_terms(body, now_us)
            case TableNotice():
                return self._on_table(body, now_us)
            case Plain(data) if head.kind is InvitationKind.STANDS:
                return self._on_stands(data)
            case Plain() if head.kind is InvitationKind.LEAVE:
                if self._accord.phase is not PairingPhase.STANDS:
                    self._accord.give_up(PairingFailure.GIVEN_UP)
                return True
            case _:
                return False

    def _on_table(self, table: TableNotice, now_us: int) -> bool:
        accord = self._accord
        if accord.phase is not PairingPhase.GATHERING:
            if accord.phase in (PairingPhase.COMPARING, PairingPhase.TAPPED):
                accord.reveal()  # the host still misses something
            return True
        accord.game = tuple(RULES)[table.game] if table.game < len(RULES) else accord.game
        if self.places.hear(table):
            accord.due_us = now_us
        return True

    def _on_place(self, place: Placement, now_us: int) -> bool:
        accord = self._accord
        if accord.phase is not PairingPhase.GATHERING:
            return place.person in accord.people
        if not self.places.put(place):
            return False
        accord.people = self.places.people
        self._freeze_when_complete(now_us)
        return True

    def _on_terms(self, terms: Terms, now_us: int) -> bool:
        accord = self._accord
        if accord.terms is not None or not self.places.close(terms):
            return terms == accord.terms
        accord.terms = terms
        accord.game = terms.rules.game
        accord.due_us = now_us
        self._freeze_when_complete(now_us)
        return True

    def _freeze_when_complete(self, now_us: int) -> None:
        """Reveal as soon as every commitment is known: never before, and never for another list."""
        accord = self._accord
        if not self.places.complete:
            return
        if not self.places.playable(accord.host, accord.me):
            accord.give_up(PairingFailure.CLOSED)
            return
        accord.people = self.places.people
        accord.freeze()
        accord.reveal()
        accord.due_us = now_us + AGAIN_US

    def _on_stands(self, sealed: bytes) -> bool:
        accord = self._accord
        if accord.phase is PairingPhase.STANDS:
            return True
        at = accord.place_of(accord.host)
        if accord.phase is not PairingPhase.TAPPED or at is None:
            return False
        try:
            key = accord.proof.table_key(at, sealed)
        except InvalidTag:
            return False
        accord.stand(key, {})
        accord.due_us = None
        return True
