"""The lobby's question at every step, as a function of its state."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.display.screens import Delivery, Item, Phrase
from firmware.display.text.labels import (
    ABOUT,
    ABOUT_ROOMS,
    ANY_GAME,
    HOW,
    VOLUME_TEXTS,
    Text,
    game_name,
)
from firmware.display.text.language import key_of
from firmware.display.text.rulebook import option_key, sentence_key
from firmware.effects import USUAL_VOLUME
from firmware.input.controls import DialAnswer, DialQuestion
from firmware.lobby import choices as to
from firmware.lobby.choices import (
    CODE_DIGITS,
    NAMES,
    Company,
    InRoom,
    LobbyChoice,
    LobbyStep,
    RoomStep,
    RoomsView,
    TableNearby,
    differences,
    handicapped,
    option_item,
    packed,
    unpacked,
)
from firmware.table.protocol.invitations import Attendee
from game import (
    OPTIONS,
    PRESETS,
    RULES,
    TABLES,
    AnyRules,
    SetupError,
    nearest_table,
    new_match,
)

LobbyQuestion = DialQuestion[LobbyChoice]
AFAR = Phrase(Text.ROOM_IS, name="…")
"""The entry that leads to distant players."""
_FEW = 3
"""With fewer people, a full-width line fits on the page."""
_ANY_RULES = next(iter(RULES.values()))


@dataclass(frozen=True)
class LobbyView:
    """Everything that a question depends on.

    Attributes:
        step: which question it is.
        name: the player's; None before a choice.
        rules: the game with its options, as far as chosen.
        company: the handhelds of the match.
        people: the people with a place at the table, by place.
        players: the chosen players on this one handheld, by seat.
        nearby: the open tables that have been announced.
        host: the name of the host of the table to join; None while it is not known.
        has_place: this handheld has a place at the table that is formed.
        volume: of sounds, 0, silence, to 3.
        kept: the player's own house rules, as the journal has them; empty for none.
        rooms: at a broker; None: there is none.
        handicap: what players have lost before the first round, by name.
        place: the highlight: 1, 2, … to the right of the neutral entry, -1, … to the left.
    """

    step: LobbyStep
    name: str | None = None
    rules: AnyRules = _ANY_RULES
    company: Company = Company.SHARED
    people: tuple[Attendee, ...] = ()
    players: tuple[str, ...] = ()
    nearby: tuple[TableNearby, ...] = ()
    host: str | None = None
    has_place: bool = False
    volume: int = USUAL_VOLUME
    kept: bytes = b""
    rooms: RoomsView | None = None
    place: int = 0
    handicap: tuple[tuple[str, int], ...] = ()
    is_silent: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The known players by seat, without watchers."""
        if self.company is not Company.SHARED:
            return self.players
        return tuple(person.name for person in self.people if not person.watches)

    @property
    def enough(self) -> bool:
        """Whether the rules allow a match with ``names``."""
        try:
            new_match(self.rules, self.names, 0)
        except SetupError:
            return False
        return True

    @property
    def present(self) -> tuple[Item, ...]:
        """The people with a place at the table, players first."""
        return tuple(Phrase(Text.WATCHES, p.name) if p.watches else p.name for p in self.people)


_START: list[DialAnswer[LobbyChoice]] = [
    DialAnswer(Text.OPEN_TABLE, to.Begin(Company.SHARED)),
    DialAnswer(Text.JOIN_TABLE, to.LookForTables(watches=False)),
    DialAnswer(Text.WATCH_TABLE, to.LookForTables(watches=True)),
    DialAnswer(Text.ONE_HANDHELD, to.Begin(Company.AROUND)),
    DialAnswer(Text.PRACTICE, to.Begin(Company.PRACTICE)),
    DialAnswer(Text.FIRST_MATCH, to.PlainChoice.LEARN),
]


def question_of(view: LobbyView) -> LobbyQuestion | None:
    """Return the question of the view's step; None for COMPARE and BROKEN, which have pages."""
    ask = _QUESTIONS.get(view.step)
    return None if ask is None else ask(view)


def _name(view: LobbyView) -> LobbyQuestion:
    del view
    return DialQuestion(
        Text.WHO_ARE_YOU, [DialAnswer(name, to.CallMe(name)) for name in NAMES], about=HOW
    )


def _start(view: LobbyView) -> LobbyQuestion:
    assert view.name is not None, "nobody gets here without a name"
    left: list[DialAnswer[LobbyChoice]] = [
        DialAnswer(Text.OTHER_NAME, to.GoTo(LobbyStep.NAME)),
        DialAnswer(VOLUME_TEXTS[view.volume], to.PlainChoice.LOUDER),
        *([DialAnswer(AFAR, to.GoTo(LobbyStep.ROOM))] if view.rooms else []),
    ]
    right, place = _START, view.place
    if place == 0:
        hello = Phrase(Text.HELLO, name=view.name)
        return DialQuestion(Text.TITLE, right, left, (hello, *_room_of(view)))
    item = right[place - 1].item if place > 0 else left[-1 - place].item
    return DialQuestion(Text.TITLE, right, left, about=ABOUT.get(item, ABOUT_ROOMS))


