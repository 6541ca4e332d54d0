"""From settings and a journal to a handheld: a new match, or the one that was interrupted."""

from collections.abc import Callable
from enum import Enum, auto

from firmware.device.device import Device
from firmware.device.hot_seat import HotSeat
from firmware.device.new_match import empty_log, new_handheld, seated, whose
from firmware.device.table_match import TableMatch, terms_of
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES
from firmware.journal.keys import DEVICE_KEY, ONE_HANDHELD_KEY, SEAT_KEY, TABLE_KEY, VOLUME_KEY
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Put, Survived
from firmware.lobby.one_handheld import OneHandheld, OneHandheldError
from firmware.play.handheld import Handheld
from firmware.settings.model import BY_LIGHT, Media, Opponents, Settings
from firmware.settings.table import Faults
from firmware.settings.toml import SettingsError
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.pairing.standing import StandingTable, StandingTableError
from firmware.table.protocol.invitations import DEVICE_BYTES, device_of
from firmware.table.seat.storage import SeatState, SeatStateError
from game.record import RecordError

_STATIC_RANDOM = 0xC0
"""The two highest bits of a static random address (Bluetooth Core, vol 6 part B, 1.3.2.1)."""


class _Knows(Enum):
    """The match in a journal, compared with the one that the settings name by epoch."""

    NOTHING = auto()
    OLDER = auto()
    THIS = auto()
    ONLY_THAT_IT_FORGOT = auto()
    """This match, after a memory loss, before any other seat told it anything."""
    NEWER = auto()


def open_handheld(
    settings: Settings,
    journal: Journal,
    entropy: Callable[[int], bytes],
    *,
    begin: bool = True,
    fair: bool = True,
) -> Handheld:
    """Make the handheld that the settings describe, with what its journal has.

    Args:
        settings: with a table.
        journal: of this handheld; takes the new match.
        entropy: returns that many random bytes.
        begin: allows an unknown match to begin. If it began before the journal was lost, this
            brings a second cup and reuses frame numbers. Without ``begin`` the handheld asks the
            others to go on without it, and watches.
        fair: the dice are committed to; else they come from ``entropy`` as they are, and the others
            show them as unchecked.

    Raises:
        SettingsError: the journal and the settings contradict each other.
        JournalError: a new match cannot be written.
    """
    table, seat = settings.table, settings.seat
    saved, log = _remembered(settings, journal.survived)
    by_light = settings.link == BY_LIGHT
    match _knows(saved, log, table.epoch), begin:
        case _Knows.NEWER, _:
            played = 0 if saved is None else saved.match
            raise SettingsError(
                f"table.epoch = {table.epoch} has been played: write {played + 1} at every seat"
            )
        case _Knows.OLDER, False:
            raise SettingsError(
                f"journal {settings.journal} knows no match of epoch {table.epoch}: begin it with "
                "--begin, once; if it has begun already, raise table.epoch at every seat first"
            )
        case (_Knows.THIS, _) | (_Knows.ONLY_THAT_IT_FORGOT, False):
            assert saved is not None, "this match is known"
            handheld = seated(table, seat, saved, log, entropy, fair=fair, by_light=by_light)
        case _:
            handheld, writes = new_handheld(
                table, seat, entropy, fair=fair, lost=not begin, by_light=by_light
            )
            journal.write(writes)
    handheld.volume = kept_volume(journal, settings.volume)
    return handheld


def _knows(saved: SeatState | None, log: PublicLog, epoch: int) -> _Knows:
    if saved is None:
        return _Knows.NOTHING
    if saved.match != epoch:
        return _Knows.OLDER if saved.match < epoch else _Knows.NEWER
    untold = saved.cup.epoch == SeatState.forgotten(epoch).cup.epoch and not log.index
    return _Knows.ONLY_THAT_IT_FORGOT if saved.lost and untold else _Knows.THIS


