"""Errors of the loops, each with advice on how to mend it."""

from steckbrett.clock.errors import ClockError


class ThreadRefusedError(ClockError):
    """Something wanted a thread or an executor, which virtual time does not wait for."""


class LivelockError(ClockError):
    """Callbacks keep each other busy, and time stands still."""


class TimeLimitError(ClockError):
    """The next deadline lies beyond the limit that was set for this run."""


class UnhandledError(ClockError):
    """A callback or a task failed and nobody was waiting for it; ``__cause__`` is its exception."""
