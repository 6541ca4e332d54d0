"""States of the big screen, from real matches: what its page is told, without a server."""

from functools import cache
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from game import RULES, apply, new_match, public
from game.actions import (
    Announce,
    Believe,
    Doubt,
    GiveIn,
    Keep,
    Lift,
    Look,
    Roll,
    Say,
    ShowMaexchen,
    Stop,
    Words,
)
from game.events import (
    DecidingRound,
    GotSafe,
    HalfBegan,
    HalfLost,
    LeftTable,
    Lifted,
    MatchEnded,
    Mishandled,
    OwnedUp,
    PhaseTwoBegan,
    Reversed,
    RoundVoided,
    Tied,
    TowerShown,
    TowerSpared,
    WentOut,
)
from hw_sim.live.web.director import drum_s, told_events
from hw_sim.live.web.evening_card import CardLine, EveningCard
from hw_sim.live.web.lobby_feed import _code
from hw_sim.live.web.match_plan import MatchPlan, RoomSettings
from hw_sim.live.web.outgoing import (
    LobbyDoor,
    LobbyPlace,
    LobbyState,
    LobbyTally,
    PatterLine,
    PublicEvents,
    scoreboard_of,
)
from hw_sim.live.web.voices import lines_of
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table import TableSetup
from tests.support.shown_pages import news_text, stage, welcome
from tests.support.walks import Walk

PEOPLE = ("Anna", "Ben", "Cem", "Dörte", "Konstantin", "Jo")
FACES = ("braids", "cap", "beard", "bun", "fox", "frog")
BOTS = ("honest", "cheeky", "honest")
NAMES = (*PEOPLE, "Bruder Klar", "Oma Blitz", "Onkel Klar")


STEPS, STEP_MS = 2000, 50
STANDS = """() => {
  for (const each of document.getAnimations()) {
    if (each.effect.getComputedTiming().endTime === Infinity) each.cancel(); else each.finish();
  }
}"""
"""Everything that comes or goes has come or gone."""


class Shown(NamedTuple):
    """A state: the actions of a match from its beginning, and what is seen when it is there.

    ``actions`` may be an event: a match is played at random until it happens. The first ``quiet``
    actions are not shown. ``wait_ms``: after which it is; ``here``: the seats whose phones are
    awake; ``doing``: of the seat to act; ``line``: what a bot says, its seat and the occasion;
    ``afar``: Ben is at a handheld; ``left``: the seats whose guests gave them up;
    ``link``: of the guests; ``unreached``: the broker that does not answer; ``options``: those of
    the plan.
    """

    game: str
    actions: tuple | type = ()
    seen: str = ".layer"
    wait_ms: int = 600
    here: tuple[int, ...] = tuple(range(6))
    doing: str = ""
    seats: int = 8
    quiet: int = 0
    reactions: tuple[str, ...] = ()
    line: tuple[int, str] | None = None
    afar: bool = False
    left: tuple[int, ...] = ()
    link: str = "HTTP://192.168.178.20:8021/HKUR"
    unreached: str = ""
    options: tuple[tuple[str, object], ...] = ()


