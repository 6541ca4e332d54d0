"""The roles in a pairing: a guest, and the host that gives places out and forwards frames to all.

A guest collects the list of places, and asks for missing frames.
"""

from collections.abc import Callable, Mapping, Sequence

from firmware.table.pairing.state import PairingFailure, PairingPhase, PairingState
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind
from game import RULES, AnyRules, SetupError, new_match
from game.names import are_alike


class Guest:
    """Joins, collects the host's list of places, and taps until the table stands.

    ``state`` is shared with its ``Pairing``.
    """

    def __init__(self, state: PairingState) -> None:
        self.people: dict[int, wire.Attendee] = {}
        """The known people of the host's newest list, by place."""
        self._revision = 0
        self._stale = False
        """True if the host's list differs from the one here."""
        self._closed = False
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
        elif state.phase is PairingPhase.GATHERING and (ask := self._missing()) is not None:
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
        self._stale = self._revision & 0xFF != table.revision or len(self.people) != table.people
        self._closed = self._closed or not table.is_open
        if self._stale or self._closed:
            state.retry = state.retry.at(now_us)
        return True

    def _on_place(self, place: wire.Placement, now_us: int) -> bool:
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            return place.person in state.people
        if place.revision < self._revision or not place.number < place.places <= wire.MOST_PEOPLE:
            return False
        if place.revision > self._revision and state.terms is not None:
            return False
        self._begin_list(place.revision)
        self.people[place.number] = place.person
        state.people = self._listed
        self._freeze_when_complete(now_us)
        return True

    def _on_terms(self, terms: wire.Terms, now_us: int) -> bool:
        state = self._state
        if state.terms is not None:
            return terms == state.terms
        if not 1 < terms.people <= wire.MOST_PEOPLE or terms.revision < self._revision:
            return False
        self._begin_list(terms.revision)
        state.terms = terms
        state.game = terms.rules.game
        state.retry = state.retry.at(now_us)
        self._freeze_when_complete(now_us)
        return True

    @property
    def _listed(self) -> tuple[wire.Attendee, ...]:
        return tuple(person for _, person in sorted(self.people.items()))

    def _begin_list(self, revision: int) -> None:
        """Forget the people of an older list than this."""
        if revision > self._revision:
            self.people, self._revision = {}, revision

    def _missing(self) -> wire.Missing | None:
        """Return the ASK for the host; None if nothing is known to be missing."""
        terms = self._state.terms
        if not (self._stale or self._closed or terms is not None):
            return None
        count = wire.MOST_PEOPLE if terms is None else terms.people
        before = () if self._stale and terms is None else self.people
        missing = sum(1 << at for at in range(count) if at not in before)
        return wire.Missing(missing, 0, terms is None)

    def _freeze_when_complete(self, now_us: int) -> None:
        """Reveal as soon as every commitment is known: never before, and never for another list."""
        state = self._state
        if state.terms is None or sorted(self.people) != list(range(state.terms.people)):
            return
        fault = self._fault(state.terms)
        if fault is not None:
            state.send(state.host, InvitationKind.LEAVE, wire.Plain(state.proof.opening))
            state.give_up(fault)
            return
        state.people = self._listed
        state.freeze()
        state.reveal()
        state.retry = state.retry.sent(now_us)

    def _fault(self, terms: wire.Terms) -> PairingFailure | None:
        """Return why the complete list makes no table with host and guest; None if it does."""
        people, state = self._listed, self._state
        players = tuple(person.name for person in people if not person.watches)
        try:
            new_match(terms.rules, players, terms.first)
        except SetupError:
            return PairingFailure.OTHER_RULES
        devices = {person.device for person in people}
        watchers_last = sorted(people, key=lambda each: each.watches) == list(people)
        alone = len(devices) == len(people)
        carried = terms.carrier is None or terms.carrier < len(players)
        fits = state.me in people and state.host in devices and alone and watchers_last and carried
        return None if fits else PairingFailure.NO_PLACE

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


JOIN_US = 1_000_000
"""Wait between two new places of strangers; guests ask once a second; chosen."""
MOST_JOIN_US = 32_000_000
"""Longest wait between two new places; it doubles for each guest put out; chosen."""


