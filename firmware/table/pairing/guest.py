"""A guest's part of a pairing: it collects the list of places, and asks for missing frames."""

from firmware.table.pairing.state import PairingFailure, PairingPhase, PairingState
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind
from game import RULES, SetupError, new_match


class Seating:
    """The list of places and the terms, as far as a guest knows them."""

    def __init__(self) -> None:
        self.terms: wire.Terms | None = None
        """The terms; None until the list is closed."""
        self._people: dict[int, wire.Attendee] = {}
        self._revision = 0
        self._stale = False
        """True if the host's list differs from the one here."""
        self._closed = False

    @property
    def people(self) -> tuple[wire.Attendee, ...]:
        """The known people, by place."""
        return tuple(person for _, person in sorted(self._people.items()))

    @property
    def complete(self) -> bool:
        """True if the list is closed, and all of it known."""
        return self.terms is not None and sorted(self._people) == list(range(self.terms.people))

    def compare(self, table: wire.TableNotice) -> bool:
        """Compare with the host's notice; return True if an ASK is needed."""
        self._stale = self._revision & 0xFF != table.revision
        self._stale = self._stale or len(self._people) != table.people
        self._closed = self._closed or not table.is_open
        return self._stale or self._closed

    def add(self, place: wire.Placement) -> bool:
        """Add the person at a place.

        Return False and change nothing if the list is older than the known one, the place is out
        of range, or the list is newer although the terms are known.
        """
        if place.revision < self._revision or not place.number < place.places <= wire.MOST_PEOPLE:
            return False
        if place.revision > self._revision:
            if self.terms is not None:
                return False
            self._people = {}
            self._revision = place.revision
        self._people[place.number] = place.person
        return True

    def close(self, terms: wire.Terms) -> bool:
        """Add the terms.

        Return False and change nothing if other terms are known, if the list is older than the
        known one, or for a number of people that no table has.
        """
        if self.terms is not None:
            return terms == self.terms
        if not 1 < terms.people <= wire.MOST_PEOPLE or terms.revision < self._revision:
            return False
        if terms.revision > self._revision:
            self._people = {}
            self._revision = terms.revision
        self.terms = terms
        return True

    def playable(self, host: bytes, me: wire.Attendee) -> bool:
        """Return whether the complete list makes a table with its host and with this guest."""
        people, terms = self.people, self.terms
        assert terms is not None, "a list is complete with its terms"
        players = tuple(person.name for person in people if not person.watches)
        try:
            new_match(terms.rules, players, terms.first)
        except SetupError:
            return False
        devices = {person.device for person in people}
        watchers_last = sorted(people, key=lambda each: each.watches) == list(people)
        alone = len(devices) == len(people)
        carried = terms.carrier is None or terms.carrier < len(players)
        return me in people and host in devices and alone and watchers_last and carried

    def missing(self) -> wire.Missing | None:
        """Return the ASK for the host; None if nothing is known to be missing."""
        if not (self._stale or self._closed or self.terms is not None):
            return None
        count = wire.MOST_PEOPLE if self.terms is None else self.terms.people
        before = () if self._stale and self.terms is None else self._people
        missing = sum(1 << at for at in range(count) if at not in before)
        return wire.Missing(missing, 0, self.terms is None)


class Guest:
    """Joins, collects the host's list of places, and taps until the table stands.

    ``state`` is shared with its ``Pairing``.
    """

    def __init__(self, state: PairingState) -> None:
        self.places = Seating()
        self._has_tapped = False
        """True once this player has tapped."""
        self._state = state

    def tick(self) -> None:
        """Repeat the JOIN, REVEAL, ASK or TAP that has had no effect yet."""
        state = self._state
        if state.phase is PairingPhase.TAPPED:
            self._has_tapped = True
            host = state.place_of(state.host)
            assert host is not None, "a list without the host is not taken"
            state.send(state.host, InvitationKind.TAP, wire.Plain(state.proof.tap(state.at, host)))
        elif state.phase is PairingPhase.GATHERING and state.place is None and state.terms is None:
            state.send(state.host, InvitationKind.JOIN, state.me)
        if state.phase is PairingPhase.REVEALING:
            state.reveal()
            missing = state.proof.missing(len(state.people))
            state.send(state.host, InvitationKind.ASK, wire.Missing(0, missing, False))
        elif state.phase is PairingPhase.GATHERING and (ask := self.places.missing()) is not None:
            state.send(state.host, InvitationKind.ASK, ask)

    def receive(self, head: wire.Head, body: wire.Body, now_us: int) -> bool:
        """React to a message of the host; return False if it does not fit and changed nothing."""
        match body:
            case wire.Placement():
                return self._on_place(body, now_us)
            case wire.Terms():
                return self._on_terms(body, now_us)
            case wire.TableNotice():
                return self._on_table(body, now_us)
            case wire.Plain(data) if head.kind is InvitationKind.STANDS:
                return self._on_stands(data)
            case wire.Plain(opening) if head.kind is InvitationKind.LEAVE:
                return self._on_leave(head, opening)
            case _:
                return False

    def remember(self, head: wire.Head, body: wire.Body) -> bool:
        """After the pairing broke, sit down on STANDS if this player has tapped."""
        match head.kind, body:
            case InvitationKind.STANDS, wire.Plain(sealed):
                return head.sender == self._state.host and self._on_stands(sealed)
            case _:
                return False

    def _on_leave(self, head: wire.Head, opening: bytes) -> bool:
        """Take the host's LEAVE: it gives the table up, or has no place for this guest."""
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            return False
        if opening:
            if not state.opens(head.sender, opening):
                return False
            state.give_up(PairingFailure.GIVEN_UP)
        elif head.receiver == wire.EVERYBODY or state.place is not None:
            return False
        else:
            state.give_up(PairingFailure.NO_PLACE)
        return True

    def _on_table(self, table: wire.TableNotice, now_us: int) -> bool:
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            if state.phase in (PairingPhase.COMPARING, PairingPhase.TAPPED):
                state.reveal()  # the host still lacks a reveal
            return True
        state.game = tuple(RULES)[table.game]
        if self.places.compare(table):
            state.retry = state.retry.at(now_us)
        return True

    def _on_place(self, place: wire.Placement, now_us: int) -> bool:
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            return place.person in state.people
        if not self.places.add(place):
            return False
        state.people = self.places.people
        self._freeze_when_complete(now_us)
        return True

    def _on_terms(self, terms: wire.Terms, now_us: int) -> bool:
        state = self._state
        if state.terms is not None or not self.places.close(terms):
            return terms == state.terms
        state.terms = terms
        state.game = terms.rules.game
        state.retry = state.retry.at(now_us)
        self._freeze_when_complete(now_us)
        return True

    def _freeze_when_complete(self, now_us: int) -> None:
        """Reveal as soon as every commitment is known: never before, and never for another list."""
        state = self._state
        if not self.places.complete:
            return
        if not self.places.playable(state.host, state.me):
            state.give_up(PairingFailure.NO_PLACE)
            return
        state.people = self.places.people
        state.freeze()
        state.reveal()
        state.retry = state.retry.sent(now_us)

    def _on_stands(self, sealed: bytes) -> bool:
        state = self._state
        if state.phase is PairingPhase.STANDS:
            return True
        at = state.place_of(state.host)
        if not self._has_tapped or at is None:
            return False
        key = state.proof.opened_table_key(at, sealed)
        if key is None:
            return False
        state.agree(key, {})
        state.retry = state.retry.answered()
        return True
