"""From settings and a journal to a handheld: a new match, or the one a power cut interrupted."""

from collections.abc import Callable

from firmware.device.device import Device
from firmware.device.hot_seat import HotSeat
from firmware.device.new_match import keys_at, lost_handheld, new_handheld
from firmware.device.table_match import TableMatch, terms_of
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES
from firmware.journal.keys import DEVICE_KEY, ONE_HANDHELD_KEY, TABLE_KEY, VOLUME_KEY
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Put
from firmware.lobby.one_handheld import OneHandheld, OneHandheldError
from firmware.play.handheld import Handheld
from firmware.settings.model import Settings
from firmware.settings.table import Faults
from firmware.settings.toml import SettingsError
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.pairing.standing import StandingTable, StandingTableError
from firmware.table.protocol.invitations import DEVICE_BYTES, device_of
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState, SeatStateError
from game.record import RecordError

_STATIC_RANDOM = 0xC0
"""The two highest bits of a static random address (Bluetooth Core, vol 6 part B, 1.3.2.1)."""


def open_handheld(
    settings: Settings,
    journal: Journal,
    entropy: Callable[[int], bytes],
    *,
    begin: bool = True,
    fair: bool = True,
) -> Handheld:
    """Make the handheld that the settings describe, with what its journal remembers.

    ``begin``: a match that the journal does not know may begin. Where it has begun already and the
    journal was lost, that would bring a second cup, and seal other words with numbers used before:
    without ``begin`` the handheld asks the others to go on without it, and watches.
    ``fair``: the dice are committed to; else they come from ``entropy`` as they are, and the others
    show them as unchecked.

    Raises:
        SettingsError: the journal and the settings do not go together.
        JournalError: a new match cannot be written.
    """
    table, seat = settings.table, settings.seat
    log = PublicLog(table.rules, table.names, table.first)
    survived = journal.survived
    try:
        saved = SeatState.load(survived.state)
        if saved is not None and saved.match == table.epoch:
            if survived.header != log.header:
                raise SettingsError(
                    f"journal {settings.journal}: its match of epoch {table.epoch} has other rules "
                    "or players: raise table.epoch at every seat to begin a new match"
                )
            log = PublicLog.restored(log.header, survived.entries)
    except (SeatStateError, RecordError, LogConflict) as error:
        raise SettingsError(
            f"journal {settings.journal}: {error}: move it away, raise table.epoch at every seat "
            "and join the table anew"
        ) from None
    untold = saved is not None and saved.cup.epoch == SeatState.forgotten(table.epoch).cup.epoch
    if begin and saved is not None and saved.lost and untold and not log.index:
        saved = None  # nobody has told of a match that it has forgotten
    played = 0 if saved is None else saved.match
    if played > table.epoch:
        raise SettingsError(
            f"table.epoch = {table.epoch} has been played: write {played + 1} at every seat"
        )
    if saved is None and not begin:
        handheld, writes = lost_handheld(table, seat, entropy)
        journal.write(writes)
        return handheld
    if saved is None or played < table.epoch:
        if not begin:
            raise SettingsError(
                f"journal {settings.journal} knows no match of epoch {table.epoch}: begin it with "
                "--begin, once; if it has begun already, raise table.epoch at every seat first"
            )
        handheld, writes = new_handheld(table, seat, entropy, fair=fair)
        journal.write(writes)
        handheld.volume = kept_volume(journal, settings.volume)
        return handheld
    sealer = Sealer(keys_at(table, seat), seat, saved.cup.epoch)
    handheld = Handheld(Seat(log, sealer, saved, entropy, fair=fair), table.faults)
    handheld.volume = kept_volume(journal, settings.volume)
    return handheld


def kept_volume(journal: Journal, usual: int) -> int:
    """Return the volume that the player chose last on this handheld; ``usual`` if he never did."""
    kept = journal.survived.state.get(VOLUME_KEY, b"")
    return kept[0] if len(kept) == 1 and kept[0] in VOLUMES else usual


def own_device(address: str | None, journal: Journal, entropy: Callable[[int], bytes]) -> bytes:
    """Return the six bytes that name this handheld; made up and written where there are none."""
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
) -> Device:
    """Make a handheld that begins in the lobby, or with the match that its journal remembers.

    ``fair``: see ``open_handheld``; ``volume``: of its sounds, if its player never chose another.

    Raises:
        SettingsError: what the journal remembers does not go together.
    """
    volume = kept_volume(journal, volume)
    survived = journal.survived
    alone = survived.state.get(ONE_HANDHELD_KEY, b"")
    resumed: TableMatch | HotSeat
    if alone:
        try:
            resumed = HotSeat(OneHandheld.decode(alone), entropy, faults, survived)
        except OneHandheldError as error:
            raise SettingsError(f"journal {journal.path}: {error}: move it away") from None
        return Device(device, entropy, name, faults, resumed, fair=fair, volume=volume)
    told = survived.state.get(TABLE_KEY, b"")
    if not told:
        return Device(device, entropy, name, faults, fair=fair, volume=volume)
    try:
        standing = StandingTable.decode(told)
    except StandingTableError as error:
        raise SettingsError(
            f"journal {journal.path}: {error}: move it away and join the table anew"
        ) from None
    settings = Settings(terms_of(standing, faults), standing.agreed.me, journal=journal.path)
    handheld = open_handheld(settings, journal, entropy, begin=False, fair=fair)
    resumed = TableMatch(standing, handheld)
    return Device(device, entropy, name, faults, resumed, fair=fair, volume=volume)
