"""Several seats in one journal: each has its own keys."""

from collections.abc import Iterable, Mapping

from firmware.journal.writes import Append, BeginLog, Put, Write


class SharedJournal:
    """Merges the writes of all seats of one handheld into one journal.

    Args:
        entries: number of entries in the log of the current match.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._batch: list[Write] = []

    def add(self, seat: int, batch: Iterable[Write]) -> None:
        """Add a seat's batch: each Put under "key seat", each Append that is the next entry.

        A BeginLog counts only from seat 0 and before the first entry. The acting seat must write
        its entry first: only its copy has the dice.
        """
        for write in batch:
            match write:
                case Put(key, value):
                    self._batch.append(Put(f"{key} {seat}", value))
                case Append(place) if place == self._entries:
                    self._entries += 1
                    self._batch.append(write)
                case BeginLog() if self._entries == seat == 0:
                    self._batch.append(write)
                case _:
                    pass

    def take(self) -> tuple[Write, ...]:
        """Return what was added since the last call, for one ``Journal.write``; may be empty."""
        batch, self._batch = tuple(self._batch), []
        return batch


def state_of_seat(state: Mapping[str, bytes], seat: int) -> dict[str, bytes]:
    """Return the state of ``seat``, by key without its number; empty if it stored nothing."""
    end = f" {seat}"
    return {key.removesuffix(end): value for key, value in state.items() if key.endswith(end)}
