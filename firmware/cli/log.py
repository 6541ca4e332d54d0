"""``maexchen log``: the matches in a journal, and what each player did in them.

Dice stay secret afterwards. Only the public part of a match is counted, and a throw that is still
covered is not shown.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError, because
from firmware.cli.past_matches import PastMatch, past_matches, totals
from firmware.display.oled.font import write
from firmware.display.text.words import Words, words
from firmware.journal.sqlite import Journal
from firmware.settings.model import Settings
from game.spoken import Language

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
    add_locale_language(parser)
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    try:
        args.journal.stat()
    except PermissionError:
        raise CommandError(
            f"journal {args.journal}: only the service's user may read it: sudo -u maexchen, "
            "before the command"
        ) from None
    except OSError:
        raise CommandError(
            f"journal {args.journal}: there is none: name one with --journal"
        ) from None
    with Journal(args.journal) as journal:
        matches = past_matches(journal)
    if args.json:
        print(json.dumps(_as_json(matches), ensure_ascii=False))
    else:
        print("\n".join(lines(matches, args.language)))
    if args.png is not None:
        try:
            chart(totals(matches), args.language).save(args.png, "PNG")
        except OSError as error:
            raise CommandError(
                f"picture {args.png}: {because(error)}: name a file that can be written"
            ) from None
    return DONE


def lines(matches: Sequence[PastMatch], language: Language) -> list[str]:
    """Return a line for each match, a table of totals, and bars of the penalties."""
    if not matches:
        return [words(_NONE, language)]
    told = []
    for match in matches:
        if match.losers is None:
            end = words(_GOES_ON, language)
        elif match.losers:
            end = words(_ENDED, language).format(losers=", ".join(match.losers))
        else:
            end = words(_NOBODY, language)
        round_ = words(_ROUND, language).format(round=match.rounds)
        names = ", ".join(match.record.players)
        told.append(f"{match.number:4}  {match.record.rules.game:12} {names}; {round_}; {end}")
    summed = totals(matches)
    heads = [words(head, language) for head in _COUNTS.values()]
    width = max(map(len, (*summed, words(_PLAYER, language))))
    told += ["", "  ".join([f"{words(_PLAYER, language):{width}}", *heads])]
    for name, numbers in summed.items():
        cells = [f"{numbers[count]:{len(head)}}" for count, head in zip(_COUNTS, heads)]
        told.append("  ".join([f"{name:{width}}", *cells]))
    return [*told, "", words(_CHART, language), *_bars(summed, width)]


def _bars(summed: Mapping[str, Mapping[str, int]], width: int) -> list[str]:
    most = max(1, *(numbers["penalties"] for numbers in summed.values()))
    return [
        f"{name:{width}}  {'█' * round(BAR_COLUMNS * numbers['penalties'] / most)} "
        f"{numbers['penalties']}"
        for name, numbers in summed.items()
    ]


def chart(summed: Mapping[str, Mapping[str, int]], language: Language) -> Image.Image:
    """Draw all penalties as bars: 640 pixels wide, 40 for each player."""
    image = Image.new("RGB", (640, 60 + 40 * len(summed)), "white")
    pen = ImageDraw.Draw(image)
    write(image, (20, 30), words(_CHART, language))
    most = max([1, *(numbers["penalties"] for numbers in summed.values())])
    for row, (name, numbers) in enumerate(summed.items()):
        top = 52 + 40 * row
        write(image, (20, top + 18), name)
        right = 170 + round(400 * numbers["penalties"] / most)
        pen.rectangle((170, top, max(right, 171), top + 26), fill="#1565c0")
        write(image, (right + 8, top + 18), str(numbers["penalties"]))
    return image


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
