"""``maexchen log``: the matches in a journal; and the arguments of ``maexchen watch``.

Dice stay secret afterwards. Only the public part of a match is counted, and a throw that is still
covered is not shown.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from firmware.cli.arguments import MOST_PORT, InputFile, OutputFile, add_locale_language, between
from firmware.cli.console import DONE, CommandError, write_picture
from firmware.display.text.language import Language, say
from firmware.journal import who_may_read
from firmware.journal.sqlite import Journal
from firmware.settings import Settings
from firmware.table.log.entries import EntryError, decode_entries
from game.record import Record, RecordError, Statistics, read, replay, statistics

if TYPE_CHECKING:
    from PIL import Image


class PastMatch(NamedTuple):
    """One match of the past.

    ``losers``: names; None while the match has not ended. ``counted`` is by seat.
    """

    number: int
    record: Record
    rounds: int
    losers: tuple[str, ...] | None
    counted: tuple[Statistics, ...]


def past_matches(journal: Journal) -> list[PastMatch]:
    """Return the matches of a journal, oldest first.

    Raises:
        CommandError: an entry cannot be decoded, or breaks the rules.
        JournalError: the journal cannot be read.
    """
    found = []
    for number, header in journal.matches():
        try:
            empty = read(header.decode())
            actions = tuple(
                action for entry in journal.entries(number) for action in decode_entries(entry)
            )
            record = Record(empty.rules, empty.players, empty.first, actions)
            steps = list(replay(record))
            counted = statistics(len(record.players), steps)
        except (RecordError, EntryError, UnicodeDecodeError) as error:
            raise CommandError(
                f"journal {journal.path}: match {number}: {error}: move the file away"
            ) from None
        match = steps[-1].match if steps else None
        ended = match.outcome if match is not None else None
        losers = tuple(record.players[seat] for seat in ended.losers) if ended else None
        found.append(PastMatch(number, record, match.round if match else 1, losers, counted))
    return found


def totals(matches: Sequence[PastMatch]) -> dict[str, dict[str, int]]:
    """Return counts over all matches by name, then by what is counted; matches and losses too."""
    summed: dict[str, dict[str, int]] = {}
    for match in matches:
        for name, counted in zip(match.record.players, match.counted):
            mine = summed.setdefault(name, {"matches": 0, "lost": 0})
            mine["matches"] += 1
            mine["lost"] += name in (match.losers or ())
            for field in fields(Statistics):
                mine[field.name] = mine.get(field.name, 0) + getattr(counted, field.name)
    return summed


BAR_COLUMNS: Final = 40
"""Columns of the longest bar; chosen."""
_COUNTS: Final = (
    *("matches", "lost", "throws", "looks", "announcements", "lies_caught", "doubts"),
    *("right_doubts", "penalties", "faults"),
)

_LOG_EXAMPLES = """\
examples:
  maexchen log
  maexchen log --png penalties.png --lang de
  maexchen log --journal journal.sqlite --json
