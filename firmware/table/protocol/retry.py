"""Repetition of frames that nobody reacts to, ever more slowly.

>>> retry = Retry(500, 2_000).sent(0)
>>> retry.due_us, retry.due(499), retry.due(500)
(500, False, True)
>>> [retry := retry.sent(retry.due_us)] and retry.due_us
1500
>>> retry.answered().due_us is None
True
"""

import msgspec


class Retry(msgspec.Struct, frozen=True):
    """When to send again. A value: every call returns the next one.

    Attributes:
        first_us: the first wait.
        last_us: the longest wait; each is twice as long as the one before.
        due_us: when to send again; None while nothing is outstanding.
        wait_us: the wait that ends then.
    """

    first_us: int
    last_us: int
    due_us: int | None = None
    wait_us: int = 0

    def due(self, now_us: int) -> bool:
        """Return whether it is time to send, for the first time or again."""
        return self.due_us is not None and now_us >= self.due_us

    def at(self, due_us: int) -> "Retry":
        """Return a retry that is due then, for the first time."""
        return Retry(self.first_us, self.last_us, due_us)

    def sent(self, now_us: int) -> "Retry":
        """Return the retry after sending now: due again after the next wait."""
        wait_us = min(max(2 * self.wait_us, self.first_us), self.last_us)
        return Retry(self.first_us, self.last_us, now_us + wait_us, wait_us)

    def answered(self) -> "Retry":
        """Return the retry with nothing outstanding."""
        return Retry(self.first_us, self.last_us)
