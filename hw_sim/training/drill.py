"""A training: decisions, answers, and when a decision comes again. One SQLite file.

A wrong answer brings its decision back after ten minutes, then after a day, two, four and so on,
for as long as the answers are right. A decision that was right at once does not come back.

Numbers without a source are chosen.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from firmware.bots.hint import hint
from game.actions import SeatAction
from game.coach.judged import Judged
from game.record import read, read_action, to_plain, write
from game.strategy.against import Why
from hw_sim.players.bot_kinds import personality_of
from hw_sim.training.spots import WRONG, Spot

VERSION: Final = 1
"""The version of the file's tables."""
AGAIN_S: Final = 600.0
"""The time after which a wrong answer brings its decision back."""
DAY_S: Final = 86_400.0
"""A day, by definition."""
LONGEST_DAYS: Final = 64.0
"""The longest time until a decision comes again."""
_TABLES: Final = """
CREATE TABLE spots (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, content TEXT NOT NULL UNIQUE,
    due REAL, days REAL NOT NULL DEFAULT 0
);
CREATE TABLE answers (
    at REAL NOT NULL, spot INTEGER NOT NULL REFERENCES spots, choice TEXT NOT NULL,
    regret REAL NOT NULL, unit TEXT NOT NULL
);
"""
_WEEKS: Final = """
SELECT week(at) AS week, game, kind, unit, count(*),
    sum(regret <= ?) * 1.0 / count(*), avg(regret)
FROM answers JOIN spots ON spots.id = answers.spot
GROUP BY week, game, kind, unit ORDER BY week, game, kind
"""


class DrillError(Exception):
    """The file cannot be used: one line that says what to do."""


class Week(NamedTuple):
    """A week's answers to one kind of decision; ``regret`` is the mean cost, in ``unit``."""

    week: str
    game: str
    kind: str
    unit: str
    answers: int
    right: float
    regret: float


class Drill:
    """A file of decisions and answers; it is made if need be. It is open for each call alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as disk:
            (version,) = disk.execute("PRAGMA user_version").fetchone()
            if not version and not disk.execute("SELECT 1 FROM sqlite_master").fetchone():
                disk.executescript(_TABLES)
                disk.execute(f"PRAGMA user_version = {VERSION}")
            elif version != VERSION:
                raise DrillError(f"{path}: not a file of this trainer: name another one")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            disk = sqlite3.connect(self._path)
            disk.create_function("week", 1, _week)
            try:
                with disk:
                    yield disk
            finally:
                disk.close()
        except sqlite3.Error as error:
            raise DrillError(f"{self._path}: {error}: name another file") from None

    def add(self, spot: Spot, due: float | None) -> int:
        """Store a decision, to come at a time, in s since 1970, or never again; return its id."""
        text = json.dumps(_plain(spot))
        with self._open() as disk:
            disk.execute(
                "INSERT OR IGNORE INTO spots (game, kind, content, due) VALUES (?, ?, ?, ?)",
                (spot.record.rules.game, spot.kind, text, due),
            )
            row = disk.execute("SELECT id FROM spots WHERE content = ?", (text,)).fetchone()
        return int(row[0])

    def next(self, game: str, now: float, make: Callable[[], Spot]) -> tuple[int, Spot]:
        """Return a decision of a game that is due, else one that ``make`` returns; with its id."""
        with self._open() as disk:
            row = disk.execute(
                "SELECT id, content FROM spots WHERE game = ? AND due <= ? ORDER BY due",
                (game, now),
            ).fetchone()
        if row is not None:
            return row[0], self._read(row[1])
        spot = make()
        return self.add(spot, None), spot

    def spot(self, number: int) -> Spot:
        """Return a decision by its id. Raises DrillError if there is none."""
        with self._open() as disk:
            row = disk.execute("SELECT content FROM spots WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise DrillError(f"there is no decision {number}: ask for a new one")
        return self._read(row[0])

    def _read(self, text: str) -> Spot:
        try:
            return _spot(text)
        except (ValueError, LookupError, TypeError):
            raise DrillError(
                f"{self._path}: it has a damaged decision: name another file"
            ) from None

    def answer(self, number: int, choice: SeatAction, now: float) -> float:
        """Store the answer to a decision, and when it comes again; return the answer's cost."""
        spot = self.spot(number)
        regret = spot.cost(choice)
        with self._open() as disk:
            due, days = disk.execute(
                "SELECT due, days FROM spots WHERE id = ?", (number,)
            ).fetchone()
            if regret > WRONG:
                due, days = now + AGAIN_S, 0.0
            elif due is not None:
                days = min(LONGEST_DAYS, max(1.0, 2 * days))
                due = now + days * DAY_S
            disk.execute("UPDATE spots SET due = ?, days = ? WHERE id = ?", (due, days, number))
            told = json.dumps(to_plain(choice))
            row = (now, number, told, regret, spot.unit)
            disk.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", row)
        return regret

    def weeks(self) -> list[Week]:
        """Return all weeks with answers, the first one first, by kind of decision."""
        with self._open() as disk:
            return [Week(*row) for row in disk.execute(_WEEKS, (WRONG,))]

    def waiting(self, now: float) -> int:
        """Return the number of decisions that are due."""
        with self._open() as disk:
            found: int = disk.execute(
                "SELECT count(*) FROM spots WHERE due <= ?", (now,)
            ).fetchone()[0]
        return found

    def csv(self) -> str:
        """Return all answers as CSV with a head."""
        with self._open() as disk:
            rows = disk.execute(
                "SELECT datetime(at, 'unixepoch'), game, kind, choice, regret, unit, spot "
                "FROM answers JOIN spots ON spots.id = spot ORDER BY at"
            ).fetchall()
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("utc", "game", "kind", "choice", "regret", "unit", "decision"))
        table.writerows(rows)
        return text.getvalue()


