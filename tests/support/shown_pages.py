"""Every state of every game on the real pages, without a match: a socket says what is shown."""

import json
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import msgspec
import segno

from drivers.panel import pack
from firmware.display import screens
from firmware.display.oled.draw import draw
from firmware.display.oled.lettering import image_of
from firmware.display.screens import CupKind, DialStrip, NoteLine, Row, Tally, ThrowStage
from firmware.display.screens import Judgement as Judged
from firmware.display.text.labels import Alert, Text
from game import RULES, Status, apply, new_match
from game.actions import Announce, Believe, FaultKind, Roll, Say, Words
from game.record import Record
from game.status import Unit
from hw_sim.live.site.build import FRONT, PAGES_APART, STATIC, pages, scripts_made, starting_picture
from hw_sim.live.web.answers import games_json
from hw_sim.live.web.client import Rights
from hw_sim.live.web.coach_pages import coach_report, posed
from hw_sim.live.web.live_match import welcome_to
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.outgoing import (
    PANEL,
    BenchReadings,
    DisplayText,
    LobbyDoor,
    LobbyPlace,
    LobbyState,
    LobbyTally,
    SeatPrompt,
    StoryLines,
    VerdictMessage,
    scoreboard_of,
)
from hw_sim.live.world.setup import WorldSetup
from hw_sim.panel.prompts import prompt_of, spoken
from hw_sim.story.card import Moment, card, svg
from hw_sim.story.evening_report import evening, report
from hw_sim.table import TableSetup
from hw_sim.training.spots import made
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.played_pages import script
from tests.support.rules_table import playout

ADDRESS = "http://127.0.0.1:9"
ROOM, KEY, BROKER = "HKUR", "A" * 43, f"ws://{urlsplit(ADDRESS).netloc}/broker"
LINK = f"/join.html#{urlencode({'room': ROOM, 'key': KEY, 'broker': BROKER})}"
GUEST = f"{urlsplit(ADDRESS).netloc} {ROOM} {KEY[:8]}"
"""By this name a browser keeps what belongs to a guest of that evening."""
WHERE = {f"/{Path(name).stem}": f"/{name}" for name in pages()} | {"/phone": LINK, "/join": LINK}
"""The address of each page: a seated guest's, that of one who comes, and all others."""
NAMES = ("Ana", "Ben", "Cem", "Dea")
LIT = 207
_DIAL = DialStrip(Text.THROW_AGAIN, Text.NEUTRAL, 63, 2, 14)
_VALUE = DialStrip(62, 63, 64, 3, 14)
_OFFER = DialStrip(Text.DOUBT, Text.NEUTRAL, Text.BELIEVE, 2, 4)
_GO = DialStrip(Text.MORE, Text.NEUTRAL, Text.GO_ON, 1, 3)
_DICE = DialStrip(Text.STOP, 6, 4, 3, 6)
_ROWS = (
    Row("Ana", Tally(2)),
    Row("Ben", Tally(0, status=Status.SWIMS)),
    Row("Cem", Tally(3), True),
)
_TRUE = screens.Verdict(Judged.TRUE, "Ben", 1, Tally(1))
_LIE = screens.Verdict(Judged.LIE, "Ana", 1, Tally(0, status=Status.SWIMS), of_reader=True)
_IN, _ASIDE = screens.DieState.IN_PLAY, screens.DieState.ASIDE
_NOTES = (NoteLine(Text.PILE, count=3),)
_62 = Announce(62)


SETTLED = script("settled")
"""Everything that a page shows has arrived, and lies where it is to lie."""


class State(NamedTuple):
    """The screen of one handheld in a game; ``moment``: the event for all at the same time."""

    game: str
    screen: screens.Screen
    moment: Moment | None = None
    over: bool = False


def _turn(stage, **more):
    return screens.ThrowClosedPage("maxen", stage, 1, 3, (), 3, _GO, **more)


