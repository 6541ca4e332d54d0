"""Errors under virtual time, each with advice on how to mend it."""


class ClockError(RuntimeError):
    """The simulated clock cannot go on: one line that says why and what to do."""


class ThreadRefusedError(ClockError):
    """Something wanted a thread or an executor, which virtual time does not wait for."""


class DeadlockError(ClockError):
    """Nothing is ready and no timer runs, yet the main coroutine has not ended."""


class LivelockError(ClockError):
    """Callbacks keep each other busy, and time stands still."""


class TimeLimitError(ClockError):
    """The next deadline lies beyond the limit that was set for this run."""


class UnhandledError(ClockError):
    """A callback or a task failed and nobody was waiting for it; ``__cause__`` is its exception."""