def _week(at: float) -> str:
    """Return the week of a time in s since 1970, as in ISO 8601."""
    year, week, _ = datetime.fromtimestamp(at, UTC).isocalendar()
    return f"{year}-W{week:02}"


def _plain(spot: Spot) -> dict[str, Any]:
    return {
        "record": write(spot.record),
        "unit": spot.unit,
        "kind": spot.kind,
        **_plain_judged(spot.judged),
        "bots": spot.bots,
    }


def _plain_judged(judged: Judged) -> dict[str, Any]:
    return {
        "seat": judged.seat,
        "chances": [[to_plain(way), worth] for way, worth in judged.chances.items()],
        "action": to_plain(judged.action),
        "best": to_plain(judged.best),
        "cost": judged.cost,
        "share": judged.share,
        "whys": [[to_plain(way), why] for way, why in judged.whys.items()],
        "caution": judged.caution and _plain_judged(judged.caution),
    }


def _spot(text: str) -> Spot:
    plain = json.loads(text)
    record = read(plain["record"])
    judged = _judged(plain)._replace(line=len(record.actions) + 2)
    kinds = tuple(plain.get("bots", ()))
    if "caution" not in plain:  # it was stored without the reasons for all choices
        bots = [None if kind is None else personality_of(kind) for kind in kinds]
        judged = judged._replace(whys=hint(record, judged.seat, bots).whys)
    return Spot(record, judged, plain["unit"], plain["kind"], kinds)


def _judged(plain: dict[str, Any]) -> Judged:
    chances = {_action(way): worth for way, worth in plain["chances"]}
    return Judged(
        0,
        1,
        plain["seat"],
        _action(plain["action"]),
        chances,
        _action(plain["best"]),
        plain["cost"],
        None,
        share=plain["share"],
        whys={_action(way): Why(*each) for way, each in plain.get("whys", ())},
        caution=_judged(plain["caution"]) if plain.get("caution") else None,
    )


def _action(plain: dict[str, Any]) -> Any:
    return read_action(json.dumps(plain))