STATES = {
    "begins": State("class", screens.ClosedPage(CupKind.OPENING, _GO, may_throw=True)),
    "rattles": State("class", screens.ShakingPage()),
    "has thrown": State(
        "class",
        screens.ClosedPage(CupKind.THROWN, _DIAL, _62, "Cem", 1, may_throw=True, may_look=True),
    ),
    "peeks": State("class", screens.LookPage((6, 3), 63)),
    "chooses": State(
        "class", screens.ClosedPage(CupKind.THROWN, _VALUE, _62, "Cem", 1, may_look=True)
    ),
    "says": State("class", screens.AnnouncingPage(Announce(63), "Ben")),
    "on its way": State(
        "class", screens.OnItsWayPage("Ben", Announce(63), screens.Delivery.OFFERED)
    ),
    "waits": State("class", screens.WaitingPage("Ben", _62, "Ana", Tally(2))),
    "is offered": State("class", screens.OfferPage("Cem", _62, _OFFER, armed=False)),
    "believes?": State("class", screens.OfferPage("Cem", _62, _OFFER, armed=True)),
    "has believed": State(
        "class", screens.ClosedPage(CupKind.BELIEVED, _DIAL, _62, "Cem", may_throw=True)
    ),
    "lifts": State("class", screens.LiftingPage("Cem", _62, dial=_GO)),
    "a truth": State(
        "class",
        screens.RevealPage(_TRUE, (6, 3), 63, "Ana"),
        Moment((6, 3), 63, 0, False, (1,), (), ()),
    ),
    "a lie": State(
        "class",
        screens.RevealPage(_LIE, (3, 1), 62, "Ana", mine_to_go_on=True, may_throw=True),
        Moment((3, 1), 62, 0, True, (0,), (0,), ()),
    ),
    "a Mäxchen": State(
        "class",
        screens.RevealPage(screens.Verdict(Judged.SHOWN, "Cem", 1, Tally(2)), (2, 1)),
        Moment((2, 1), None, None, False, (2,), (), ()),
    ),
    "hands on": State("class", screens.WaitingPage("Ben", mine=Tally(2), dial=_GO)),
    "standings": State("class", screens.StandingsPage(_ROWS)),
    "menu": State("class", screens.MenuPage(DialStrip(Text.BACK, Text.HELP, Text.LEAVE, 2, 5))),
    "rules": State("class", screens.HelpPage(RULES["class"], 1)),
    "an alert": State("class", screens.AlertPage(Alert.NO_LOOK)),
    "a mistake?": State("class", screens.FaultQuestionPage(FaultKind.DROP, None, 0.5)),
    "a mistake of Ben?": State("class", screens.FaultQuestionPage(FaultKind.LOOK, "Ben")),
    "the end": State("class", screens.MatchOverPage("Ben", "R-CLASS-2", _ROWS), over=True),
    "with air": State(
        "physicist",
        screens.ClosedPage(
            CupKind.THROWN,
            DialStrip(Text.BACK, Text.PLAIN, Text.AIR, 1, 4),
            choosing=Announce(63),
        ),
    ),
    "the same": State(
        "holy-family", screens.OfferPage("Cem", Say(Words.SAME), _OFFER, armed=True)
    ),
    "throws again": State("holy-family", screens.ClosedPage(CupKind.AGAIN, _GO, may_throw=True)),
    "who leads": State("maxen", _turn(ThrowStage.ROLL_OFF, may_throw=True)),
    "to throw": State("maxen", _turn(ThrowStage.TURN, may_throw=True)),
    "to show": State("maxen", _turn(ThrowStage.TURN, thrown=True)),
    "covered third": State("maxen", _turn(ThrowStage.LIFT)),
    "bonus": State("maxen", _turn(ThrowStage.BONUS, may_throw=True)),
    "sets aside": State(
        "maxen",
        screens.ThrowOpenPage(
            "maxen", None, (6, 4, 1), (), (_IN, _IN, _ASIDE), 1, 3, _DICE, selected=1
        ),
    ),
    "Ben has thrown": State(
        "maxen", screens.ThrowOpenPage("maxen", "Ben", (6, 4, 1), (), (_IN, _IN, _ASIDE), 1, 3)
    ),
    "round ends": State(
        "maxen",
        screens.RoundEndPage(
            "maxen", ("Ana", (1, 1, 1)), ("Ben", (4, 3, 2)), (), dial=_GO
        ),
    ),
    "gives one": State(
        "chicago",
        screens.ThrowClosedPage(
            "chicago", ThrowStage.LEVELLING, 1, 3, (), 3,
            DialStrip(Text.MORE, Text.NEUTRAL, "Ben", 1, 4),
        ),
    ),
    "chicago": State(
        "chicago",
        screens.ThrowOpenPage("chicago", None, (6, 5, 1), (), (_IN,) * 3, 2, 3, _DICE, selected=0),
    ),
    "sevens": State(
        "sevens",
        screens.ThrowOpenPage("sevens", None, (6, 5, 3, 3, 2, 1), (), (_IN,) * 6, 1, 3, _GO),
    ),
    "sevens end": State(
        "sevens",
        screens.RoundEndPage(
            "sevens", ("Ana", (6, 5, 3, 3, 2, 1)), ("Ben", (6, 6, 5, 5, 4, 4)), _NOTES, _GO
        ),
    ),
    "scores of drinks": State(
        "physicist",
        screens.StandingsPage(tuple(Row(name, Tally(2, Unit.DRINK)) for name in ("Ana", "Ben"))),
    ),
}  # fmt: skip
"""By what happens."""


