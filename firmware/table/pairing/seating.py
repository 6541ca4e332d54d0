"""The host's list of places, as a guest collects it from the frames that arrive."""

from firmware.table.protocol import invitations as wire
from game import SetupError, new_match


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