class Host:
    """Gives places out, closes the list, and lets the table stand when all have tapped.

    ``state`` is shared with its ``Pairing``; the host has the first place.
    """

    def __init__(self, state: PairingState) -> None:
        self.taps: set[int] = set()
        """The places that have tapped."""
        self.is_known: Callable[[bytes], bool] = lambda _device: False
        """Whether a device is that of a guest who is known, and comes without a wait."""
        self._state = state
        self._revision = 0
        self._put_out: set[bytes] = set()
        self._room_again_us = 0
        """Time from which on the host gives out a new place."""
        state.people = (state.me,)

    def arrange(self, devices: Sequence[bytes]) -> None:
        """While the host gathers, seat people in this order, players before watchers.

        People who are not named come last, in their order so far. Devices without a place are
        ignored. Do nothing later.
        """
        state = self._state
        if state.phase is PairingPhase.GATHERING:
            ranks = {device: at for at, device in enumerate(devices)}
            last = len(ranks)
            self._seat(sorted(state.people, key=lambda each: ranks.get(each.device, last)))

    def admit(self, person: wire.Attendee) -> None:
        """While the host gathers, give a place to a person who is known, without a wait."""
        state = self._state
        if state.phase is PairingPhase.GATHERING:
            self._seat([*(each for each in state.people if each.device != person.device), person])

    def move(self, seat: int) -> int:
        """While the host gathers, seat a player one place further; return the new place."""
        devices = [person.device for person in self._state.people if not person.watches]
        further = (seat + 1) % len(devices)
        devices[seat], devices[further] = devices[further], devices[seat]
        self.arrange(devices)
        return further

    def close(
        self,
        rules: AnyRules,
        first: int,
        now_us: int,
        lost: Mapping[bytes, int] | None = None,
        *,
        carries: bool = False,
    ) -> None:
        """While the host gathers, close the list of places, and reveal. Later do nothing.

        Args:
            rules: the game with its options.
            first: the seat that opens.
            now_us: the time.
            lost: by device, how many matches were lost at this table before; None for none.
            carries: the host is the carrier, unless a guest passes frames on.

        Raises:
            SetupError: these rules are not for these players.
        """
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            return
        players = tuple(person.name for person in state.people if not person.watches)
        new_match(rules, players, first)
        before = lost or {}
        tally = tuple(min(before.get(each.device, 0), wire.MOST_LOST) for each in state.people)
        carrier = self._carrier(state.me.device if carries else b"")
        state.terms = wire.Terms(self._revision, len(state.people), first, rules, tally, carrier)
        state.freeze()
        for at in range(len(state.people)):
            self.send_place(at)
        state.send(None, InvitationKind.TERMS, state.terms)
        state.reveal()
        state.retry = state.retry.sent(now_us)

    def _carrier(self, otherwise: bytes) -> int | None:
        """Return the place of the player who passed a JOIN on; else of a device, if it plays."""
        people = self._state.people
        players = [each.device for each in people if not each.watches]
        named = [*(each.carrier for each in people), otherwise]
        return next((players.index(each) for each in named if each in players), None)

    def tap(self, at: int) -> None:
        """Count the tap of place ``at``; when all have tapped, the table stands."""
        state = self._state
        self.taps.add(at)
        if len(self.taps) == len(state.people) and state.agreed is None:
            sealed = state.proof.sealed()
            state.agree(state.proof.table_key(), sealed)
            for place, data in sealed.items():
                state.send(state.people[place].device, InvitationKind.STANDS, wire.Plain(data))

    def tick(self) -> None:
        """Announce the table again until all have revealed."""
        state = self._state
        if state.phase in (PairingPhase.GATHERING, PairingPhase.REVEALING):
            self._send_notice()
        else:  # the guests repeat ASK and TAP until they are answered
            state.retry = state.retry.answered()

    def put_out(self, device: bytes) -> None:
        """While the host gathers, take a guest's place away, and refuse it from then on."""
        if self._state.phase is PairingPhase.GATHERING and device != self._state.me.device:
            self._put_out.add(device)
            self._unseat(device)

    def dismiss(self, device: bytes) -> None:
        """While the host gathers, take a guest's place away; the guest may come again."""
        if self._state.phase is PairingPhase.GATHERING and device != self._state.me.device:
            self._unseat(device)

    def remember(self, head: wire.Head, body: wire.Body) -> bool:
        """After the pairing broke, answer guests that have not heard of it and can check a MAC."""
        state, at = self._state, self._state.place_of(head.sender)
        differs = state.broken is PairingFailure.DIFFERS
        match head.kind, body:
            case InvitationKind.ASK, wire.Missing():
                return state.numbers is not None and self._on_ask(head, body)
            case InvitationKind.TAP, wire.Plain(mac) if at is not None:
                if state.proof.tapped(at, mac):
                    state.send_verdict(
                        InvitationKind.DIFFER if differs else InvitationKind.LEAVE, (at,)
                    )
                    return True
        return False

    def receive(self, head: wire.Head, body: wire.Body, now_us: int) -> bool:
        """React to a message of a guest; return False if it does not fit and changed nothing."""
        match body:
            case wire.Attendee():
                return self._on_join(head, body, now_us)
            case wire.Missing():
                return self._on_ask(head, body)
            case wire.Plain(data) if head.kind is InvitationKind.TAP:
                return self._on_tap(head, data)
            case wire.Plain(opening) if head.kind is InvitationKind.LEAVE:
                return self._on_leave(head, opening)
            case _:
                return False

    def send_place(self, at: int, to: bytes | None = None) -> None:
        """Send the person at place ``at``, which must be taken, to a device, or to all (None)."""
        people = self._state.people
        place = wire.Placement(self._revision, at, len(people), people[at])
        self._state.send(to, InvitationKind.PLACE, place)

    def _on_join(self, head: wire.Head, person: wire.Attendee, now_us: int) -> bool:
        people = self._state.people
        if person.device != head.sender:
            return False
        if person in people:
            self.send_place(people.index(person))
            return True
        others = [each for each in people if each.device != person.device]
        players = [each.device for each in others if not each.watches]
        if person.carrier and person.carrier not in players:
            return False  # whoever passed it on comes first
        if person.device in self._put_out or not self._has_room(others, person):
            self._state.send(head.sender, InvitationKind.LEAVE, wire.Plain(b""))
            return False
        if not self.is_known(person.device):
            if now_us < self._room_again_us:
                return False  # the guest asks again
            self._room_again_us = now_us + min(JOIN_US << len(self._put_out), MOST_JOIN_US)
        self._seat([*others, person])
        self.send_place(self._state.people.index(person))
        self._send_notice()
        return True

    def _has_room(self, others: Sequence[wire.Attendee], person: wire.Attendee) -> bool:
        """Return whether a person can join these; the rules limit the number of players."""
        players = [each for each in (*others, person) if not each.watches]
        return (
            self._state.phase is PairingPhase.GATHERING
            and len(others) < wire.MOST_PEOPLE
            and len(players) <= RULES[self._state.game].most_players
            and not any(are_alike(each.name, person.name) for each in others)
        )

    def _on_ask(self, head: wire.Head, ask: wire.Missing) -> bool:
        state = self._state
        if state.place_of(head.sender) is None:
            if state.phase is PairingPhase.GATHERING:
                self.send_place(0, head.sender)  # in a newer list: it has lost its place
            return False
        for at in range(len(state.people)):
            if ask.places >> at & 1:
                self.send_place(at)
            if ask.reveals >> at & 1 and at in state.proof.reveals:
                state.send(None, InvitationKind.REVEAL, state.proof.reveals[at])
        if ask.terms and state.terms is not None:
            state.send(None, InvitationKind.TERMS, state.terms)
        return True

    def _on_tap(self, head: wire.Head, mac: bytes) -> bool:
        state = self._state
        at = state.place_of(head.sender)
        if at is None or not state.proof.tapped(at, mac):
            return False
        self.tap(at)
        if state.agreed is not None:
            stands = wire.Plain(state.agreed.stands[at])
            state.send(state.people[at].device, InvitationKind.STANDS, stands)
        return True

    def _on_leave(self, head: wire.Head, opening: bytes) -> bool:
        state = self._state
        at = state.place_of(head.sender)
        if not opening or at in state.proof.reveals or not state.opens(head.sender, opening):
            return False
        if state.phase is PairingPhase.GATHERING:
            self._unseat(head.sender)
        else:  # it refuses the terms
            state.give_up(PairingFailure.NO_ANSWER)
        return True

    def _unseat(self, device: bytes) -> None:
        people = self._state.people
        self._seat([each for each in people if device not in (each.device, each.carrier)])
        self._send_notice()

    def _seat(self, people: Sequence[wire.Attendee]) -> None:
        """Give the places out anew: players first, each kind in the order given."""
        self._state.people = tuple(sorted(people, key=lambda each: each.watches))
        self._revision += 1

    def _send_notice(self) -> None:
        state = self._state
        game = tuple(RULES).index(state.game)
        is_open = state.phase is PairingPhase.GATHERING
        people, revision = len(state.people), self._revision & 0xFF
        notice = wire.TableNotice(is_open, people, revision, game, state.me.name)
        state.send(None, InvitationKind.TABLE, notice)
