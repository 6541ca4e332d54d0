"""From settings and a journal to a handheld: a new match, or the one a power cut interrupted."""

from collections.abc import Callable

from firmware.cup import Cup, CupError, Where
from firmware.handheld import Handheld
from firmware.handover import Handover
from firmware.journal import Begin, Journal, Put
from firmware.log import LogConflict, PublicLog
from firmware.passing import CUP_KEY, Passing
from firmware.sealing import Sealer, keys_of_table
from firmware.settings import Settings, SettingsError
from game.record import RecordError


def open_handheld(
    settings: Settings, journal: Journal, entropy: Callable[[int], bytes], *, begin: bool = True
) -> Handheld:
    """Make the handheld that the settings describe, with what its journal remembers.

    ``begin``: a match that the journal does not know may begin. Where it has begun already and the
    journal was lost, that would bring a second cup, and seal other words with numbers used before.

    Raises:
        SettingsError: the journal and the settings do not go together.
        JournalError: a new match cannot be written.
    """
    table, seat = settings.table, settings.seat
    log = PublicLog(table.rules, table.names, table.first)
    survived = journal.survived
    try:
        saved = Cup.decode(survived.state[CUP_KEY]) if CUP_KEY in survived.state else None
        if saved is not None and saved.epoch == table.epoch:
            if survived.header != log.header:
                raise SettingsError(
                    f"journal {settings.journal}: its match of epoch {table.epoch} has other rules "
                    "or players: raise table.epoch at every seat to begin a new match"
                )
            log = PublicLog.restored(log.header, survived.entries)
    except (CupError, RecordError, LogConflict) as error:
        raise SettingsError(
            f"journal {settings.journal}: {error}: move it away, raise table.epoch at every seat "
            "and join the table anew"
        ) from None
    if saved is not None and saved.epoch > table.epoch:
        raise SettingsError(
            f"table.epoch = {table.epoch} has been played: write {saved.epoch + 1} at every seat"
        )
    if saved is None or saved.epoch < table.epoch:
        if not begin:
            raise SettingsError(
                f"journal {settings.journal} knows no match of epoch {table.epoch}: begin it with "
                "--begin, once; if it has begun already, raise table.epoch at every seat first"
            )
        where = Where.HOLDING if seat == table.first else Where.IDLE
        saved = Cup(table.epoch, where)
        journal.write((Begin(log.header), Put(CUP_KEY, saved.encode())))
    sealer = Sealer(keys_of_table(table.key, seat, range(len(table.seats))), seat, table.epoch)
    passing = Passing(seat, log, Handover(sealer.seal, saved), sealer)
    return Handheld(passing, entropy, table.faults)
