"""What the lobby asks at every step, and what the answers do."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from firmware.display.screens import Item, Phrase
from firmware.display.text.games import ABOUT, ANY_GAME, GAME_NAMES, HOW
from firmware.display.text.labels import VOLUME_TEXTS, Text
from firmware.display.text.rulebook import GAME_TEXTS
from firmware.input.controls.question import Answer, Question
from firmware.lobby.names import NAMES
from firmware.lobby.options import option_item
from game import OPTIONS, RULES

if TYPE_CHECKING:
    from firmware.lobby.lobby import Lobby
from firmware.lobby.steps import Company, LobbyStep


def question_of(lobby: "Lobby") -> Question | None:
    """What is asked now; None where nothing is."""
    ask = _QUESTIONS.get(lobby.step)
    return None if ask is None else ask(lobby)


def _name(lobby: "Lobby") -> Question:
    answers = [Answer(name, partial(lobby.call_me, name)) for name in NAMES]
    return Question(Text.WHO_ARE_YOU, answers, about=HOW)


def _start(lobby: "Lobby") -> Question:
    assert lobby.name is not None, "nobody gets here without a name"
    right = [
        Answer(Text.OPEN_TABLE, partial(lobby.begin, Company.SHARED)),
        Answer(Text.JOIN_TABLE, partial(lobby.look_for_tables, watches=False)),
        Answer(Text.WATCH_TABLE, partial(lobby.look_for_tables, watches=True)),
        Answer(Text.ONE_HANDHELD, partial(lobby.begin, Company.AROUND)),
        Answer(Text.PRACTICE, partial(lobby.begin, Company.PRACTICE)),
    ]
    left = [
        Answer(Text.OTHER_NAME, partial(lobby.go, LobbyStep.NAME)),
        Answer(VOLUME_TEXTS[lobby.volume], lobby.change_volume),
    ]
    place = _place(lobby)
    if place == 0:
        return Question(Text.TITLE, right, left, (Phrase(Text.HELLO, name=lobby.name),))
    item = right[place - 1].item if place > 0 else left[-1 - place].item
    return Question(Text.TITLE, right, left, about=ABOUT[item])


def _game(lobby: "Lobby") -> Question:
    games = tuple(RULES)
    place = _place(lobby)
    about = GAME_TEXTS[games[place - 1]].sentence if place > 0 else ANY_GAME
    return Question(
        Text.WHICH_GAME,
        [Answer(GAME_NAMES[game], partial(lobby.choose_game, game)) for game in games],
        [Answer(Text.BACK, partial(lobby.go, LobbyStep.START))],
        about=about,
    )


def _options(lobby: "Lobby") -> Question:
    game, options = lobby.rules.game, OPTIONS[lobby.rules.game]
    place = _place(lobby)
    about = GAME_TEXTS[game].sentence
    if place > 1:
        about = GAME_TEXTS[game].options[options[place - 2].name]
    answers = [Answer(Text.GO_ON, lobby.options_done)]
    for number, option in enumerate(options):
        item = option_item(getattr(lobby.rules, option.name))
        answers.append(Answer(item, partial(lobby.change_option, number)))
    back = [Answer(Text.BACK, partial(lobby.go, LobbyStep.GAME))]
    return Question(GAME_NAMES[game], answers, back, about=about)


def _gather(lobby: "Lobby") -> Question:
    enough = lobby.enough
    return Question(
        GAME_NAMES[lobby.rules.game],
        [Answer(Text.ALL_HERE, partial(lobby.go, LobbyStep.SEATS))] if enough else [],
        [Answer(Text.LEAVE, lobby.leave, holds=True)],
        people_of(lobby) if enough else (*people_of(lobby), Text.OTHERS_JOIN),
    )


def _seats(lobby: "Lobby") -> Question:
    moves = [Answer(name, partial(lobby.move, seat)) for seat, name in enumerate(lobby.names)]
    return Question(
        Text.SEATS,
        [Answer(Text.GO_ON, partial(lobby.go, LobbyStep.FIRST)), *moves],
        [Answer(Text.BACK, partial(lobby.go, LobbyStep.GATHER))],
        people_of(lobby),
        hint=Text.HINT_MOVE if _place(lobby) > 1 else None,
    )


def _first(lobby: "Lobby") -> Question:
    openers = [
        Answer(name, partial(lobby.open_round, seat)) for seat, name in enumerate(lobby.names)
    ]
    before = LobbyStep.SEATS if lobby.company is Company.SHARED else LobbyStep.PLAYERS
    return Question(
        Text.WHO_OPENS,
        [Answer(Text.DRAW_LOTS, partial(lobby.open_round, None)), *openers],
        [Answer(Text.BACK, partial(lobby.go, before))],
        lobby.names,
    )


def _tables(lobby: "Lobby") -> Question:
    heard = list(lobby.nearby.values())
    place = _place(lobby)
    lines: tuple[Item, ...] = (Text.LISTENING, Text.NOT_IN_PLAY)
    if heard:
        lines = (Phrase(Text.TABLES_HEARD, pips=len(heard)),)
    if 0 < place <= len(heard):
        table = heard[place - 1]
        lines = (GAME_NAMES[table.game], Phrase(Text.AT_TABLE, pips=table.people))
    return Question(
        Text.WHICH_TABLE,
        [Answer(Phrase(Text.TABLE_OF, each.name), partial(lobby.join, each)) for each in heard],
        [Answer(Text.BACK, partial(lobby.go, LobbyStep.START))],
        lines,
    )


def _joining(lobby: "Lobby") -> Question:
    pairing = lobby.pairing
    assert pairing is not None, "a guest has asked for a place"
    host = lobby.nearby.get(pairing.host)
    name = next((p.name for p in pairing.people if p.device == pairing.host), None)
    name = name or (host.name if host is not None else "")
    return Question(
        Phrase(Text.TABLE_OF, name) if name else Text.KNOCKING,
        (),
        [Answer(Text.LEAVE, lobby.leave, holds=True)],
        people_of(lobby) if pairing.place is not None else (Text.KNOCKING,),
    )


def _players(lobby: "Lobby") -> Question:
    practice = lobby.company is Company.PRACTICE
    players = lobby.players
    go_on = [Answer(Text.ALL_HERE, partial(lobby.go, LobbyStep.FIRST))] if lobby.enough else []
    free = [name for name in (lobby.name, *NAMES) if name and name not in players]
    full = len(players) >= lobby.rules.most_players
    names = [] if full else dict.fromkeys(free)
    remove = [Answer(Text.BACK, lobby.remove_player)]
    back = [Answer(Text.BACK, partial(lobby.go, LobbyStep.GAME))]
    return Question(
        Text.AGAINST if practice else Text.WHO_PLAYS,
        [*go_on, *(Answer(name, partial(lobby.add_player, name)) for name in names)],
        remove if len(players) > practice else back,
        players[practice:],
    )


def people_of(lobby: "Lobby") -> tuple[Item, ...]:
    """Who has a place at the table, players first."""
    people = () if lobby.pairing is None else lobby.pairing.people
    return tuple(
        Phrase(Text.WATCHES, person.name) if person.watches else person.name for person in people
    )


def _place(lobby: "Lobby") -> int:
    """Where the highlight is on the dial of this step, 0 when the dial has yet to open."""
    return lobby.asking.place if lobby.asking.key is lobby.step else 0


_QUESTIONS: dict[LobbyStep, Callable[["Lobby"], Question]] = {
    LobbyStep.NAME: _name,
    LobbyStep.START: _start,
    LobbyStep.GAME: _game,
    LobbyStep.OPTIONS: _options,
    LobbyStep.GATHER: _gather,
    LobbyStep.SEATS: _seats,
    LobbyStep.FIRST: _first,
    LobbyStep.TABLES: _tables,
    LobbyStep.JOINING: _joining,
    LobbyStep.PLAYERS: _players,
}
"""Where dice are compared, or a table broke, nothing is asked."""
