"""The store of a browser: a phone's journal and what its player may confess.

A world waits until its journals are kept there, before it sends anything that they have.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from firmware.journal import FAIR_KEY, TABLE_KEY, Survived
from firmware.journal.sqlite import JournalError
from firmware.link.broker.brokers import Brokers
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.commitment.ledger import Committer
from firmware.table.log.entries import begun, short
from firmware.table.log.public_log import CoveredThrows, PublicLog
from firmware.table.pairing.standing import StandingTable, StandingTableError
from hw_sim.air.broker import BridgedSession
from hw_sim.clock import PacedLoop
from hw_sim.live.page.streams import WorkLoop
from hw_sim.live.web.incoming import MOST_OPENED, Confess
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.table.handheld import SharedServices

JOURNAL: Final = Path("handheld")
"""The name of the journal on its shelf."""
Shelf = dict[Path, Survived]
log = logging.getLogger(__name__)


class LieProofs(msgspec.Struct, frozen=True):
    """A confession that nobody has made yet, and the number of the lies that it proves."""

    lies: int
    confession: Confess


class KeptHandheld(msgspec.Struct, frozen=True):
    """The content of the phone's store: a journal, and the numbers of the match in it.

    ``testimony``: of the match before, if that is over.
    """

    state: dict[str, bytes]
    number: int
    header: bytes | None
    entries: tuple[bytes, ...]
    numbers: tuple[int, ...] = ()
    testimony: LieProofs | None = None

    @classmethod
    def decode(cls, stored: bytes | None) -> Self | None:
        """Read what was kept; None for nothing, and for what cannot be used."""
        if stored is None:
            return None
        try:
            kept = msgspec.msgpack.decode(stored, type=cls)
            if table := kept.state.get(TABLE_KEY):
                StandingTable.decode(table)
        except (msgspec.DecodeError, StandingTableError) as error:
            log.warning("what was kept cannot be read: %s", error)
            return None
        return kept


def testimony_of(
    standing: StandingTable, state: dict[str, bytes], played: PublicLog
) -> LieProofs | None:
    """Return what the player at a table may confess of its match; None before its end.

    That is the openings of their throws that nobody has shown and that they announced falsely.

    Args:
        standing: the table.
        state: of the journal of this match.
        played: its log.
    """
    fair = state.get(FAIR_KEY)
    if fair is None or played.match.outcome is None:
        return None
    me, digest = standing.agreed.me, short(begun(played.header))
    committer = Committer(me, digest, CommitterState.decode(fair))
    covered = CoveredThrows.of(played, me)
    opened = [(each, committer.proof(each.tenure, each.throw)) for each in covered.throws]
    lies = {(each.place, proof): covered.lies(each, proof) or 0 for each, proof in opened}
    told = [each for each, count in lies.items() if count][:MOST_OPENED]
    confession = Confess(True, standing.agreed.session.hex(), tuple(told))
    return LieProofs(sum(lies[each] for each in told), confession)


@dataclass
class OpenConfession:
    """The testimony of the match that was over last, and the page that asks for it."""

    post: Callable[[str, Any], None]
    testimony: LieProofs | None = None
    asked: str | None = None

    def recall(self, session: str) -> None:
        """Tell the page, when a table's match is over here, how many lies the player can prove.

        ``session``: of the table, in hex. The page is told None if that match is not kept here.
        """
        self.asked = session

    def confess(self, session: str) -> None:
        """Tell the page the confession that proves the lies at a table."""
        if self.testimony is not None and self.testimony.confession.of == session:
            self.post("confesses", msgspec.to_builtins(self.testimony.confession))

    def remember(self, shelf: Shelf, match: LiveMatch | None) -> None:
        """Keep the testimony of a match, before its journal is that of the next one."""
        if match is not None and (standing := standing_in(shelf)) is not None:
            played = match.world.table.seats[0].log
            told = testimony_of(standing, shelf[JOURNAL].state, played)
            self.testimony = told or self.testimony

    def answer(self, shelf: Shelf, match: LiveMatch | None) -> None:
        """Tell the page what it asked for, unless that match is still played."""
        if self.asked is None:
            return
        standing = standing_in(shelf)
        if standing is not None and standing.agreed.session.hex() == self.asked:
            if match is None or not match.world.is_over:
                return
            self.remember(shelf, match)
        asked, told, self.asked = self.asked, self.testimony, None
        lies = None if told is None or told.confession.of != asked else told.lies
        self.post("recalls", {"of": asked, "lies": lies})


def standing_in(shelf: Shelf) -> StandingTable | None:
    """Return the table of the match in a journal; None before the first one."""
    table = shelf[JOURNAL].state.get(TABLE_KEY) if JOURNAL in shelf else None
    return StandingTable.decode(table) if table else None


async def until_kept(match: LiveMatch, keep: Callable[[], Awaitable[None]], loop: WorkLoop) -> None:
    """Wait, on the loop of a match, until something is kept; that happens on the page's ``loop``.

    Raises:
        JournalError: it is not kept.
    """
    world, runner = match.world.loop, match.runner
    done: asyncio.Future[None] = world.create_future()

    def settle(error: JournalError | None) -> None:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)

    async def work() -> None:
        error = None
        try:
            await keep()
        except JournalError as refused:
            error = refused
        if not world.is_closed():
            world.inside(lambda: settle(error))
            runner.do(lambda: None)

    loop.soon(lambda: loop.run(work()))
    await done


def over_brokers(
    services: SharedServices,
    brokers: Brokers,
    tables: dict[int, StandingTable],
    kept: Callable[[], Awaitable[None]],
) -> SharedServices:
    """Return the services of a world on the running loop, with handhelds elsewhere at brokers.

    Args:
        services: those of a table that is here as a whole.
        brokers: of the page's loop.
        tables: those that have just been formed, by place here.
        kept: waits on the world's loop until its journals are kept.
    """
    world = asyncio.get_running_loop()
    assert isinstance(world, PacedLoop), "a world has one"
    return replace(
        services,
        agreed_tables=tables,
        broker=None,
        new_session=lambda: BridgedSession(world, brokers.session()),
        flushed=kept,
    )