def _room_of(view: LobbyView) -> tuple[Item, ...]:
    """Return the line that names the room; nothing without a room."""
    code = None if view.rooms is None else view.rooms.code
    return () if code is None else (Phrase(Text.ROOM_IS, name=code),)


def _room(view: LobbyView) -> LobbyQuestion:
    named = _room_of(view)
    leave = [DialAnswer(Text.LEAVE, InRoom(RoomStep.LEAVE))] if named else []
    right: list[DialAnswer[LobbyChoice]] = [
        DialAnswer(Text.OPEN_TABLE, InRoom(RoomStep.NEW)),
        DialAnswer(Text.JOIN_TABLE, to.GoTo(LobbyStep.CODE)),
        *leave,
    ]
    return DialQuestion(
        AFAR, right, _back(LobbyStep.START), named, about=None if named else ABOUT_ROOMS
    )


def _code(view: LobbyView) -> LobbyQuestion:
    typed = "" if view.rooms is None else view.rooms.typed
    digits = [DialAnswer(digit, InRoom(RoomStep.TYPE, digit)) for digit in "1234567890"]
    title = Phrase(Text.ROOM_IS, name=typed.ljust(CODE_DIGITS, "–"))
    return DialQuestion(title, digits, [DialAnswer(Text.BACK, InRoom(RoomStep.ERASE))])


def _game(view: LobbyView) -> LobbyQuestion:
    own = [DialAnswer(Text.OUR_RULES, to.PlainChoice.OUR_RULES)] if view.kept else []
    games = [DialAnswer(table_item(table), to.Game(table)) for table in TABLES]
    title: Item = Text.WHICH_GAME
    about: str | None = ANY_GAME
    lines: tuple[Item, ...] = ()
    if view.place > len(own):
        about = sentence_key(TABLES[view.place - 1 - len(own)])
    elif own and view.place == 1:
        about = ABOUT[Text.OUR_RULES]
        if kept := unpacked(view.kept):
            title, (about, lines) = table_item(nearest_table(kept).table), _about(kept)
    return DialQuestion(title, [*own, *games], _back(LobbyStep.START), lines, about=about)


def _about(rules: AnyRules) -> tuple[str | None, tuple[Item, ...]]:
    """Return the sentence of a known table; for other rules None, and what differs from it."""
    lines = differences(rules)
    return (None if lines else sentence_key(nearest_table(rules).table)), lines


def _options(view: LobbyView) -> LobbyQuestion:
    options, place = OPTIONS[view.rules.game], view.place
    about, lines = _about(view.rules)
    if place > 1:
        about, lines = option_key(options[place - 2].name), ()
    elif place == -2:
        about, lines = ABOUT[Text.KEEP_RULES], ()
    values = [
        DialAnswer(option_item(getattr(view.rules, option.name)), to.ChangeOption(number))
        for number, option in enumerate(options)
    ]
    go_on = DialAnswer(Text.GO_ON, to.PlainChoice.RULES_SETTLED)
    own = Text.RULES_KEPT if packed(view.rules) == view.kept else Text.KEEP_RULES
    left = [*_back(LobbyStep.GAME), DialAnswer(own, to.PlainChoice.KEEP_RULES)]
    title = table_item(nearest_table(view.rules).table)
    return DialQuestion(title, [go_on, *values], left, lines, about=about)


def table_item(table: str) -> Item:
    """Return the name of a game or a preset (a name in ``game.TABLES``) on the dial."""
    return PRESETS[table].name if table in PRESETS else Phrase(game_name(table))


def _gather(view: LobbyView) -> LobbyQuestion:
    return DialQuestion(
        (*_room_of(view), Phrase(game_name(view.rules.game)))[0],
        [
            *([DialAnswer(Text.ALL_HERE, to.GoTo(LobbyStep.SEATS))] if view.enough else []),
            *(
                DialAnswer(Phrase(Text.PUT_OUT, guest.name), to.PutOut(guest.device), holds=True)
                for guest in view.people
                if guest.name != view.name
            ),
        ],
        [DialAnswer(Text.LEAVE, to.PlainChoice.LEAVE, holds=True)],
        view.present
        if view.enough or len(view.present) > _FEW
        else (*view.present, Text.OTHERS_JOIN),
    )