def _remembered(settings: Settings, survived: Survived) -> tuple[SeatState | None, PublicLog]:
    """Return the kept data of the last match, and the log of the one that the settings name."""
    table, log = settings.table, empty_log(settings.table)
    try:
        saved = SeatState.load(survived.state)
        if saved is None or saved.match != table.epoch:
            return saved, log
        if survived.state.get(SEAT_KEY) != whose(table, settings.seat):
            raise SettingsError(
                f"journal {settings.journal} is that of another seat, or of another table: put its "
                "own back, or move it away and start again"
            )
        if survived.header == log.header:
            return saved, PublicLog.restored(log.header, survived.entries)
    except (SeatStateError, RecordError, LogConflict) as error:
        raise SettingsError(
            f"journal {settings.journal}: {error}: move it away, raise table.epoch at every seat "
            "and join the table anew"
        ) from None
    raise SettingsError(
        f"journal {settings.journal}: its match of epoch {table.epoch} has other rules "
        "or players: raise table.epoch at every seat to begin a new match"
    )


def kept_volume(journal: Journal, usual: int) -> int:
    """Return the volume that the player chose last, 0 to 3; ``usual`` before any choice."""
    kept = journal.survived.state.get(VOLUME_KEY, b"")
    return kept[0] if len(kept) == 1 and kept[0] in VOLUMES else usual


def own_device(address: str | None, journal: Journal, entropy: Callable[[int], bytes]) -> bytes:
    """Return the six bytes that name this handheld.

    ``address``: of its Bluetooth controller; None takes the journal's, or draws new ones and writes
    them.

    Raises:
        JournalError: the new bytes cannot be written.
    """
    if address is not None:
        return device_of(address)
    kept = journal.survived.state.get(DEVICE_KEY, b"")
    if len(kept) == DEVICE_BYTES:
        return kept
    drawn = entropy(DEVICE_BYTES)
    device = bytes((drawn[0] | _STATIC_RANDOM, *drawn[1:]))
    journal.write((Put(DEVICE_KEY, device),))
    return device


def open_device(
    device: bytes,
    name: str | None,
    journal: Journal,
    entropy: Callable[[int], bytes],
    faults: Faults = "ask",
    *,
    fair: bool = True,
    volume: int = USUAL_VOLUME,
    opponent: Opponents = "usual",
    link: Media = ("bluetooth",),
) -> Device:
    """Make a handheld that begins in the lobby, or with the match that its journal has.

    ``device``, ``name``, ``faults``, ``opponent``, ``link``: see ``Device``; ``fair``: see
    ``open_handheld``; ``volume``: of its sounds, until its player chooses another.

    Raises:
        JournalError: that a match was forgotten cannot be written.
        SettingsError: the journal's data contradicts itself.
    """
    state = journal.survived.state
    resumed: TableMatch | HotSeat | None = None
    try:
        if alone := state.get(ONE_HANDHELD_KEY):
            wanted = OneHandheld.decode(alone)
            resumed = HotSeat(wanted, entropy, faults, journal.survived, opponent)
        elif table := state.get(TABLE_KEY):
            standing = StandingTable.decode(table)
            if standing.device(standing.agreed.me) != device:
                raise SettingsError(
                    f"journal {journal.path} is that of another handheld: put its own back, or "
                    "move it away and join the table anew"
                )
            terms = terms_of(standing, faults)
            settings = Settings(terms, standing.agreed.me, journal=journal.path, link=link)
            handheld = open_handheld(settings, journal, entropy, begin=False, fair=fair)
            resumed = TableMatch(standing, handheld)
    except OneHandheldError as error:
        raise SettingsError(f"journal {journal.path}: {error}: move it away") from None
    except StandingTableError as error:
        raise SettingsError(
            f"journal {journal.path}: {error}: move it away and join the table anew"
        ) from None
    volume = kept_volume(journal, volume)
    return Device(
        device,
        entropy,
        name,
        faults,
        resumed,
        fair=fair,
        volume=volume,
        opponent=opponent,
        link=link,
    )
