"""Several seats in one journal: each has its own keys."""

from collections.abc import Iterable, Mapping

from firmware.journal.writes import Append, Begin, Put, Write


class SharedJournal:
    """Makes one journal of what all seats write.

    Args:
        entries: how many entries the record has already.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._batch: list[Write] = []

    def add(self, seat: int, batch: Iterable[Write]) -> None:
        """Add what a seat writes: values under its own keys, and entries that are not there yet.

        Whoever acts writes an entry first, with his dice in it.
        """
        for write in batch:
            match write:
                case Put(key, value):
                    self._batch.append(Put(f"{key} {seat}", value))
                case Append(place) if place == self._entries:
                    self._entries += 1
                    self._batch.append(write)
                case Begin() if self._entries == seat == 0:
                    self._batch.append(write)
                case _:
                    pass

    def take(self) -> tuple[Write, ...]:
        """Return what is to be written since the last call, as one transaction."""
        batch, self._batch = tuple(self._batch), []
        return batch


def state_of_seat(state: Mapping[str, bytes], seat: int) -> dict[str, bytes]:
    """Return what one of several seats has kept, by its own keys."""
    end = f" {seat}"
    return {key.removesuffix(end): value for key, value in state.items() if key.endswith(end)}
