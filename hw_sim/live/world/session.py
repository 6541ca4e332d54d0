"""A session as it was played: what was done to the handhelds, and when, in virtual time.

One JSON object per line: first what was set up, with the journals that it began with, then every
command as ``[t_us, seat, kind, values]`` (`hw_sim.live.world.commands`), at last when it ended and
the digest of what the buses, panels and the air had carried by then. Done again, it is the same to
the byte.
"""

import base64
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from firmware.cli.console import CommandError, because
from hw_sim.live.world.commands import Command, decode, encode

FORMAT = "maexchen session 1"
MOST_BYTES = 64 * 1024 * 1024


class Stimulus(NamedTuple):
    """A command and the virtual time in µs at which it was done."""

    t_us: int
    command: Command


@dataclass
class Session:
    """A session: its set-up as JSON, the journals it began with by file name, its stimuli.

    ``digest`` is the world's at ``end_us``, empty where that is not known.
    """

    setup: dict[str, Any]
    journals: dict[str, bytes] = field(default_factory=dict)
    stimuli: list[Stimulus] = field(default_factory=list)
    end_us: int = 0
    digest: str = ""

    def text(self) -> str:
        """The text of its file, JSON Lines, which `read` reads."""
        head = {
            "format": FORMAT,
            "setup": self.setup,
            "journals": {
                name: base64.b64encode(data).decode() for name, data in self.journals.items()
            },
        }
        lines = [json.dumps(head, sort_keys=True)]
        lines += [json.dumps((t_us, *encode(command))) for t_us, command in self.stimuli]
        lines.append(json.dumps([self.end_us, -1, "end", [self.digest]]))
        return "\n".join(lines) + "\n"

    def unpack(self, folder: Path) -> None:
        """Write the journals that it began with into a folder that exists."""
        for name, data in self.journals.items():
            (folder / name).write_bytes(data)


def journals_in(folder: Path, seats: int) -> dict[str, bytes]:
    """The bytes of the journals in a folder by file name, with what lies beside them."""
    names = [f"seat{seat}.sqlite{end}" for seat in range(seats) for end in ("", "-wal", "-count")]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def read(text: str, name: str) -> Session:
    """Read a session; ``name`` is what a complaint calls it.

    Raises:
        CommandError: it is none.
    """
    try:
        head, *lines = [json.loads(line) for line in text.splitlines()]
        if head["format"] != FORMAT:
            raise ValueError("another format")
        session = Session(
            head["setup"],
            {
                str(Path(each).name): base64.b64decode(data)
                for each, data in head["journals"].items()
            },
        )
        for t_us, seat, kind, values in lines:
            session.end_us = max(session.end_us, int(t_us))
            if kind == "end":
                session.digest = str(values[0]) if values else ""
            else:
                session.stimuli.append(Stimulus(int(t_us), decode(int(seat), kind, values)))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise CommandError(
            f"session {name}: no session of a table: give a file that the table has kept"
        ) from None
    return session


def load(path: Path) -> Session:
    """Read a session from a file.

    Raises:
        CommandError: it cannot be read or is none.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise CommandError(f"session {path}: too long for a session: give another file")
        return read(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise CommandError(f"session {path}: {because(error)}: name a file to read") from None
    except UnicodeDecodeError:
        raise CommandError(f"session {path}: no text: give a file that the table kept") from None
