"""A table of cores at which one seat's journal is swapped for another: an old, or a foreign one."""

from firmware.device.open import open_match
from firmware.journal.sqlite import Journal, JournalError
from firmware.settings import SettingsError
from firmware.table.protocol.layout import HEADER_BYTES
from tests.support import core_table as cores
from tests.support.damage import files_of, put

S = 1_000_000


class WatchedTable(cores.CoreTable):
    """Keeps what was on every seat's disk after each write, and every body under its header."""

    def __init__(self, *args, **more):
        self.bodies = {}
        super().__init__(*args, **more)
        self.disks = [[files_of(place.journal.path)] for place in self.places]
        self.after_write = self._keep

    def _keep(self, place):
        self.disks[place.seat].append(files_of(place.journal.path))
        return False

    def _send(self, place, send):
        header, body = send.frame[:HEADER_BYTES], send.frame[HEADER_BYTES:]
        known = self.bodies.setdefault(header, body)
        assert known == body, f"a header stands over two bodies: {header.hex()}"
        super()._send(place, send)

    def come_back(self, seat, files):
        """Switch a seat off, put other files in place of its journal, and switch it on again.

        Returns what it said when it refused them; None where it took them.
        """
        place = self.places[seat]
        path = place.journal.path
        self.cup_gone = True
        place.journal.close()
        put(path.parent, files, path.name)
        try:
            with Journal(path) as journal:
                open_match(self.settings(seat), journal, bytes)
        except (JournalError, SettingsError) as problem:
            return problem
        place.open(begin=False)
        self._do(place, place.handheld.start(self.now_us, place.shell))
        self.settle()
        return None

    def play_on(self, rng, most=12):
        """Let whoever can act do something, a few times, and time pass between."""
        for _ in range(most):
            self.wait(5 * S)
            for place in self.places:
                if place.position in cores.ACTING:
                    legal = cores.legal_actions(place.match)
                    if legal and place.position is not cores.Position.TO_PASS:
                        self.choose(place.seat, rng.choice(legal))