def _setup(game):
    return WorldSetup(TableSetup(RULES[game], players=4, seed=1), 1, ("honest",) * 3)


def _match(game):
    """A match in its first round; where something is announced, by Cem."""
    rules = RULES[game]
    match = new_match(rules, _setup(game).table.names, 2)
    if rules.game in ("class", "physicist", "holy-family"):
        for action in (Roll((3, 1)), _62, Believe()):
            match = apply(match, action).match
    return match


def welcome(setup, view, language, seat=None, **more):
    """Return the first message to a page: of who plays a seat alone, or of who (None) watches."""
    seen = frozenset(() if seat is None else (seat,))
    return news_text(welcome_to(setup, Rights(view, language, seat, seen, bool(seen)), **more))


def messages(state, language):
    """Return the messages that show a state to a page of seat 0, as texts and bytes."""
    setup = _setup(state.game)
    outside = {"cup": False, "lid": 0.0, "led": False, "power": True, "faults": [], "doing": ""}
    lid = {"lid": 1.0} if isinstance(state.screen, screens.LookPage) else {}
    yield welcome(setup, "seat", language, 0)
    yield bytes((PANEL, 0, LIT)) + pack(draw(state.screen, language).columns)
    yield news_text(DisplayText(0, spoken(state.screen, language)))
    yield news_text(SeatPrompt(0, prompt_of(state.screen, language)))
    elsewhere = isinstance(state.screen, screens.WaitingPage | screens.OfferPage)
    seats = {str(seat): outside | (lid if seat == 0 else {}) for seat in range(4)}
    seats["1" if elsewhere else "0"] |= {"cup": True}
    yield news_text(
        {
            "is": "state", "seats": seats, "over": state.over, "speed": 1.0, "paused": False,
            "past": False, "trouble": None, "claimed": [True], "here": [0],
            "standing": msgspec.to_builtins(scoreboard_of(_match(state.game))),
        }
    )  # fmt: skip
    if state.moment is not None:
        yield news_text(VerdictMessage(state.moment))


def news_text(news):
    """Return a message of the table as it goes over the wire."""
    return json.dumps(msgspec.to_builtins(news))


def digests():
    """By state, what is to be seen of it, in short: pictures, and what is said beside them."""
    found = {}
    for name, state in STATES.items():
        known = sha256(repr(state.moment).encode())
        for language in ("de", "en"):
            known.update(image_of(draw(state.screen, language)).tobytes())
            known.update(msgspec.json.encode(prompt_of(state.screen, language)))
        found[name] = known.hexdigest()[:12]
    return found


_PLAYED = Record(RULES["class"], NAMES, 0, tuple(playout(RULES["class"], NAMES, Random(1))[0]))
"""A match that is over."""


def show(page, path, state, language, *, learned="all"):
    """Open a page of seat 0 that shows a state; returns what it sends, as it does."""
    sent = stage(page, path, messages(state, language), language, learned=learned)
    page.locator(".case.lighted").first.wait_for()
    last = ".verdict" if state.moment else ".match-card img" if state.over else ".score"
    page.locator(last).first.wait_for(state="attached")
    page.evaluate(SETTLED)
    return sent


