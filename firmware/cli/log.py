"""``maexchen log``: the matches that a journal has kept, and what everybody did in them.

Dice are secret even afterwards: only what a match made public is counted, and nothing is told of a
throw that is still covered.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from firmware.cli.console import DONE, CommandError, because
from firmware.cli.doctor import language_of
from firmware.display.text.labels import Words
from firmware.journal.sqlite import Journal
from firmware.settings.toml import LANGUAGES, Settings
from firmware.table.log.entries import LogError, decode
from game.record import Record, RecordError, read, replay
from game.statistics import Statistics, statistics
from game.values import Language

BAR_COLUMNS: Final = 40
_COUNTS: Final[Mapping[str, Words]] = {
    "matches": Words("Spiele", "matches"),
    "lost": Words("verloren", "lost"),
    "throws": Words("Würfe", "throws"),
    "looks": Words("Blicke", "looks"),
    "announcements": Words("Ansagen", "announcements"),
    "lies_caught": Words("ertappt", "lies caught"),
    "doubts": Words("Zweifel", "doubts"),
    "right_doubts": Words("zu Recht", "right"),
    "penalties": Words("Strafen", "penalties"),
    "faults": Words("Fehler", "faults"),
}
_ENDED: Final = Words("verloren hat {losers}", "{losers} lost")
_GOES_ON: Final = Words("nicht zu Ende", "not ended")
_NOBODY: Final = Words("niemand hat verloren", "nobody lost")
_NONE: Final = Words("Noch kein Spiel.", "No match yet.")
_ROUND: Final = Words("Runde {round}", "round {round}")
_PLAYER: Final = Words("Spieler", "player")
_CHART: Final = Words("Strafen je Spieler", "penalties by player")

_EXAMPLES = """\
examples:
  maexchen log
  maexchen log --png penalties.png --lang de
  maexchen log --journal journal.sqlite --json
"""


class Past(NamedTuple):
    """One match of the past.

    ``losers``: names; None while the match has not ended. ``counted``: by seat.
    """

    number: int
    record: Record
    rounds: int
    losers: tuple[str, ...] | None
    counted: tuple[Statistics, ...]


def add_command(commands: Any) -> None:
    """Add ``log`` to a command line."""
    parser = commands.add_parser(
        "log",
        help="past matches and what everybody did in them",
        description="List the matches of a journal, with statistics of all players. The handheld "
        "must not be running: systemctl stop maexchen.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "--journal",
        type=Path,
        default=Settings.journal,
        metavar="FILE",
        help="default: %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the penalties, too")
    parser.add_argument("--lang", choices=LANGUAGES, help="language, instead of the locale's")
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    language = language_of(args)
    if not args.journal.exists():
        raise CommandError(f"journal {args.journal}: there is none: name one with --journal")
    with Journal(args.journal) as journal:
        matches = past(journal)
    if args.json:
        print(json.dumps(_as_json(matches), ensure_ascii=False))
    else:
        print("\n".join(lines(matches, language)))
    if args.png is not None:
        try:
            chart(totals(matches), language).save(args.png, "PNG")
        except OSError as error:
            raise CommandError(
                f"picture {args.png}: {because(error)}: name a file that can be written"
            ) from None
    return DONE


def past(journal: Journal) -> list[Past]:
    """Return the matches of a journal, oldest first.

    Raises:
        CommandError: an entry is none, or is against the rules.
        JournalError: the journal cannot be read.
    """
    found = []
    for number, header in journal.matches():
        try:
            empty = read(header.decode())
            actions = tuple(action for entry in journal.entries(number) for action in decode(entry))
            record = Record(empty.rules, empty.players, empty.first, actions)
            steps = list(replay(record))
            counted = statistics(record)
        except (RecordError, LogError, UnicodeDecodeError) as error:
            raise CommandError(
                f"journal {journal.path}: match {number}: {error}: move the file away"
            ) from None
        match = steps[-1].match if steps else None
        ended = match.outcome if match is not None else None
        losers = tuple(record.players[seat] for seat in ended.losers) if ended else None
        found.append(Past(number, record, match.round if match else 1, losers, counted))
    return found


def totals(matches: Sequence[Past]) -> dict[str, dict[str, int]]:
    """Sum up everybody's counts over all matches, by name; also matches and how many he lost."""
    summed: dict[str, dict[str, int]] = {}
    for match in matches:
        for name, counted in zip(match.record.players, match.counted):
            mine = summed.setdefault(name, {"matches": 0, "lost": 0})
            mine["matches"] += 1
            mine["lost"] += name in (match.losers or ())
            for field in fields(Statistics):
                mine[field.name] = mine.get(field.name, 0) + getattr(counted, field.name)
    return summed


def lines(matches: Sequence[Past], language: Language) -> list[str]:
    """Tell the matches, a line each, a table of totals, and bars of the penalties."""
    if not matches:
        return [getattr(_NONE, language)]
    told = []
    for match in matches:
        if match.losers is None:
            end = getattr(_GOES_ON, language)
        elif match.losers:
            end = getattr(_ENDED, language).format(losers=", ".join(match.losers))
        else:
            end = getattr(_NOBODY, language)
        round_ = getattr(_ROUND, language).format(round=match.rounds)
        names = ", ".join(match.record.players)
        told.append(f"{match.number:4}  {match.record.rules.game:12} {names}; {round_}; {end}")
    summed = totals(matches)
    heads = [getattr(head, language) for head in _COUNTS.values()]
    width = max(map(len, (*summed, getattr(_PLAYER, language))))
    told += ["", "  ".join([f"{getattr(_PLAYER, language):{width}}", *heads])]
    for name, numbers in summed.items():
        cells = [f"{numbers[count]:{len(head)}}" for count, head in zip(_COUNTS, heads)]
        told.append("  ".join([f"{name:{width}}", *cells]))
    return [*told, "", getattr(_CHART, language), *_bars(summed, width)]


def _bars(summed: Mapping[str, Mapping[str, int]], width: int) -> list[str]:
    most = max(1, *(numbers["penalties"] for numbers in summed.values()))
    return [
        f"{name:{width}}  {'█' * round(BAR_COLUMNS * numbers['penalties'] / most)} "
        f"{numbers['penalties']}"
        for name, numbers in summed.items()
    ]


def chart(summed: Mapping[str, Mapping[str, int]], language: Language) -> Image.Image:
    """Draw everybody's penalties as bars: 640 pixels wide, 40 for each player."""
    image = Image.new("RGB", (640, 60 + 40 * len(summed)), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    pen.text((20, 16), getattr(_CHART, language), fill="black", font=font)
    most = max([1, *(numbers["penalties"] for numbers in summed.values())])
    for row, (name, numbers) in enumerate(summed.items()):
        top = 52 + 40 * row
        pen.text((20, top + 4), name[:16], fill="black", font=font)
        right = 170 + round(400 * numbers["penalties"] / most)
        pen.rectangle((170, top, max(right, 171), top + 26), fill="#1565c0")
        pen.text((right + 8, top + 4), str(numbers["penalties"]), fill="black", font=font)
    return image


def _as_json(matches: Sequence[Past]) -> dict[str, Any]:
    return {
        "matches": [
            {
                "number": match.number,
                "game": match.record.rules.game,
                "players": list(match.record.players),
                "rounds": match.rounds,
                "losers": None if match.losers is None else list(match.losers),
                "statistics": [asdict(counted) for counted in match.counted],
            }
            for match in matches
        ],
        "totals": totals(matches),
    }