def _seats(view: LobbyView) -> LobbyQuestion:
    moves = [DialAnswer(name, to.MoveSeat(seat)) for seat, name in enumerate(view.names)]
    return DialQuestion(
        Text.SEATS,
        [DialAnswer(Text.GO_ON, to.GoTo(LobbyStep.FIRST)), *moves],
        _back(LobbyStep.GATHER),
        view.present,
        hint=Text.HINT_MOVE if view.place > 1 else None,
    )


def _first(view: LobbyView) -> LobbyQuestion:
    openers = [DialAnswer(name, to.OpensRound(seat)) for seat, name in enumerate(view.names)]
    before = LobbyStep.SEATS if view.company is Company.SHARED else LobbyStep.PLAYERS
    answers = [DialAnswer(Text.DRAW_LOTS, to.OpensRound(None)), *openers]
    left = _back(before)
    if view.names and handicapped(view.rules, view.names, {view.names[0]: 1}) is not None:
        left.append(DialAnswer(Text.HANDICAP, to.GoTo(LobbyStep.HANDICAP)))
    about = ABOUT[Text.HANDICAP] if view.place == -len(left) < -1 else None
    return DialQuestion(Text.WHO_OPENS, answers, left, () if about else _starts(view), about=about)


def _starts(view: LobbyView) -> tuple[str, ...]:
    """Return the players by seat, each with their handicap unless it is none."""
    lost = dict(view.handicap)
    return tuple(f"{each}: {lost[each]}" if lost.get(each) else each for each in view.names)


def _handicap(view: LobbyView) -> LobbyQuestion:
    """Ask for the start of each player; the finished list stands at the question before."""
    more = [
        DialAnswer(item, to.MoreHandicap(name)) for item, name in zip(_starts(view), view.names)
    ]
    go_on = DialAnswer(Text.GO_ON, to.GoTo(LobbyStep.FIRST))
    return DialQuestion(Text.HANDICAP, [go_on, *more], _back(LobbyStep.FIRST), _starts(view))


def _tables(view: LobbyView) -> LobbyQuestion:
    nearby = view.nearby
    lines: tuple[Item, ...] = (Text.LISTENING, Text.NOT_IN_PLAY)
    if 0 < view.place <= len(nearby):
        table = nearby[view.place - 1]
        lines = (Phrase(game_name(table.game)), Phrase(Text.AT_TABLE, pips=table.people))
    elif nearby:
        lines = (Phrase(Text.TABLES_HEARD, pips=len(nearby)),)
    tables = [DialAnswer(Phrase(Text.TABLE_OF, each.name), to.Join(each)) for each in nearby]
    return DialQuestion(Text.WHICH_TABLE, tables, _back(LobbyStep.START), lines)


def _joining(view: LobbyView) -> LobbyQuestion:
    lines = view.present if view.has_place else (Text.KNOCKING,)
    return DialQuestion(
        Phrase(Text.TABLE_OF, view.host) if view.host else Text.KNOCKING,
        (),
        [DialAnswer(Text.LEAVE, to.PlainChoice.LEAVE, holds=True)],
        (Phrase(key_of(Delivery.SILENT)),) if view.is_silent else lines,
    )


def _players(view: LobbyView) -> LobbyQuestion:
    practice = view.company is Company.PRACTICE
    players = view.players
    full = len(players) >= view.rules.most_players
    free = () if full else dict.fromkeys(name for name in (view.name, *NAMES) if name)
    return DialQuestion(
        Text.AGAINST if practice else Text.WHO_PLAYS,
        [
            *([DialAnswer(Text.ALL_HERE, to.GoTo(LobbyStep.FIRST))] if view.enough else []),
            *(DialAnswer(name, to.AddPlayer(name)) for name in free if name not in players),
        ],
        [DialAnswer(Text.BACK, to.PlainChoice.REMOVE_PLAYER)]
        if len(players) > practice
        else _back(LobbyStep.GAME),
        players[practice:],
    )


def _back(step: LobbyStep) -> list[DialAnswer[LobbyChoice]]:
    return [DialAnswer(Text.BACK, to.GoTo(step))]


_QUESTIONS: dict[LobbyStep, Callable[[LobbyView], LobbyQuestion]] = {
    LobbyStep.NAME: _name,
    LobbyStep.START: _start,
    LobbyStep.GAME: _game,
    LobbyStep.OPTIONS: _options,
    LobbyStep.GATHER: _gather,
    LobbyStep.SEATS: _seats,
    LobbyStep.FIRST: _first,
    LobbyStep.HANDICAP: _handicap,
    LobbyStep.TABLES: _tables,
    LobbyStep.JOINING: _joining,
    LobbyStep.PLAYERS: _players,
    LobbyStep.ROOM: _room,
    LobbyStep.CODE: _code,
}