_HOSTED = (
    "https://dice.example/maexchen/join.html#room=HKUR&key="
    "hYk3Zc0vJ2fQm8sT1xWb7nLr4pDu9eGa5oIi6tRyXkA&broker=wss://broker.example:8884/mqtt"
)
_63 = (Roll((6, 2)), Look(), Announce(63))
_LIE = (Doubt(), Lift((6, 2)))
_LOST = (*_63, *_LIE)
_SAME = (Roll((5, 4)), Announce(54), Believe(), Roll((3, 1)), Say(Words.SAME))
_OFF = tuple(Roll((6, 5, 6 - place)) for place in range(6))
_KEPT = (Roll((1, 1, 5)), Keep((1, 1)))
_MAXEN = (Roll((6, 5, 2)), Stop(), Roll((4, 4, 4)), Roll((1, 1, 5)))
_CHICAGO = (Roll((1, 6, 5)), Stop(), Roll((6, 5, 4)), Roll((3, 2, 2)))
_SIX = tuple(Roll((6, 5, 5, 5, 5, 6 - place)) for place in range(6))
_ROUND = (Roll((6, 1, 5, 2, 3, 6)), Stop(), *(Roll((6, 1, 5, 2, 3, i)) for i in range(1, 6)))
_BOTS = tuple(
    action
    for value in (31, 32, 41, 42, 43, 51, 52)
    for action in (Roll(divmod(value, 10)), Announce(value), Believe())
)[:-1]
_TOWER = (Roll((6, 2), tower=True), Announce(63), Doubt(), Lift((6, 2), tower=True))
_BLIND = (Roll((5, 4)), Look(), Roll((3, 1)))
_AGREED = (("credit", 5), ("maexchen_true", 2), ("equal", "any"), ("opener", "next"), ("rolls", 1))
STATES = {
    "lobby": Shown("class", None, ".poster"),
    "lobby of nine": Shown("class", None, ".poster", seats=9),
    "lobby of three": Shown("holy-family", None, ".poster", seats=3),
    "lobby, agreed": Shown("class", None, ".poster", options=_AGREED),
    "hosted": Shown("class", None, ".poster", seats=3, link=_HOSTED),
    "hosted, no broker": Shown(
        "class", None, ".poster", link=_HOSTED, unreached="wss://broker.example:8884/mqtt"
    ),
    "handheld": Shown("class", None, ".poster .room", afar=True),
    "off": Shown("class", _63, ".layer .headline", 7000, here=(0, 2, 3, 4, 5), afar=True),
    "believed": Shown("class", (Roll((5, 4)), Announce(54), Believe()), ".cup", 5000),
    "shakes": Shown("class", (Roll((5, 4)), Announce(54), Believe()), ".cup", 5000, doing="shakes"),
    "blind": Shown("class", _BLIND, ".cup", 5000, doing="shakes"),
    "heckled": Shown("class", (Roll((5, 4)),), ".patter-bubble", 600, line=(7, "heckle")),
    "heckled of 4": Shown("class", (Roll((5, 4)),), ".patter-bubble", seats=4, line=(3, "heckle")),
    "heckled of 9": Shown("class", (Roll((5, 4)),), ".patter-bubble", seats=9, line=(7, "heckle")),
    "announced": Shown("class", _63, ".bubble", 800),
    "a bot's": Shown("class", _BOTS, ".bubble", 800, quiet=19, line=(6, "say")),
    "offered": Shown("class", _63, ".headline", 2600),
    "reacts": Shown("class", _63, ".bubble + .actor", reactions=("liar", "cheers", "gasp")),
    "lifts": Shown("class", (*_63, Doubt()), ".dark"),
    "first die": Shown("class", _LOST, ".dark", 2200),
    "lie": Shown("class", _LOST, ".stamp", 1500, reactions=("liar", "cheers")),
    "true": Shown("class", (Roll((6, 3)), Announce(63), Doubt(), Lift((6, 3))), ".stamp", 1500),
    "more": Shown("class", (Roll((6, 4)), Announce(63), Doubt(), Lift((6, 4))), ".stamp", 1500),
    "swims": Shown("class", _LOST * 3, ".sea", 1500, seats=3, quiet=14),
    "the end": Shown("class", _LOST * 4, ".end-left", 1500, seats=3, quiet=19),
    "asleep": Shown("class", (*_63,), ".layer .headline", 7000, here=(0, 2, 3, 4, 5)),
    "left": Shown("class", _63, ".layer .headline", 7000, here=(0, 2, 3, 4, 5), left=(1,)),
    "gives in": Shown("class", (Roll((2, 1)), Announce(21), GiveIn()), ".headline", 2200),
    "admits": Shown("class", OwnedUp, ".headline", seats=5),
    "out": Shown("class", WentOut, ".headline", seats=3),
    "leaves": Shown("class", LeftTable, ".headline", seats=5),
    "voided": Shown("class", RoundVoided, ".headline", seats=5),
    "maexchen": Shown("class", (Roll((2, 1)), Look(), ShowMaexchen()), ".gilt", 1500),
    "card": Shown("class", _LOST * 4, ".line-card", 3500, seats=3, quiet=19),
    "gone": Shown("class", _63, ".toast", 100),
    "glasses": Shown("physicist", _LOST, ".stamp", 1500),
    "glasses end": Shown("physicist", MatchEnded, ".end-left", 1500, seats=5),
    "same": Shown("holy-family", _SAME, ".bubble", 5500),
    "tower": Shown("holy-family", TowerShown, ".headline", seats=5),
    "tower lifted": Shown("holy-family", _TOWER, ".stamp", 1500),
    "spared": Shown("holy-family", TowerSpared, ".headline", seats=5),
    "reversed": Shown("holy-family", Reversed, ".headline", seats=5),
    "mistake": Shown("holy-family", Mishandled, ".headline", seats=5),
    "points end": Shown("holy-family", MatchEnded, ".end-left", 1500, seats=5),
    "roll-off": Shown("maxen", _OFF[:1], ".throw", 1200, seats=6),
    "tied": Shown("maxen", Tied, ".headline", seats=6),
    "maxen": Shown("maxen", (*_OFF, *_KEPT), ".throw", 1200, seats=6, quiet=7),
    "maxen round": Shown("maxen", (*_OFF, *_MAXEN), ".throw", 1200, seats=6, quiet=9),
    "covered": Shown("maxen", Lifted, ".throw", 1000, seats=6),
    "phase two": Shown("maxen", PhaseTwoBegan, ".headline", seats=6),
    "half lost": Shown("maxen", HalfLost, ".headline", seats=6),
    "next half": Shown("maxen", HalfBegan, ".headline", seats=6),
    "maxen end": Shown("maxen", MatchEnded, ".end-left", 1500, seats=6),
    "chicago": Shown("chicago", (*_OFF[:5], *_CHICAGO), ".throw", 1200, seats=5, quiet=8),
    "safe": Shown("chicago", GotSafe, ".headline", seats=5),
    "sevens": Shown("sevens", (*_SIX, Roll((6, 1, 5, 2, 3, 1))), ".throw", 1200, seats=6, quiet=6),
    "sevens round": Shown("sevens", (*_SIX, *_ROUND), ".headline", 2600, seats=6, quiet=12),
    "deciding": Shown("sevens", DecidingRound, ".headline", seats=6),
}  # fmt: skip