def stage(page, path, told, language, *, learned="all", sockets=None):
    """Open a page of the site as its sources are, told all that; returns what it sends.

    ``path`` is one of `WHERE`, or an address of the site. The page and its line are the real ones;
    in place of its workers a socket leads here. ``sockets``: a list for its sockets, by which it
    can be told more.
    """
    told, sent = list(told), []
    answers = {
        "/card.svg": lambda: svg(card(_PLAYED, language)).encode(),
        "/invited": lambda: msgspec.json.encode(
            {"invited": True, "faces": [], "away": [{"place": 1, "name": "Ben", "face": "cap"}]}
        ),
        "/games": lambda: msgspec.json.encode({"games": games_json(language)}),
        "/judged.json": lambda: msgspec.json.encode(coach_report(_PLAYED, language)),
        "/evening.json": lambda: msgspec.json.encode(report(evening([_PLAYED]), "x", language)),
        "/matches.json": lambda: msgspec.json.encode(
            {"matches": [(1, "x", _PLAYED.players)], "judges": True}
        ),
        "/train.json": lambda: msgspec.json.encode(trained(language)),
        "/party.json": lambda: msgspec.json.encode({"sites": [], "secure": [f"{ADDRESS}/"]}),
        "/static/starting.png": starting_picture,
    }

    def serve(route):
        name = urlsplit(route.request.url).path
        answer = answers.get(name)
        body = answer() if answer else _file(name)
        kind = guess_type(name)[0] or ("text/html" if name == "/" else "application/json")
        if body is None:
            route.fulfill(status=404)
        else:
            route.fulfill(body=body, content_type=kind)

    def answer(socket):
        def take(message):
            sent.append(json.loads(message))
            if sent[-1]["do"] == "hello":
                for each in told:
                    socket.send(each)

        socket.on_message(take)
        if sockets is not None:
            sockets.append(socket)

    page.route("**/*", serve)
    page.route_web_socket("**/socket", answer)
    page.add_init_script(path=Path(__file__).with_name("shown_table.js"))
    page.add_init_script(
        f"localStorage.setItem('maexchen.language', '{language}');"
        f"localStorage.setItem('maexchen.learned', '{learned}');"
        + (f"localStorage.setItem('maexchen.guest.{GUEST}', 'A');" if path == "/phone" else "")
    )
    page.goto(ADDRESS + WHERE.get(path, path))
    if sockets is not None:
        wait_until(page, lambda: any(message["do"] == "hello" for message in sent))
    return sent


def tell(sockets, *told):
    """Send messages on the line that a page has opened last."""
    for each in told:
        sockets[-1].send(each)


def next_state(name, language="en", *, hides_moment=False):
    """Return the messages that show a state to a page that was welcomed before."""
    state = STATES[name]._replace(moment=None) if hides_moment else STATES[name]
    return [*messages(state, language)][1:]


def _file(name):
    """The bytes of a file of the site, from its sources; None if there is none."""
    folder, _, file = name.removeprefix("/").rpartition("/")
    if not folder:
        page = _pages().get(file or "index.html")
        return page and page.encode()
    ways = {each.name: each.line for each in PAGES_APART}
    if file in _scripts():
        return _scripts()[file]
    if file == "line.js" and folder in ways:
        file = ways[folder]
    found = (room / file for room in (FRONT, STATIC) if (room / file).exists())
    return next((path.read_bytes() for path in found), None)


@cache
def _pages():
    """Each page; one apart has its modules in a folder of its name, where its line is its own."""
    made = pages()
    for each in PAGES_APART:
        page = made[f"{each.name}.html"]
        own, there = (f'"{folder}/{each.name}.js"' for folder in ("static", each.name))
        made[f"{each.name}.html"] = page.replace(own, there)
    return made


_scripts = cache(scripts_made)


def watching(language, *, phones=False):
    """Return the messages to a page that watches: nobody's panel; ``phones``: at a party."""
    yield welcome(_setup("class"), "table", language, phones=phones)
    yield from [*messages(STATES["a lie"], language)][4:]
    lines = {"de": ["Cem sagt 62.", "Ana glaubt es nicht."], "en": ["Cem says 62."]}[language]
    yield news_text(StoryLines(lines))


