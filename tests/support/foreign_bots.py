"""Bots of the kind that are in trouble, for the processes they are run in."""

from threading import Event

from game.actions import Leave, Roll


class Moody:
    """In another trouble each time, and then in none."""

    def __init__(self):
        self.troubles = iter((self.raises, self.cheats, self.leaves, self.talks))

    def decide(self, sight, rng):
        trouble = next(self.troubles, None)
        return sight.options[0] if trouble is None else trouble()

    def raises(self):
        raise ValueError("no\nidea")

    def cheats(self):
        return Roll((2, 1))

    def leaves(self):
        return Leave(1)

    def talks(self):
        return "roll"


class Slow:
    def decide(self, sight, rng):
        Event().wait()


class Quits:
    def decide(self, sight, rng):
        raise SystemExit


class Peeks:
    """Looks for a match with hidden dice in all that its process holds."""

    def decide(self, sight, rng):
        import gc

        from game import Match

        found = [each for each in gc.get_objects() if isinstance(each, Match) and each.dice]
        assert not found, "dice"
        return sight.options[0]


class Spies:
    """Looks for journals among what the process that asks it has open."""

    def decide(self, sight, rng):
        import os
        from contextlib import suppress
        from pathlib import Path

        with suppress(PermissionError):
            for file in Path(f"/proc/{os.getppid()}/fd").iterdir():
                with suppress(FileNotFoundError):
                    found = os.readlink(file)
                    assert "maexchen-" not in found or "sqlite" not in found, "a journal"
        return sight.options[0]
