"""From settings and a journal to a handheld: a new match, or the one a power cut interrupted."""

from collections.abc import Callable

from firmware.cup import Cup, CupError, Where
from firmware.fairness import SEED_BYTES
from firmware.fairplay import FairError, FairPlay, Kept
from firmware.handheld import Handheld
from firmware.handover import Handover
from firmware.journal import Begin, Journal, Put, Survived
from firmware.log import LogConflict, PublicLog
from firmware.messages import Vote
from firmware.passing import CAUGHT_KEY, CUP_KEY, FAIR_KEY, LEARNING_KEY, VOTES_KEY, Passing
from firmware.sealing import Sealer, keys_of_table
from firmware.settings import Settings, SettingsError
from firmware.votes import EPOCHS_PER_MATCH, unpacked_votes
from game.record import RecordError


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
    journal was lost, that would bring a second cup, and seal other words with numbers used before.
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
        saved = Cup.decode(survived.state[CUP_KEY]) if CUP_KEY in survived.state else None
        if saved is not None and saved.epoch // EPOCHS_PER_MATCH == table.epoch:
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
    played = 0 if saved is None else saved.epoch // EPOCHS_PER_MATCH
    if played > table.epoch:
        raise SettingsError(
            f"table.epoch = {table.epoch} has been played: write {played + 1} at every seat"
        )
    votes: tuple[Vote, ...] = ()
    learning = False
    caught = b""
    if saved is None or played < table.epoch:
        if not begin:
            raise SettingsError(
                f"journal {settings.journal} knows no match of epoch {table.epoch}: begin it with "
                "--begin, once; if it has begun already, raise table.epoch at every seat first"
            )
        where = Where.HOLDING if seat == table.first else Where.IDLE
        kept = Kept(entropy(SEED_BYTES) if fair else bytes(SEED_BYTES))
        saved = Cup(EPOCHS_PER_MATCH * table.epoch, where)
        journal.write(
            (
                Begin(log.header),
                Put(CUP_KEY, saved.encode()),
                Put(VOTES_KEY, b""),
                Put(LEARNING_KEY, b"\0"),
                Put(FAIR_KEY, kept.encode()),
                Put(CAUGHT_KEY, b""),
            )
        )
    else:
        votes = unpacked_votes(survived.state.get(VOTES_KEY, b""))
        learning = survived.state.get(LEARNING_KEY) == b"\1"
        caught = survived.state.get(CAUGHT_KEY, b"")
        kept = _kept(settings, survived)
    sealer = Sealer(keys_of_table(table.key, seat, range(len(table.seats))), seat, saved.epoch)
    handover = Handover(sealer.seal, saved)
    play = FairPlay(seat, log.ledger.match, kept) if fair else None
    passing = Passing(
        seat, log, handover, sealer, votes, learning=learning, fair=play, caught=caught
    )
    return Handheld(passing, entropy, table.faults)


def _kept(settings: Settings, survived: Survived) -> Kept:
    try:
        return Kept.decode(survived.state.get(FAIR_KEY, b""))
    except FairError as error:
        raise SettingsError(
            f"journal {settings.journal}: {error}: move it away, raise table.epoch at every seat "
            "and join the table anew"
        ) from None
