"""The host's part of a pairing: it gives places out, and forwards frames to all."""

from collections.abc import Callable, Mapping, Sequence

from firmware.table.pairing.state import PairingFailure, PairingPhase, PairingState
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind
from game import RULES, AnyRules, new_match
from game.names import are_alike

JOIN_US = 1_000_000
"""Wait between two new places of strangers; guests ask once a second."""
MOST_JOIN_US = 32_000_000
"""Longest wait between two new places; it doubles for each guest put out."""


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
        """Seat players and watchers in this order; see ``Pairing.arrange``."""
        state = self._state
        if state.phase is PairingPhase.GATHERING:
            ranks = {device: at for at, device in enumerate(devices)}
            last = len(ranks)
            self._seat(sorted(state.people, key=lambda each: ranks.get(each.device, last)))

    def admit(self, person: wire.Attendee) -> None:
        """Give a place to a person who is known; see ``Pairing.admit``."""
        state = self._state
        if state.phase is PairingPhase.GATHERING:
            self._seat([*(each for each in state.people if each.device != person.device), person])

    def close(
        self,
        rules: AnyRules,
        first: int,
        lost: Mapping[bytes, int],
        now_us: int,
        *,
        carries: bool = False,
    ) -> None:
        """Close the list of places and reveal; see ``Pairing.close``."""
        state = self._state
        if state.phase is not PairingPhase.GATHERING:
            return
        players = tuple(person.name for person in state.people if not person.watches)
        new_match(rules, players, first)
        tally = tuple(min(lost.get(each.device, 0), wire.MOST_LOST) for each in state.people)
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
        """Take a guest's place away for good; see ``Pairing.put_out``."""
        if self._state.phase is PairingPhase.GATHERING and device != self._state.me.device:
            self._put_out.add(device)
            self._unseat(device)

    def dismiss(self, device: bytes) -> None:
        """Take a guest's place away; see ``Pairing.dismiss``."""
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
        gathers = state.phase is PairingPhase.GATHERING
        if not gathers or not opening or not state.opens(head.sender, opening):
            return False
        self._unseat(head.sender)
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