"""


def add_log(commands: Any) -> None:
    """Add ``log`` to a command line."""
    parser = commands.add_parser(
        "log",
        help="past matches and what everybody did in them",
        description="List the matches of a journal, with statistics of all players. The handheld "
        "must not be running: systemctl stop maexchen.",
        epilog=_LOG_EXAMPLES,
    )
    parser.add_argument(
        "--journal",
        type=Path,
        default=Settings.journal,
        metavar="FILE",
        help="default: %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    parser.add_argument("--png", type=OutputFile, metavar="FILE", help="draw the penalties, too")
    add_locale_language(parser)
    parser.set_defaults(command=_log)


def _log(args: argparse.Namespace) -> int:
    try:
        args.journal.stat()
    except PermissionError:
        raise CommandError(f"journal {args.journal}: {who_may_read(args.journal)}") from None
    except OSError:
        raise CommandError(
            f"journal {args.journal}: there is none: name one with --journal"
        ) from None
    with Journal(args.journal) as journal:
        matches = past_matches(journal)
    if args.png is not None:
        write_picture(args.png, chart(totals(matches), args.language))
    if args.json:
        print(json.dumps(_as_json(matches), ensure_ascii=False))
    else:
        print("\n".join(lines(matches, args.language)))
    return DONE


def lines(matches: Sequence[PastMatch], language: Language) -> list[str]:
    """Return a line for each match, a table of totals, and bars of the penalties."""
    if not matches:
        return [say("past.NONE", language)]
    told = []
    for match in matches:
        if match.losers is None:
            end = say("past.GOES_ON", language)
        elif match.losers:
            end = say("past.ENDED", language, losers=", ".join(match.losers))
        else:
            end = say("past.NOBODY", language)
        round_ = say("past.ROUND", language, round=match.rounds)
        names = ", ".join(match.record.players)
        told.append(f"{match.number:4}  {match.record.rules.game:12} {names}; {round_}; {end}")
    summed = totals(matches)
    heads = [say(f"past.{count}", language) for count in _COUNTS]
    width = max(map(len, (*summed, say("past.PLAYER", language))))
    told += ["", "  ".join([f"{say('past.PLAYER', language):{width}}", *heads])]
    for name, numbers in summed.items():
        cells = [f"{numbers[count]:{len(head)}}" for count, head in zip(_COUNTS, heads)]
        told.append("  ".join([f"{name:{width}}", *cells]))
    return [*told, "", say("past.CHART", language), *_bars(summed, width)]


def _bars(summed: Mapping[str, Mapping[str, int]], width: int) -> list[str]:
    most = max(1, *(numbers["penalties"] for numbers in summed.values()))
    return [
        f"{name:{width}}  {'█' * round(BAR_COLUMNS * numbers['penalties'] / most)} "
        f"{numbers['penalties']}"
        for name, numbers in summed.items()
    ]


def _as_json(matches: Sequence[PastMatch]) -> dict[str, Any]:
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


def chart(summed: Mapping[str, Mapping[str, int]], language: Language) -> "Image.Image":
    """Draw all penalties as bars: 640 pixels wide, 40 for each player."""
    from PIL import Image, ImageDraw  # needs the extra pictures

    from firmware.display.oled.lettering import write

    image = Image.new("RGB", (640, 60 + 40 * len(summed)), "white")
    pen = ImageDraw.Draw(image)
    write(image, (20, 30), say("past.CHART", language))
    most = max([1, *(numbers["penalties"] for numbers in summed.values())])
    for row, (name, numbers) in enumerate(summed.items()):
        top = 52 + 40 * row
        write(image, (20, top + 18), name)
        right = 170 + round(400 * numbers["penalties"] / most)
        pen.rectangle((170, top, max(right, 171), top + 26), fill="#1565c0")
        write(image, (right + 8, top + 18), str(numbers["penalties"]))
    return image


HOST = "127.0.0.1"
_WATCH_EXAMPLES = """\
examples:
  maexchen watch mqtts://broker.example 0123456789abcdef0123456789abcdef
  maexchen watch mqtt://127.0.0.1 0123456789abcdef0123456789abcdef --port 8022
"""


def add_watch(commands: Any) -> None:
    """Add ``watch`` to a command line."""
    watch = commands.add_parser(
        "watch",
        help="watch a table that tells anybody how it stands",
        description="Tell what happens at a table, checked as it comes: rules, dice that are laid "
        "open, and who says so. Latecomers are told all of the match. The tag of a table is "
        "told by its handhelds.",
        epilog=_WATCH_EXAMPLES,
    )
    watch.add_argument("broker", metavar="URL", help="mqtts://[user:password@]host[:port]")
    watch.add_argument("tag", metavar="TAG", help="of the table: 32 hexadecimal digits")
    add_locale_language(watch)
    watch.add_argument("--ca", type=InputFile, metavar="FILE", help="who vouches for it (PEM)")
    watch.add_argument(
        "--insecure", action="store_true", help="also speak to a host elsewhere without TLS"
    )
    watch.add_argument(
        "--port",
        type=between(int, 0, MOST_PORT),
        metavar="P",
        help="show it in browsers, at this port",
    )
    watch.add_argument("--host", default=HOST, help=f"where to listen (default: {HOST})")
    watch.set_defaults(command=_watch)


def _watch(args: argparse.Namespace) -> int:
    from firmware.cli import following  # needs the extras broker and pages

    return following.watch(args)
