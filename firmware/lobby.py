"""The lobby: from a handheld that knows nobody to a table that stands. No I/O, no clock.

A question stands on the display and its answers are on the dial: a tilt moves the highlight, a tap
takes the answer, and what cannot be taken back wants a hold. What handhelds say to each other is
``firmware.pairing``'s business.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import partial
from typing import NamedTuple

from firmware import advice
from firmware.agreement import Agreed
from firmware.dial import Dial, Pick
from firmware.effects import (
    Beep,
    Effect,
    KeepVolume,
    Listen,
    Part,
    PartFailed,
    PartWell,
    Received,
    Report,
    Sense,
    Show,
    Stored,
    Tell,
    Tick,
)
from firmware.gestures import Gesture, Held, Tap
from firmware.invitations import KEY_BYTES, InvitationError, Kind, Table, body_of, head_of
from firmware.lobby_words import GAME_NAMES, NAMES, changed, option_item
from firmware.pairing import Broken, Pairing, Phase
from firmware.questions import Answer, Asking, Question
from firmware.rulebook import GAME_TEXTS
from firmware.sayings import Message
from firmware.screens import Item, Phrase, Screen, Told
from firmware.screens import Lobby as LobbyScreen
from firmware.seats import OneHandheld
from firmware.sounds import USUAL_VOLUME, VOLUME_TEXTS, VOLUMES, Sound
from firmware.texts import Text
from game import OPTIONS, RULES, AnyRules, SetupError, new_match
from game.values import Dice

_MOST_NEARBY = 12
"""More tables than fit in a room are noise."""
HEARD_FOR_US = 6_000_000
"""A table that has not been heard of for so long is no longer offered."""


class Step(Enum):
    """What the lobby asks."""

    NAME = auto()
    START = auto()
    GAME = auto()
    OPTIONS = auto()
    GATHER = auto()
    SEATS = auto()
    FIRST = auto()
    TABLES = auto()
    JOINING = auto()
    """A guest waits until his host has set everything up."""
    COMPARE = auto()
    PLAYERS = auto()
    """Who plays on this one handheld."""
    BROKEN = auto()


class Company(Enum):
    """Who sits where."""

    SHARED = auto()
    """Everybody has a handheld."""
    AROUND = auto()
    """One handheld goes from hand to hand."""
    PRACTICE = auto()
    """One person, against this handheld."""


class _Nearby(NamedTuple):
    host: bytes
    session: bytes
    name: str
    heard_us: int


class Lobby:
    """Asks until a table stands.

    Args:
        device: the six bytes that name this handheld to the others.
        entropy: returns that many random bytes; the only source of chance.
        name: the player's, if it is known.
        lost: by device, how many matches were lost at the table before; None for none.
    """

    def __init__(
        self,
        device: bytes,
        entropy: Callable[[int], bytes],
        name: str | None = None,
        lost: Mapping[bytes, int] | None = None,
    ) -> None:
        self.device = device
        self.name = name
        self.step = Step.NAME if name is None else Step.START
        self.pairing: Pairing | None = None
        self.one_handheld: OneHandheld | None = None
        """What is to be played on this handheld alone, once it is settled."""
        self.rules: AnyRules = next(iter(RULES.values()))
        self.screen: Screen | None = None
        self.faults: dict[Part, Screen] = {}
        """Parts that do not answer, and what the display says of them."""
        self.volume = USUAL_VOLUME
        """Of sounds: 0, silence, to 3."""
        self.now_us = 0
        self._asking = Asking()
        self._lost = lost
        self._entropy = entropy
        self._company = Company.SHARED
        self._watches = False
        self._players: tuple[str, ...] = ()
        self._nearby: dict[bytes, _Nearby] = {}
        self._compared: Dice | None = None
        self._effects: list[Effect] = []

    @property
    def dial(self) -> Dial | None:
        """The dial with the answers; None while there is nothing to choose."""
        return self._asking.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of the dial that says ``item``; None where none does."""
        return None if self.dial is None else self._asking.pick(item)

    @property
    def agreed(self) -> Agreed | None:
        """The table, once it stands."""
        return None if self.pairing is None else self.pairing.agreed

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [self._asking.pad.armed_us, self._asking.next_timer_us(self.now_us)]
        if self.pairing is not None:
            times.append(self.pairing.next_timer_us)
        if self.step is Step.TABLES and self._nearby:
            times.append(min(each.heard_us for each in self._nearby.values()) + HEARD_FOR_US)
        if self._attends:
            times.append(self._asking.pad.next_step_us(self.now_us))
        return min((time for time in times if time is not None), default=None)

    def start(self, now_us: int) -> list[Effect]:
        """Ask the first question."""
        self.now_us = max(self.now_us, now_us)
        self._effects += [Sense(fully=True), Listen(on=True)]
        self._settle()
        return self._take()

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Take in what happened, and return what is to be done, in order."""
        self.now_us = max(self.now_us, now_us)
        match what:
            case Received(frame=frame):
                self._on_frame(frame)
            case PartFailed(part, wrong):
                self.faults[part] = (
                    Told(advice.MISSING[part]) if wrong is None else Told(Message.WRONG_PART, wrong)
                )
            case PartWell(part):
                self.faults.pop(part, None)
            case Stored() | Tick():
                pass
            case _:
                self._on_gesture(what)
        if self.pairing is not None:
            self.pairing.tick(self.now_us)
        self._settle()
        return self._take()

    # What the player does

    def _on_gesture(self, gesture: Gesture) -> None:
        if self.step is Step.BROKEN and isinstance(gesture, Tap) and not self.faults:
            self._go(Step.START)
        elif self.pairing is not None and self._attends:
            if isinstance(gesture, Tap):
                self.pairing.tap(self.now_us)
            elif isinstance(gesture, Held):
                self.pairing.differ()
        self._asking.handle(gesture, self.now_us, attends=not self.faults)

    @property
    def _attends(self) -> bool:
        """Whether the dice to compare have stood for a moment."""
        return self._compared is not None and self._asking.pad.armed and not self.faults

    def _go(self, step: Step) -> None:
        self.step = step
        if step in (Step.NAME, Step.START, Step.TABLES):
            self.pairing = None
            self._company = Company.SHARED

    def _call_me(self, name: str) -> None:
        self.name = name
        self._go(Step.START)

    def _change_volume(self) -> None:
        self.volume = (self.volume + 1) % len(VOLUMES)
        self._effects += [KeepVolume(self.volume), Beep(Sound.OFFER)]

    def _begin(self, company: Company) -> None:
        self._go(Step.GAME)
        self._company = company

    def _listen(self, *, watches: bool) -> None:
        self._watches = watches
        self._nearby.clear()
        self._go(Step.TABLES)

    def _play(self, game: str) -> None:
        self.rules = RULES[game]
        if OPTIONS[game]:
            self._go(Step.OPTIONS)
        else:
            self._options_done()

    def _options_done(self) -> None:
        self._players = ()
        if self._company is Company.PRACTICE:
            assert self.name is not None, "nobody gets here without a name"
            others = [name for name in NAMES if name != self.name]
            self._players = (self.name, *others[: self.rules.fewest_players - 1])
        self._go(Step.GATHER if self._company is Company.SHARED else Step.PLAYERS)

    def _change_option(self, number: int) -> None:
        self.rules = changed(self.rules, number)

    def _open_table(self) -> None:
        assert self.name is not None, "nobody gets here without a name"
        self.pairing = Pairing.open_table(self.device, self.name, self._entropy)
        self.pairing.game = self.rules.game

    def _join(self, nearby: _Nearby) -> None:
        assert self.name is not None, "nobody gets here without a name"
        self.pairing = Pairing.join(
            self.device, self.name, nearby.host, nearby.session, self._entropy,
            watches=self._watches,
        )  # fmt: skip
        self._go(Step.JOINING)

    def _leave(self) -> None:
        if self.pairing is not None:
            self.pairing.leave()
            self._send_invitations()
        self._go(Step.START)

    def _move(self, seat: int) -> None:
        """Seat a player one place further; the highlight goes with him."""
        if self.pairing is None:
            return
        devices = [person.device for person in self.pairing.people if not person.watches]
        to = (seat + 1) % len(devices)
        devices[seat], devices[to] = devices[to], devices[seat]
        self.pairing.arrange(devices)
        self._asking.move(to - seat)

    def _add_player(self, name: str) -> None:
        self._players = (*self._players, name)

    def _remove_player(self) -> None:
        self._players = self._players[:-1]

    def _open_round(self, first: int | None) -> None:
        names = self._names
        if first is None:
            first = int.from_bytes(self._entropy(8), "big") % len(names)
        if self._company is not Company.SHARED:
            people = 1 if self._company is Company.PRACTICE else len(names)
            self.one_handheld = OneHandheld(
                self.rules, names, first, people, self._entropy(KEY_BYTES)
            )
        elif self.pairing is not None:
            self.pairing.close(self.rules, first, self.now_us, self._lost)
            self._go(Step.COMPARE)

    @property
    def _names(self) -> tuple[str, ...]:
        """The players by seat, as far as there are any."""
        if self._company is not Company.SHARED:
            return self._players
        people = () if self.pairing is None else self.pairing.people
        return tuple(person.name for person in people if not person.watches)

    @property
    def _enough(self) -> bool:
        try:
            new_match(self.rules, self._names, 0)
        except SetupError:
            return False
        return True

    # What others do

    def _on_frame(self, frame: bytes) -> None:
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            return
        if isinstance(body, Table) and head.kind is Kind.TABLE and head.sender != self.device:
            known = head.sender in self._nearby or len(self._nearby) < _MOST_NEARBY
            if body.is_open and known:
                self._nearby[head.sender] = _Nearby(
                    head.sender, head.session, body.name, self.now_us
                )
            elif not body.is_open:
                self._nearby.pop(head.sender, None)
        if self.pairing is not None:
            self.pairing.receive(frame, self.now_us)

    # What stands on the display

    def _settle(self) -> None:
        self._forget_tables()
        if self.step is Step.GATHER and self.pairing is None:
            self._open_table()
        pairing = self.pairing
        if pairing is not None:
            if pairing.phase is Phase.BROKEN:
                self._go(Step.BROKEN)
            elif pairing.phase is not Phase.GATHERING and self.step is not Step.COMPARE:
                self._go(Step.COMPARE)
            if self.step is Step.SEATS and not self._enough:
                self._go(Step.GATHER)
        self._asking.ask(self.step, self._ask(), self.now_us)
        self._arm()
        self._send_invitations()

    def _forget_tables(self) -> None:
        self._nearby = {
            host: each
            for host, each in self._nearby.items()
            if each.heard_us + HEARD_FOR_US > self.now_us
        }

    def _arm(self) -> None:
        """Dice can be called the same or different once they have stood for a moment."""
        phase = None if self.pairing is None else self.pairing.phase
        compared = self.pairing.dice if self.pairing and phase is Phase.COMPARING else None
        if compared != self._compared:
            self._compared = compared
            self._asking.pad.begin(self.now_us, offer=compared is not None)
        self._asking.pad.let_time_pass(self.now_us, hidden=bool(self.faults))

    def _ask(self) -> Question | None:
        match self.step:
            case Step.NAME:
                return Question(
                    Text.WHO_ARE_YOU,
                    [Answer(name, partial(self._call_me, name)) for name in NAMES],
                )
            case Step.START:
                return self._ask_start()
            case Step.GAME:
                return self._ask_game()
            case Step.OPTIONS:
                return self._ask_options()
            case Step.GATHER:
                return self._ask_gather()
            case Step.SEATS:
                return self._ask_seats()
            case Step.FIRST:
                return self._ask_first()
            case Step.TABLES:
                return self._ask_table()
            case Step.JOINING:
                return self._ask_joining()
            case Step.PLAYERS:
                return self._ask_players()
            case Step.COMPARE | Step.BROKEN:
                return None

    def _ask_start(self) -> Question:
        assert self.name is not None, "nobody gets here without a name"
        return Question(
            Text.TITLE,
            [
                Answer(Text.OPEN_TABLE, partial(self._begin, Company.SHARED)),
                Answer(Text.JOIN_TABLE, partial(self._listen, watches=False)),
                Answer(Text.WATCH_TABLE, partial(self._listen, watches=True)),
                Answer(Text.ONE_HANDHELD, partial(self._begin, Company.AROUND)),
                Answer(Text.PRACTICE, partial(self._begin, Company.PRACTICE)),
            ],
            [
                Answer(Text.OTHER_NAME, partial(self._go, Step.NAME)),
                Answer(VOLUME_TEXTS[self.volume], self._change_volume),
            ],
            (Phrase(Text.HELLO, name=self.name),),
        )

    def _ask_game(self) -> Question:
        games = tuple(RULES)
        place = self._asking.place if self._asking.key is Step.GAME else 0
        about = GAME_TEXTS[games[place - 1]].sentence if 1 <= place <= len(games) else None
        return Question(
            Text.WHICH_GAME,
            [Answer(GAME_NAMES[game], partial(self._play, game)) for game in games],
            [Answer(Text.BACK, partial(self._go, Step.START))],
            about=about,
        )

    def _ask_options(self) -> Question:
        game, options = self.rules.game, OPTIONS[self.rules.game]
        place = self._asking.place if self._asking.key is Step.OPTIONS else 0
        about = GAME_TEXTS[game].sentence
        if 2 <= place < len(options) + 2:
            about = GAME_TEXTS[game].options[options[place - 2].name]
        answers = [Answer(Text.GO_ON, self._options_done)]
        for number, option in enumerate(options):
            item = option_item(getattr(self.rules, option.name))
            answers.append(Answer(item, partial(self._change_option, number)))
        return Question(
            GAME_NAMES[game],
            answers,
            [Answer(Text.BACK, partial(self._go, Step.GAME))],
            about=about,
        )

    def _ask_gather(self) -> Question:
        go_on = [Answer(Text.ALL_HERE, partial(self._go, Step.SEATS))] if self._enough else []
        return Question(
            GAME_NAMES[self.rules.game],
            go_on,
            [Answer(Text.LEAVE, self._leave, holds=True)],
            self._lines,
        )

    def _ask_seats(self) -> Question:
        moves = [Answer(name, partial(self._move, seat)) for seat, name in enumerate(self._names)]
        return Question(
            Text.SEATS,
            [Answer(Text.GO_ON, partial(self._go, Step.FIRST)), *moves],
            [Answer(Text.BACK, partial(self._go, Step.GATHER))],
            self._lines,
        )

    def _ask_first(self) -> Question:
        openers = [
            Answer(name, partial(self._open_round, seat)) for seat, name in enumerate(self._names)
        ]
        before = Step.SEATS if self._company is Company.SHARED else Step.PLAYERS
        return Question(
            Text.WHO_OPENS,
            [Answer(Text.DRAW_LOTS, partial(self._open_round, None)), *openers],
            [Answer(Text.BACK, partial(self._go, before))],
        )

    def _ask_table(self) -> Question:
        heard = list(self._nearby.values())
        return Question(
            Text.WHICH_TABLE,
            [Answer(Phrase(Text.TABLE_OF, each.name), partial(self._join, each)) for each in heard],
            [Answer(Text.BACK, partial(self._go, Step.START))],
            () if heard else (Text.LISTENING,),
        )

    def _ask_joining(self) -> Question:
        pairing = self.pairing
        assert pairing is not None, "a guest has asked for a place"
        host = self._nearby.get(pairing.host)
        name = next((p.name for p in pairing.people if p.device == pairing.host), None)
        name = name or (host.name if host is not None else "")
        return Question(
            Phrase(Text.TABLE_OF, name) if name else Text.KNOCKING,
            (),
            [Answer(Text.LEAVE, self._leave, holds=True)],
            self._lines if pairing.place is not None else (Text.KNOCKING,),
        )

    def _ask_players(self) -> Question:
        go_on = [Answer(Text.ALL_HERE, partial(self._go, Step.FIRST))] if self._enough else []
        free = [name for name in (self.name, *NAMES) if name and name not in self._players]
        full = len(self._players) >= self.rules.most_players
        names = [] if full else dict.fromkeys(free)
        practice = self._company is Company.PRACTICE
        remove = [Answer(Text.BACK, self._remove_player)]
        back = [Answer(Text.BACK, partial(self._go, Step.GAME))]
        return Question(
            Text.AGAINST if practice else Text.WHO_PLAYS,
            [*go_on, *(Answer(name, partial(self._add_player, name)) for name in names)],
            remove if len(self._players) > practice else back,
            self._players[practice:],
        )

    @property
    def _lines(self) -> tuple[Item, ...]:
        people = () if self.pairing is None else self.pairing.people
        return tuple(
            Phrase(Text.WATCHES, person.name) if person.watches else person.name
            for person in people
        )

    def _screen(self) -> Screen:
        if self.faults:
            return next(iter(self.faults.values()))
        if self.step is Step.COMPARE:
            return self._comparing()
        if self.step is Step.BROKEN:
            why = None if self.pairing is None else self.pairing.broken
            return Told(_BROKEN[why or Broken.GIVEN_UP])
        return self._asking.screen(self.now_us)

    def _comparing(self) -> Screen:
        pairing = self.pairing
        assert pairing is not None, "dice are compared while pairing"
        dice = pairing.dice or ()
        if pairing.phase is not Phase.COMPARING:
            return LobbyScreen(Text.WAIT_FOR_TAPS, dice=dice, hint=Text.HINT_WAIT)
        hint = Text.HINT_SAME_DICE if self._asking.pad.armed else Text.HINT_NOT_YET
        progress = self._asking.pad.progress(self.now_us) if self._attends else None
        return LobbyScreen(Text.SAME_DICE, dice=dice, hint=hint, progress=progress)

    def _send_invitations(self) -> None:
        if self.pairing is not None:
            self._effects += [Tell(device, frame) for device, frame in self.pairing.take()]

    def _take(self) -> list[Effect]:
        screen = self._screen()
        if screen != self.screen:
            self.screen = screen
            self._effects.append(Show(screen, 0))
        effects, self._effects = self._effects, []
        return effects


_BROKEN = {
    Broken.DIFFERS: Message.DICE_DIFFER,
    Broken.GIVEN_UP: Message.TABLE_GIVEN_UP,
    Broken.CLOSED: Message.TABLE_CLOSED,
}
