"""Errors under virtual time, each with advice on how to mend it."""


class ClockError(RuntimeError):
    """The simulated clock cannot go on: one line that says why and what to do."""


class DeadlockError(ClockError):
    """Nothing is ready and no timer runs, yet the main coroutine has not ended."""