def _is(event, kind):
    """Whether an event is of a kind; a match that was stopped has no loser, and no last picture."""
    return isinstance(event, kind) and (kind is not MatchEnded or bool(event.outcome.losers))


@cache
def _until(game, kind, players):
    """Return the actions of a match that is played at random until an event of a kind happens."""
    return next(
        walk.actions[: place + 1]
        for walk in (Walk(RULES[game], players, 0, seed) for seed in count())
        for place, events in enumerate(walk.events)
        if any(_is(each, kind) for each in events)
    )


_CARD = EveningCard(
    [
        CardLine("Ben", "lies", {"A": "Ben", "n": 14, "c": 2}),
        CardLine("Dörte", "doubts", {"A": "Dörte", "B": "Konstantin", "n": 6}),
        CardLine("Konstantin", "swam", {"A": "Konstantin", "n": 23}),
    ],
    ["Cem", "Jo"],
    4,
)
_TALLY = [
    LobbyTally(name, 4, lost, crowns)
    for name, lost, crowns in zip(PEOPLE, (1, 1, 0, 0, 2, 0), (1, 0, 2, 1, 0, 0))
]


def _names(seats):
    return (
        NAMES[:seats] if seats >= 8 else ("Konstantin", "Cem", "Anna", "Dörte", "Ben", "Jo")[:seats]
    )


