"""The host's part while a table is made up: it gives places out, and passes on what is said."""

from collections.abc import Mapping, Sequence

from firmware.table.pairing.state import AGAIN_US, PairingPhase, PairingState
from firmware.table.protocol.invitations import (
    MOST_LOST,
    MOST_PEOPLE,
    Attendee,
    Body,
    Head,
    InvitationKind,
    Missing,
    Placement,
    Plain,
    TableNotice,
    Terms,
)
from game import RULES, AnyRules, new_match


class Host:
    """Gives places out, closes the list, and says when all have tapped."""

    def __init__(self, accord: PairingState) -> None:
        self.taps: set[int] = set()
        """The places that have tapped."""
        self._accord = accord
        self._revision = 0
        accord.people = (accord.me,)

    def arrange(self, devices: Sequence[bytes]) -> None:
        """Seat the guests in this order. Devices that have no place are passed over."""
        accord = self._accord
        if accord.phase is PairingPhase.GATHERING:
            ranks = {device: at for at, device in enumerate(devices)}
            last = len(ranks)
            self._seat(sorted(accord.people, key=lambda each: ranks.get(each.device, last)))

    def close(self, rules: AnyRules, first: int, lost: Mapping[bytes, int], now_us: int) -> None:
        """Let nobody else join, and reveal.

        Raises:
            SetupError: these rules are not for these players.
        """
        accord = self._accord
        if accord.phase is not PairingPhase.GATHERING:
            return
        players = tuple(person.name for person in accord.people if not person.watches)
        new_match(rules, players, first)
        tally = tuple(min(lost.get(each.device, 0), MOST_LOST) for each in accord.people)
        accord.terms = Terms(self._revision, len(accord.people), first, rules, tally)
        accord.freeze()
        for at in range(len(accord.people)):
            self.tell_place(at)
        accord.say(None, InvitationKind.TERMS, accord.terms)
        accord.reveal()
        accord.due_us = now_us + AGAIN_US

    def tap(self, at: int) -> None:
        """Place ``at`` has tapped; when all have, the table stands."""
        accord = self._accord
        self.taps.add(at)
        if len(self.taps) == len(accord.people) and accord.agreed is None:
            sealed = accord.proof.sealed()
            accord.stand(accord.proof.table_key(), sealed)
            for place, data in sealed.items():
                accord.say(accord.people[place].device, InvitationKind.STANDS, Plain(data))

    def tick(self) -> None:
        """Say again what has had no effect yet."""
        if self._accord.phase in (PairingPhase.GATHERING, PairingPhase.REVEALING):
            self._tell_of_table()
        else:
            self._accord.due_us = None  # the guests ask, and tap, until they are answered

    def take_in(self, head: Head, body: Body, now_us: int) -> bool:
        """Take in what a guest says. Returns whether it fitted."""
        del now_us  # the host answers at once
        match body:
            case Attendee():
                return self._on_join(head, body)
            case Missing():
                return self._on_ask(head, body)
            case Plain(data) if head.kind is InvitationKind.TAP:
                return self._on_tap(head, data)
            case Plain() if head.kind is InvitationKind.LEAVE:
                return self._on_leave(head)
            case _:
                return False

    def tell_place(self, at: int) -> None:
        """Tell who has place ``at``."""
        people = self._accord.people
        place = Placement(self._revision, at, len(people), people[at])
        self._accord.say(None, InvitationKind.PLACE, place)

    def _on_join(self, head: Head, person: Attendee) -> bool:
        people = self._accord.people
        if person.device != head.sender:
            return False
        if person in people:
            self.tell_place(people.index(person))
            return True
        if self._accord.phase is not PairingPhase.GATHERING or len(people) >= MOST_PEOPLE:
            return False
        others = [each for each in people if each.device != person.device]
        if any(each.name == person.name for each in others):
            return False
        self._seat([*others, person])
        self.tell_place(self._accord.people.index(person))
        self._tell_of_table()
        return True

    def _on_ask(self, head: Head, ask: Missing) -> bool:
        accord = self._accord
        if accord.place_of(head.sender) is None:
            return False
        for at in range(len(accord.people)):
            if ask.places >> at & 1:
                self.tell_place(at)
            if ask.reveals >> at & 1 and at in accord.proof.reveals:
                accord.say(None, InvitationKind.REVEAL, accord.proof.reveals[at])
        if ask.terms and accord.terms is not None:
            accord.say(None, InvitationKind.TERMS, accord.terms)
        return True

    def _on_tap(self, head: Head, mac: bytes) -> bool:
        accord = self._accord
        at = accord.place_of(head.sender)
        if at is None or not accord.proof.tapped(at, mac):
            return False
        self.tap(at)
        if accord.agreed is not None:
            stands = Plain(accord.agreed.stands[at])
            accord.say(accord.people[at].device, InvitationKind.STANDS, stands)
        return True

    def _on_leave(self, head: Head) -> bool:
        accord = self._accord
        if accord.phase is not PairingPhase.GATHERING or accord.place_of(head.sender) is None:
            return False
        self._seat([person for person in accord.people if person.device != head.sender])
        self._tell_of_table()
        return True

    def _seat(self, people: Sequence[Attendee]) -> None:
        """Give the places out anew: players first, each kind in the order given."""
        self._accord.people = tuple(sorted(people, key=lambda each: each.watches))
        self._revision += 1

    def _tell_of_table(self) -> None:
        accord = self._accord
        game = tuple(RULES).index(accord.game)
        is_open = accord.phase is PairingPhase.GATHERING
        people, revision = len(accord.people), self._revision & 0xFF
        accord.say(
            None, InvitationKind.TABLE, TableNotice(is_open, people, revision, game, accord.me.name)
        )
