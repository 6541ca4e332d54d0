"""A board of any parts on a clock that stands still until a test moves it."""

from steckbrett.board.board import Board
from steckbrett.board.bus import BusMessage
from steckbrett.clock import SteppedClock


class SteppedBoard(Board):
    """A board whose first part on the bus is asked in short."""

    def __init__(self, *parts, **options):
        super().__init__(parts, clock=SteppedClock(), **options)
        self.part = next(iter(self.parts.values()), None)
        self.address = next(iter(self.addresses.values()), None)

    def put(self, *data):
        """Write bytes to the first part."""
        self.bus.i2c_rdwr(BusMessage(self.address, bytes(data)))

    def get(self, register, count=1):
        """Read bytes from a register of the first part."""
        answer = BusMessage(self.address, count)
        self.bus.i2c_rdwr(BusMessage(self.address, bytes([register])), answer)
        return bytes(answer)

    def wait(self, us):
        """Let time pass."""
        self.clock.advance(self.now_us() + us)

    def told(self, *kinds):
        """Return offences without part and time."""
        return [line.split(": ", 1)[1] for line in self.offences(*kinds)]