def _bench(language):
    """Return the messages of the bench to a player alone."""
    yield welcome(_setup("class"), "bench", language, 0)
    yield from [*messages(STATES["chooses"], language)][1:]
    air = [{"t_us": 1, "from": 0, "to": 1, "size": 40, "about": "OFFER"}]
    line = {"t_us": 7, "part": "VEML7700", "register": "ALS", "read": True, "meaning": "93 lx"}
    points = [[0.04 * i, 90.0, 0.1, 0.2, 9.8, 1.0, 0.0, 2.0, 1.0, 0.0] for i in range(50)]
    seats = {"0": {"points": points, "bus": [line, {"t_us": 8, "part": "PAD", "level": 1}]}}
    yield news_text(BenchReadings(t=2.0, end=9.0, air=air, seats=seats))


def lobby_of(*, is_host, place=None, plays=False, screen=False, lies=None):
    """How a party stands, as the host's page or a guest's is told: three are seated."""
    code = segno.make(ADDRESS + LINK, micro=False, error="m").svg_data_uri(border=2)
    free = LobbyPlace(None, False, False)
    seated = [LobbyPlace(name, name != "Ben", plays, own=name != "Ben") for name in NAMES[:3]]
    tally = [LobbyTally(name, 3, lost) for lost, name in enumerate(NAMES[:3])]
    return news_text(
        LobbyState(
            host=is_host, place=place, places=seated + [free] * 6, plan=MatchPlan(), playing=plays,
            sentence="", differences=[], hindrance="", tally=tally,
            secure=f"{ADDRESS}/", screen=screen,
            door=LobbyDoor(ROOM, ADDRESS + LINK, code) if place is not None else None,
            lies=lies,
        )
    )  # fmt: skip


def crowd(language, seat):
    """Return the messages to the table's page about nine who act; ``seat``: its own, or None."""
    setup = WorldSetup(TableSetup(RULES["class"], players=9, seed=1), 1, ("trusting",) * 8)
    yield welcome(setup, "table", language, seat)
    yield from [*messages(STATES["waits"], language)][1:4] if seat is not None else ()
    doing = {"cup": False, "lid": 1.0, "led": False, "power": True, "faults": [], "doing": "lifts"}
    match = new_match(setup.table.rules, setup.table.names, 2)
    yield news_text(
        {
            "is": "state", "seats": {str(each): doing for each in range(9)}, "over": False,
            "claimed": [True], "here": [0], "standing": msgspec.to_builtins(scoreboard_of(match)),
        }
    )  # fmt: skip


def trained(language):
    """Return a decision of the trainer, as its page gets it."""
    return posed(1, made("class", 3, Random(4)), language, waiting=2)


PAGES = {
    "table": ("/", lambda language: messages(STATES["chooses"], language), ".case.lighted"),
    "watcher": ("/", watching, ".seat.private, .private"),
    "seat": ("/seat", lambda language: messages(STATES["believes?"], language), ".ways button"),
    "card": ("/seat", lambda language: messages(STATES["the end"], language), ".match-card img"),
    "rules": ("/seat", lambda language: messages(STATES["waits"], language), "#ask"),
    "menu": ("/seat", lambda language: messages(STATES["waits"], language), ".menu summary"),
    "guest": ("/phone", lambda _: [lobby_of(is_host=False, place=0)], ".places .guest"),
    "sheet": ("/phone", lambda _: [lobby_of(is_host=True, place=0)], ".sheet .again"),
    "join": ("/join", lambda _: (), "#name"),
    "trust": ("/trust", lambda _: (), "#go"),
    "tasks": ("/tasks", lambda _: (), "#tasks a"),
    "bench": ("/bench", _bench, "#bus tr"),
    "judged": ("/judged", lambda _: (), "#judged table"),
    "evening": ("/evening", lambda _: (), "#evening table"),
    "train": ("/train", lambda _: (), "#ladder .beats button"),
}
"""Every page that there is: where it is, what it is told, and what is seen of it then."""


def show_page(page, name, language):
    """Open one of `PAGES`."""
    path, told, seen = PAGES[name]
    stage(page, path, told(language), language)
    page.locator(seen).first.wait_for()
    if name in ("rules", "menu"):
        page.locator(seen).click()
        page.locator("#close, #teach").locator("visible=true").wait_for()
    page.evaluate(SETTLED)