def lobby(shown, language):
    """The lobby as the screen is told it."""
    plays = shown.actions is not None
    owned = [name for name in NAMES if name != "Cem"] if shown.seats < 8 else NAMES
    come = PEOPLE if plays else _names(shown.seats)[: len(PEOPLE)]
    places = [
        LobbyPlace(name, True, plays, FACES[PEOPLE.index(name)], own=name in owned) for name in come
    ]
    if shown.afar:
        places = [replace(each, own=True, handheld=each.name == "Ben") for each in places]
    places += [LobbyPlace(None, False, False)] * (len(NAMES) - len(places))
    bots = BOTS[: max(0, shown.seats - len(PEOPLE))]
    plan = MatchPlan(shown.game, dict(shown.options), bots)
    sentence, differences = plan.told(language)
    return LobbyState(
        host=True, place=None, places=places, plan=plan, playing=plays,
        sentence=sentence, differences=differences, hindrance="", tally=_TALLY, secure=None,
        first=0, card=_CARD,
        door=LobbyDoor("HKUR", shown.link, _code(shown.link), "4071" if shown.afar else ""),
        comparing=(12, 17, 33, 38, 40) if shown.afar else None, room=RoomSettings(language),
        unreached=shown.unreached,
    )  # fmt: skip


def told(shown, language):
    """Return the messages that lead the screen to a state."""
    yield news_text(lobby(shown, language))
    if shown.actions is None:
        return
    names = _names(shown.seats)
    actions, quiet, kind = shown.actions, shown.quiet, object
    if isinstance(actions, type):
        kind = actions
        actions = _until(shown.game, kind, len(names))
        quiet = len(actions) - 1
    people = sum(name in PEOPLE for name in names)
    bots = BOTS[: len(names) - people]
    table = TableSetup(RULES[shown.game], len(names), seed=1, player_names=names)
    setup = WorldSetup(table, people, bots)
    afar = [1] if shown.afar else []
    yield welcome(setup, "screen", language, phones=True, handhelds=afar)
    match = new_match(RULES[shown.game], names, 0)
    yield _state(match, shown, people)
    for place, action in enumerate(actions):
        step = apply(match, public(action, match))
        if place >= quiet:
            events = [each for each in step.events if isinstance(each, kind)]
            last = place == len(actions) - 1
            lines = [_line(*shown.line, language)] if shown.line and last else []
            yield news_text(PublicEvents(told_events(events), drum_s(events, match), lines))
        match = step.match
        if place >= quiet - 1:
            yield _state(match, shown, people)
    if match.outcome is not None:
        yield news_text(replace(lobby(shown, language), playing=False))
    doing = {str(match.to_act): {"doing": shown.doing}}
    yield news_text({"is": "state", "seats": doing})


def _line(seat, occasion, language):
    """The longest line of a bot on an occasion."""
    lines = lines_of(language)[BOTS[seat % 2]][occasion]
    return PatterLine(seat, max(lines, key=len))


def _state(match, shown, people):
    here = [each for each in shown.here if each < people]
    claimed = [seat not in shown.left for seat in range(people)]
    return news_text(
        {
            "is": "state", "seats": {}, "over": False, "claimed": claimed, "here": here,
            "standing": msgspec.to_builtins(scoreboard_of(match)),
        }
    )  # fmt: skip


def show_screen(page, name, language):
    """Open the big screen in a state; its clock stands still then."""
    shown, sockets = STATES[name], []
    page.clock.install(time=0)
    page.clock.pause_at(1)
    sent = stage(page, "/screen", told(shown, language), language, sockets=sockets)
    seen = page.locator(shown.seen).first
    if shown.seen == ".toast":
        page.locator(".bubble").wait_for()
        sockets[0].close()
    for _ in range(STEPS):
        if seen.is_visible():
            break
        page.clock.run_for(STEP_MS)
    for place, reaction in enumerate(shown.reactions):
        sockets[0].send(news_text({"is": "reaction", "place": place + 3, "reaction": reaction}))
    page.clock.run_for(shown.wait_ms)
    page.evaluate(STANDS)
    return sent
