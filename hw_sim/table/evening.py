"""An evening from power on: handhelds that know nobody come together, play, and play again.

Everything is what people do with their hands and see on their displays; the air is Bluetooth.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware.settings.settings import Settings
from game import AnyMatch
from hw_sim.air.air import bluetooth_address
from hw_sim.players.lobby import LobbyError, LobbyPlayer
from hw_sim.table.handheld import SharedServices, SimulatedHandheld
from hw_sim.table.setup import TableSetup


@dataclass(frozen=True)
class Evening:
    """The result of an evening: every match at its end, and its violations.

    ``virtual_s``: from power on to the end; ``violations``: lines, as of a `MatchReport`;
    ``leaks``: as of a `DiceWatch`; ``digest``: SHA-256 in hex over all buses and the air.
    """

    matches: tuple[AnyMatch, ...]
    lost: tuple[int, ...]
    """Matches lost by seat, as the handhelds count them."""
    virtual_s: float
    gathered_s: float
    """From power on to the first match on every handheld."""
    violations: tuple[str, ...]
    leaks: tuple[str, ...]
    digest: str

    def summary(self) -> dict[str, Any]:
        """Return the evening in numbers, ready for JSON."""
        return {
            "players": list(self.matches[0].players),
            "matches": [
                {
                    "ended_by": match.outcome.rule if match.outcome else None,
                    "losers": [match.players[seat] for seat in _losers(match)],
                    "rounds": match.round,
                }
                for match in self.matches
            ],
            "lost": list(self.lost),
            "gathered_s": round(self.gathered_s, 3),
            "virtual_s": round(self.virtual_s, 3),
            "violations": list(self.violations),
            "secret_leaks": len(self.leaks),
            "digest": self.digest,
        }

    def in_words(self) -> str:
        """Return the evening as lines of English text."""
        names = self.matches[0].players
        lines = [f"{', '.join(names)} sat down after {self.gathered_s:.0f} s."]
        for number, match in enumerate(self.matches, start=1):
            losers = [names[seat] for seat in _losers(match)]
            lines.append(f"Match {number}: {', '.join(losers) or 'nobody'} lost.")
        lines.append(f"All of it took {self.virtual_s:.0f} s at the table.")
        return "\n".join([*lines, *self.violations, *self.leaks])


class SimulatedGuest(NamedTuple):
    """A handheld that has just been switched on, and the person who holds it."""

    handheld: SimulatedHandheld
    person: LobbyPlayer


def arrive(
    at: int, name: str, setup: TableSetup, around: SharedServices, folder: Path
) -> SimulatedGuest:
    """Switch a handheld on that knows nobody; its `run` has to be started.

    ``at`` tells it from others on the air, ``folder`` is for its journal.
    """
    settings = Settings(
        name=name,
        language=setup.language,
        journal=folder / f"{name}.sqlite",
        link=setup.link_of(at),
        address=bluetooth_address(at),
        light=setup.conditions.light,
    )
    handheld = SimulatedHandheld(at, setup.seed, settings, around)
    person = LobbyPlayer(
        name, handheld.name, handheld.device,
        lambda: handheld.held, handheld.read_dice, lambda: handheld.watch.leaks,
    )  # fmt: skip
    return SimulatedGuest(handheld, person)


async def meet_afar(people: list[LobbyPlayer]) -> None:
    """Let the first make a room at the broker, and the others enter its code, one by one."""
    host, *others = people
    code = await host.make_room()
    for person in others:
        await person.enter_room(code)


async def gather(setup: TableSetup, folder: Path, matches: int = 2) -> Evening:
    """Let people come together and play a number of matches; return the outcome.

    ``folder`` is an empty one, for the journals.

    Raises:
        LobbyError: a person waited in vain.
    """
    try:
        return await _played(setup, folder, matches)
    except BaseExceptionGroup as several:
        waited: BaseException | None = several.subgroup(LobbyError)
        while isinstance(waited, BaseExceptionGroup):
            waited = waited.exceptions[0]
        if waited is None:
            raise
        raise waited from None


async def _played(setup: TableSetup, folder: Path, matches: int) -> Evening:
    loop = asyncio.get_running_loop()
    around = SharedServices.of(setup)
    guests = [arrive(at, name, setup, around, folder) for at, name in enumerate(setup.names)]
    people = [guest.person for guest in guests]
    host, *others = people
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(guest.handheld.run()) for guest in guests]
        try:
            if setup.link == ("mqtt",):
                await meet_afar(people)
            first = Random(f"first {setup.seed}").choice(setup.names)
            inviting = host.invite(setup.rules, setup.names, first)
            await _together(inviting, *(person.join(host.name) for person in others))
            gathered_s = loop.time()
            for number in range(matches):
                await _together(*(person.play(clumsy=True) for person in people))
                if number + 1 < matches:
                    await _together(*(person.again() for person in people))
        finally:
            for task in running:
                task.cancel()
    digest = sha256(around.said.hex.encode())
    for guest in guests:
        digest.update(guest.handheld.board.bus.digest.encode())
    standing = guests[0].handheld.device.standing
    return Evening(
        matches=tuple(host.over),
        lost=() if standing is None else standing.after(_losers(host.over[-1])).lost,
        virtual_s=loop.time(),
        gathered_s=gathered_s,
        violations=tuple(_violations(guests)),
        leaks=tuple(leak for person in people for leak in person.leaks),
        digest=digest.hexdigest(),
    )


async def _together(*doing: Coroutine[Any, Any, None]) -> None:
    """Do several things at the same time, until all are done."""
    async with asyncio.TaskGroup() as tasks:
        for each in doing:
            tasks.create_task(each)


def _losers(match: AnyMatch) -> tuple[int, ...]:
    return tuple(match.outcome.losers) if match.outcome else ()


def _violations(guests: list[SimulatedGuest]) -> list[str]:
    lines = [
        f"{person.name}: {line}"
        for handheld, person in guests
        for line in handheld.board.violations
    ]
    _, host = guests[0]
    for _, person in guests[1:]:
        if [match.outcome for match in person.over] != [match.outcome for match in host.over]:
            lines.append(f"{person.name}: matches ended otherwise than {host.name} knows")
    return lines
