"""The common parts of exhaustive explorations: handhelds by number, and frames as bits."""

from firmware.table.protocol.layout import EVERY_SEAT, HEADER_BYTES, receiver_of


class ViolationError(AssertionError):
    pass


class Exploration:
    """An exploration of all states of some handhelds and of the air between them.

    A state is the numbers of the handhelds' local states, the bit set of all frames ever sent, and
    how many crashes are left. ``looking_for`` is the violation to find; others are passed over.
    None: any one counts. ``states`` is how many were met.
    """

    def __init__(self, bounds, peers, looking_for=None):
        self.bounds, self.looking_for, self.states = bounds, looking_for, 0
        self.frames, self.number_of_frame, self.same_header = [], {}, {}
        self.addressed = [0] * peers
        self.locals, self.local_list = {}, []
        self.steps, self.checked = {}, set()

    def intern(self, local):
        """The number of a local state."""
        if local not in self.locals:
            self.locals[local] = len(self.local_list)
            self.local_list.append(local)
        return self.locals[local]

    def sent(self, frames):
        """The bit set of these frames."""
        bits = 0
        for frame in frames:
            if frame not in self.number_of_frame:
                self.number_of_frame[frame] = len(self.frames)
                self.frames.append(frame)
                bit = 1 << self.number_of_frame[frame]
                to = receiver_of(frame)
                for seat in range(len(self.addressed)) if to == EVERY_SEAT else (to,):
                    self.addressed[seat] |= bit
                header = frame[:HEADER_BYTES]
                self.same_header[header] = self.same_header.get(header, 0) | bit
            bits |= 1 << self.number_of_frame[frame]
        return bits

    def arriving(self, net, me):
        """The numbers of the frames that a seat may receive now."""
        net &= self.addressed[me]
        while net:
            yield (net & -net).bit_length() - 1
            net &= net - 1

    def check_state(self, numbers, net):
        """Check the air, and the handhelds unless they were checked with another air."""
        if any((net & same).bit_count() > 1 for same in self.same_header.values()):
            self.found("two bodies under one header")
        if numbers not in self.checked:
            self.checked.add(numbers)
            self.check(numbers)

    def found(self, violation):
        if self.looking_for in (None, violation):
            raise ViolationError(violation)
