"""Faults of a part, each in one line with what to do about it."""

import errno
import os
from collections.abc import Callable
from enum import Enum, auto
from types import TracebackType
from typing import NoReturn


class PartFault(Enum):
    """The kind of fault of a part; screens have their own texts for it."""

    NO_ANSWER = auto()
    """Nothing acknowledges the address: missing, unpowered or wired wrongly."""
    BUS_STUCK = auto()
    """The bus timed out: a line is held low or has no pull-up."""
    BUS_ERROR = auto()
    """Any other error of the bus driver."""
    WRONG_PART = auto()
    """Something answers that is not the part which is expected there."""
    LOST_SETUP = auto()
    """The part answers but has forgotten its set-up: its supply failed for a moment."""


class PartError(Exception):
    """A part does not work. ``str()`` is one line: part, problem, address, what to check.

    After one, call the part's ``begin()`` before anything else: a part that lost its supply has
    lost its set-up as well.
    """

    def __init__(
        self,
        part: str,
        address: int,
        problem: str,
        advice: str,
        fault: PartFault = PartFault.BUS_ERROR,
    ) -> None:
        super().__init__(part, address, problem, advice, fault)
        self.part = part
        self.address = address
        self.problem = problem
        self.advice = advice
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.part} at 0x{self.address:02X}: {self.problem}; {self.advice}"


# The two ways in which Linux bus drivers report a missing acknowledge, and those in which they
# report a bus that does not move.
_NO_ACKNOWLEDGE = frozenset({errno.EREMOTEIO, errno.ENXIO})
_STUCK = frozenset({errno.ETIMEDOUT, errno.EAGAIN})

# The message that adafruit_bus_device makes of an OSError while it looks for its part.
_PROBE_FAILED = "No I2C device at address"


class PartGuard:
    """Turn the errors that the bus raises for one part into PartError: ``with guard:``.

    ``straps`` says how the part's select pins must be wired, as it follows "and that".
    ``other_address`` is the part's address if they are wired the other way; None if it has none.
    ``answers`` asks the bus whether anything acknowledges an address.
    """

    def __init__(
        self,
        part: str,
        address: int,
        straps: str,
        answers: Callable[[int], bool],
        other_address: int | None = None,
    ) -> None:
        self.part = part
        self.address = address
        self._straps = straps
        self._answers = answers
        self._other_address = other_address

    def __enter__(self) -> None:
        """Do nothing: the guard can be entered any number of times."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(problem, OSError):
            self._raise_bus_error(problem)
        if isinstance(problem, ValueError) and str(problem).startswith(_PROBE_FAILED):
            self._raise_no_answer(problem)

    def wrong_part(self, chip: str, expected: str, found: str) -> PartError:
        """Return the error for a part that is not ``chip`` (with its article), by id register."""
        return self._error(
            PartFault.WRONG_PART,
            f"answers, but is not {chip} (id {found}, expected {expected})",
            "take off whatever else uses this address, or swap the module for the right one",
        )

    def lost_setup(self, found: str) -> PartError:
        """Return the error for a part whose registers read ``found``, not the values written."""
        return self._error(
            PartFault.LOST_SETUP,
            f"has lost its set-up ({found})",
            "check VCC and GND for a loose contact; it is set up again on the next try",
        )

    def _error(self, fault: PartFault, problem: str, advice: str) -> PartError:
        return PartError(self.part, self.address, problem, advice, fault)

    def _raise_bus_error(self, problem: OSError) -> NoReturn:
        if problem.errno in _NO_ACKNOWLEDGE:
            self._raise_no_answer(problem)
        if problem.errno in _STUCK:
            raise self._error(
                PartFault.BUS_STUCK,
                "the bus timed out",
                "check SDA and SCL for a short and for pull-ups to 3.3 V, then switch off and on",
            ) from problem
        number = problem.errno or 0
        raise self._error(
            PartFault.BUS_ERROR,
            f"bus error {number} ({os.strerror(number)})",
            "check SDA and SCL, keep the wires short, and set i2c_arm_baudrate=400000",
        ) from problem

    def _raise_no_answer(self, problem: Exception) -> NoReturn:
        other = self._other_address
        advice = f"check VCC, GND, SDA and SCL, and that {self._straps}"
        if other is not None and self._answers(other):
            advice = f"but something answers at 0x{other:02X}: check that {self._straps}"
        raise self._error(PartFault.NO_ANSWER, "no answer", advice) from problem
