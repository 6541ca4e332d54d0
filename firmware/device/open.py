"""From settings and a journal to a handheld: in the lobby, at a new match, or at its last one."""

from collections.abc import Callable
from dataclasses import replace

from firmware.device import SeatMaker, empty_log, whose
from firmware.device.device import Device
from firmware.device.hot_seat import HotSeat
from firmware.device.table_match import TableMatch
from firmware.effects import VOLUMES
from firmware.journal import (
    DEVICE_KEY,
    ONE_HANDHELD_KEY,
    RULES_KEY,
    SEAT_KEY,
    TABLE_KEY,
    VOLUME_KEY,
    Put,
)
from firmware.journal.sqlite import Journal
from firmware.lobby.choices import OneHandheld, OneHandheldError
from firmware.settings import BY_LIGHT, Settings, SettingsError
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.pairing.standing import StandingTable, StandingTableError
from firmware.table.protocol.invitations import DEVICE_BYTES, device_of
from firmware.table.seat.memory import SeatState, SeatStateError
from game.record import RecordError

_STATIC_RANDOM = 0xC0
"""The two highest bits of a static random address (Bluetooth Core, vol 6 part B, 1.3.2.1)."""
_JOIN_ANEW = (
    "move it away and join the table anew; a fixed table needs a higher table.epoch at every seat"
)


def open_device(
    settings: Settings,
    journal: Journal,
    entropy: Callable[[int], bytes],
    *,
    begin: bool = False,
    fair: bool = True,
) -> Device:
    """Make the handheld that the settings describe, with the match that its journal has.

    ``begin``, ``fair``: see ``open_match``; ``entropy`` returns that many random bytes.

    Raises:
        SettingsError: the journal contradicts itself or the settings.
        JournalError: a new match, or the handheld's own address, cannot be written.
    """
    return Device(
        own_device(settings.address, journal, entropy),
        _maker(settings, entropy, fair),
        settings.name,
        open_match(settings, journal, entropy, begin=begin, fair=fair),
        volume=kept_volume(journal, settings.volume),
        rules=journal.survived.state.get(RULES_KEY, b""),
        afar="mqtt" in settings.link,
    )


def _maker(settings: Settings, entropy: Callable[[int], bytes], fair: bool) -> SeatMaker:
    by_light = settings.link == BY_LIGHT
    return SeatMaker(entropy, settings.faults, fair, by_light, settings.opponent)


def open_match(
    settings: Settings,
    journal: Journal,
    entropy: Callable[[int], bytes],
    *,
    begin: bool = False,
    fair: bool = True,
) -> TableMatch | HotSeat | None:
    """Return the match that a handheld begins with; None: it begins in the lobby.

    Args:
        settings: of the handheld.
        journal: of the handheld; takes the first match of a fixed table.
        entropy: returns that many random bytes.
        begin: allows an unknown match of a fixed table to begin. If it began before the journal was
            lost, this brings a second cup and reuses frame numbers. Without ``begin`` the handheld
            asks the others to go on without it, and watches.
        fair: the dice are committed to; else they come from ``entropy`` as they are, and the others
            show them as unchecked.

    Raises:
        SettingsError: the journal contradicts itself or the settings.
        JournalError: a new match cannot be written.
    """
    state, fixed, path = journal.survived.state, settings.standing, journal.path
    maker = _maker(settings, entropy, fair)
    kept: StandingTable | None = None
    try:
        if fixed is None and (alone := state.get(ONE_HANDHELD_KEY)):
            wanted = OneHandheld.decode(alone)
            return HotSeat(wanted, maker, journal.survived)
        if table := state.get(TABLE_KEY):
            kept = StandingTable.decode(table)
    except OneHandheldError as error:
        raise SettingsError(f"journal {path}: {error}: move it away") from None
    except StandingTableError as error:
        raise SettingsError(f"journal {path}: {error}: {_JOIN_ANEW}") from None
    if kept is not None and kept.is_fixed is (fixed is None):
        kept = None  # the settings have got a table since, or have lost it
    if fixed is None:
        if kept is not None and kept.device(kept.agreed.me) != own_device(
            settings.address, journal, entropy
        ):
            raise SettingsError(
                f"journal {path} is that of another handheld: put its own back, or move it away "
                "and join the table anew"
            )
    elif kept is None or kept.number < fixed.number:
        if kept is not None and not begin:
            raise SettingsError(
                f"journal {path} knows no match of epoch {fixed.number}: begin it with --begin, "
                "once; if it has begun already, raise table.epoch at every seat first"
            )
        return _begun(maker, fixed, journal, lost=not begin)
    else:
        same = replace(fixed, number=kept.number, first=kept.first, lost=kept.lost)
        if same.encode() != kept.encode():
            raise SettingsError(
                f"journal {path}: its match of epoch {kept.number} is that of another table or "
                "seat, or has other rules or players: put its own journal back, or raise "
                "table.epoch at every seat"
            )
        kept = same
    if kept is None:
        return None
    match = _resumed(maker, kept, journal)
    if fixed is not None and begin and _only_forgot(match):
        return _begun(maker, fixed, journal, lost=False)
    return match


def _begun(maker: SeatMaker, table: StandingTable, journal: Journal, *, lost: bool) -> TableMatch:
    """Begin a match, or (``lost``) take part in it without a memory of it."""
    match, writes = TableMatch.new(table, maker, lost=lost)
    journal.write(writes)
    return match


def _resumed(maker: SeatMaker, table: StandingTable, journal: Journal) -> TableMatch:
    """Return the match that the journal has."""
    survived, log = journal.survived, empty_log(table)
    try:
        saved = SeatState.load(survived.state)
        if saved is None or saved.match != table.number or survived.header != log.header:
            raise SeatStateError("its match is not that of its table")
        if survived.state.get(SEAT_KEY) != whose(table):
            raise SeatStateError("its match is that of another seat")
        log = PublicLog.restored(log.header, survived.entries)
    except (SeatStateError, RecordError, LogConflict) as error:
        raise SettingsError(f"journal {journal.path}: {error}: {_JOIN_ANEW}") from None
    return TableMatch(table, maker.seated(table, saved, log))


def _only_forgot(match: TableMatch) -> bool:
    """Whether it has lost its memory, and no other seat has told it anything since."""
    seat = match.handheld.own_seat
    fresh_epoch = SeatState.forgotten(match.standing.number).cup.epoch
    return seat.lost and seat.epoch == fresh_epoch and not seat.log.index


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
