"""Journals that were damaged, cut, lost, swapped or taken back, at one seat of a table that plays.

Every case puts other files in place of a seat's journal and switches it on again. It must be what
was written last, be refused in one line, or have its seat lose its memory: never a second cup, nor
a header over two bodies. The tables play on with what was taken.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from tests.support.core_table import UndoneError
from tests.support.old_journals import Files, S, WatchedTable, files_of, losses, mixtures, spoilt

_MOST_TABLE_CASES = 60
_SPOILT_AT_ONCE = 25
_QUICK = "/dev/shm"
"""In memory, where nothing waits for a disk."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Damage journals for so long. Returns how many, and what became of them."""
    until = monotonic() + seconds
    tally: Counter[str] = Counter()
    number = 0
    while monotonic() < until or not tally:
        with TemporaryDirectory(dir=_QUICK if Path(_QUICK).is_dir() else None) as folder:
            _play(Path(folder), f"{seed}/{number}", tally, until)
        number += 1
    return {"damaged journals": tally.total(), "tables": number, **dict(sorted(tally.items()))}


def _play(folder: Path, seed: str, tally: Counter[str], until: float) -> None:
    """Play a while, then try one case after the other, until one of them has been taken."""
    chance = Random(seed)
    table = WatchedTable(
        chance.choice((3, 4)), folder=folder, seed=seed, game=chance.choice(("class", "maxen"))
    )
    with suppress(UndoneError):
        table.walk(chance, most=chance.randrange(3, 25))
    table.wait(chance.randrange(2_000) * 1_000)
    seat = chance.randrange(table.size)
    for number, (how, files) in enumerate(_cases(table, seat, chance)):
        if number >= _MOST_TABLE_CASES or monotonic() >= until:
            break
        if _is_taken(table, seat, f"{seed}, {how}", files, tally):
            with suppress(UndoneError):
                table.play_on(chance, most=5)
            break
    table.close()


def _is_taken(table: WatchedTable, seat: int, how: str, files: Files, tally: Counter[str]) -> bool:
    """Whether a seat takes these files, and has lost its memory or what it was written last."""
    place = table[seat]
    newest, log, cup = files_of(place.journal.path), place.own_seat.log.at, place.cup
    refused = table.come_back(seat, files)
    if refused is not None:
        assert "\n" not in str(refused), how
        tally["refused"] += 1
        assert table.come_back(seat, newest) is None, f"{how}: the journal itself is refused now"
        table.wait(S)
        assert not place.own_seat.lost, f"{how}: the journal itself is forgotten now"
        return False
    table.wait(25 * S)
    own_seat = place.own_seat
    if own_seat.lost:
        tally["lost memory"] += 1
    else:
        assert own_seat.log.at == log, how
        assert own_seat.cup.last >= cup.last, f"{how}: went back in time"
        tally["as it was"] += 1
    return own_seat.lost


def _cases(table: WatchedTable, seat: int, chance: Random) -> Iterator[tuple[str, Files]]:
    """What can become of a seat's journal, in any order: the name of each, and the files."""
    path = table[seat].journal.path
    newest = files_of(path)
    older = chance.choice(table.disks[seat])
    other = chance.choice([place for place in table.places if place.seat != seat])
    foreign = {
        name.replace(f"seat{other.seat}", f"seat{seat}"): data
        for name, data in chance.choice(table.disks[other.seat]).items()
    }
    table[seat].journal.close()
    closed = files_of(path)
    table.come_back(seat, newest)
    cases = [
        *spoilt(newest, chance, _SPOILT_AT_ONCE),
        *spoilt(closed, chance, _SPOILT_AT_ONCE),
        *losses(newest),
        *losses(closed),
        *mixtures(newest, older),
        *mixtures(newest, foreign),
        *mixtures(closed, older),
        (f"journal of seat {other.seat}", foreign),
        ("old copy", older),
    ]
    chance.shuffle(cases)
    yield from cases
