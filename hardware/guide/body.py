"""The steps that close a handheld: as data, as a page, and the proof that each joint is told once.

A ready cable makes four joints of a board; its maker makes the straps of the accelerometer. The
steps of infrared may be left out.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Final, Literal

import msgspec

from hardware.board.plan import PITCH_MM
from hardware.case.bodies import TOLD, Case, pad_joints
from hardware.case.carrier import leg_places
from hardware.case.hands import at_plugs, loose
from hardware.case.lines import Way
from hardware.case.sizes import CUP
from hardware.case.wires import int1
from hardware.guide.drawings import draw_bodies
from hardware.guide.pages import (
    MOST_ACTIONS,
    Fitted,
    GuideStep,
    everything,
    printed_of,
    supply,
    told_check,
    told_leads,
    told_step,
)
from hardware.texts import text, warning
from hw_sim.board import HEADER_POWER, NETS

STEPS: Final = Path(__file__).with_name("body.toml")
BY_MAKER: Final = ("ADXL345.CS", "ADXL345.SDO")
"""Legs that the maker of the board straps."""
CABLE: Final = ("VCC", "GND", "SDA", "SCL")
NEAR_MM: Final = 3.2
"""Joints that solder may bridge are at most so far apart, or are the two of the piezo; chosen."""
ON_BASE: Final = ("wire cable 1", "wire ADXL345.INT1")
"""Wires with both ends on the base; the others lead to the top."""
MOST_JOINTS: Final = {False: 12, True: 40}
"""The most joints that are soldered, without and with the steps that may be left out."""


class BodyPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One picture; ``body.toml`` says what its fields hold."""

    new: tuple[tuple[str, ...], ...]
    on: Literal["base", "top", "carrier", "below", "nothing", "turned"] = "base"
    optional: bool = False
    way: dict[str, Way] = {}
    turn: float = -28.0
    rise: float = 38.0

    @property
    def bodies(self) -> list[str]:
        """The bodies of its actions, each once."""
        return list(dict.fromkeys(name for action in self.new for name in action))


class MeterReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reading of a meter between two legs: from ``least`` to ``most`` Ω or F, or no number."""

    red: str
    black: str
    proves: tuple[str, ...]
    unit: Literal["Ω", "F"]
    least: float = math.inf
    most: float = math.inf

    def shown(self, comma: str) -> str:
        """Return the range as a reader has it, such as ``3.7 … 5.7 µF``; ``comma``: its point."""
        scale = next(one for one in (1e3, 1, 1e-6, 1e-9) if self.least >= one)
        prefix = {1e3: "k", 1: "", 1e-6: "µ", 1e-9: "n"}[scale]
        ends = (f"{end / scale:.4g}" for end in (self.least, self.most))
        return f"{' … '.join(ends)}\u00a0{prefix}{self.unit}".replace(".", comma)


class BodyStep(GuideStep, frozen=True, kw_only=True):
    """One step of the body; ``body.toml`` says what its fields hold."""

    pictures: tuple[BodyPicture, ...]
    solder: tuple[str, ...] = ()
    cables: tuple[str, ...] = ()
    wires: dict[str, str] = msgspec.field(default_factory=dict)
    links: tuple[tuple[str, ...], ...] = ()
    optional: bool = False
    meter: tuple[MeterReading, ...] = ()
    proves: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    loose: tuple[str, ...] = ()


@cache
def body_steps() -> tuple[BodyStep, ...]:
    """Return the steps."""
    return msgspec.convert(tomllib.loads(STEPS.read_text("utf-8"))["step"], tuple[BodyStep, ...])


# ---- proof -------------------------------------------------------------------------------------


def untold(steps: Sequence[BodyStep]) -> Iterator[str]:
    """Yield each joint that no step makes, or two, or that no reading proves, or two."""
    yield from _out_of_hand(steps)
    made = Counter(BY_MAKER)
    signal = {leg: name for name, legs in NETS.items() for leg in legs}
    wired = {leg for step in steps for leg in step.wires}
    ends = {leg for step in steps for link in step.links for leg in link[:-1]}
    done = set[str]()
    for step in steps:
        plugged = [f"{part}.{leg}" for part in step.cables for leg in CABLE]
        made.update([*plugged, *step.wires])
        done |= {*plugged, *step.solder, *step.wires, *chain(*step.links)}
        for _, joint in proofs([step]):
            if missing := set(joint.split()) - done:
                yield f"{step.name}: {min(missing)} is examined before it is joined"
        for link in step.links:
            if set(link[:-1]) <= set(step.solder):
                made.update(set(link) - wired)
            if len({signal[leg] for leg in link}) > 1:
                yield f"{step.name}: {' and '.join(link)} are not on one net"
        for leg, pin in step.wires.items():
            carries = HEADER_POWER.get(int(pin)) or signal.get(f"Pi.{pin}")
            if carries != signal[leg]:
                yield f"{step.name}: {leg} goes to header {pin}, which carries {carries}"
    legs = [leg for leg in signal if not leg.startswith("Pi.") and leg not in BY_MAKER]
    for leg in legs:
        if made[leg] != 1:
            yield f"{leg} is joined in {made[leg]} steps"
    soldered = Counter(leg for step in steps for leg in step.solder)
    for leg in sorted(wired | ends | set(soldered) - {"SJ3"}):
        if soldered[leg] != 1:
            yield f"{leg} is soldered in {soldered[leg]} steps"
    for optional, most in MOST_JOINTS.items():
        count = sum(len(step.solder) for step in steps if optional or not step.optional)
        if count > most:
            yield f"{count} joints are soldered, more than {most}"
    told = Counter(joint for _, joint in proofs(steps))
    for joint in [*dict.fromkeys([*legs, *soldered, *neighbours(signal)]), *told]:
        if told[joint] != 1:
            yield f"{joint} is proven by {told[joint]} readings"
            told[joint] = 1


def _out_of_hand(steps: Sequence[BodyStep]) -> Iterator[str]:
    """Yield each joint on a board in its place, each step that lacks a tool, each full picture."""
    placed = set[str]()
    for step in steps:
        screws = [name for one in step.pictures for name in one.bodies if name[:5] == "screw"]
        uses = {"iron": step.solder, "meter": step.meter, "driver": screws}
        yield from (
            f"{step.name}: its tools lack the {tool}"
            for tool, used in uses.items()
            if used and tool not in step.tools
        )
        for picture in step.pictures:
            if (count := len(picture.new)) > MOST_ACTIONS:
                yield f"{step.name}: one picture shows {count} actions"
            for name in picture.bodies:
                if name.startswith("joint") and (board := name.split()[-1]) in placed:
                    yield f"{step.name}: {name} is soldered, but {board} is in its place"
            placed.update(picture.bodies if picture.on in ("base", "top") else ())


def proofs(steps: Sequence[BodyStep]) -> Iterator[tuple[BodyStep, str]]:
    """Yield each joint, and each bridge between two, that a reading of a step proves."""
    for step in steps:
        for joints in (*(one.proves for one in step.meter), *step.proves.values()):
            yield from ((step, joint) for joint in joints)


def neighbours(signal: Mapping[str, str]) -> list[str]:
    """Return the pairs of joints on different nets that solder may bridge."""
    places = {leg: (x, y) for leg, (x, y) in leg_places(CUP).items()}
    pads = zip(("TTP223.VCC", "TTP223.Q", "TTP223.GND"), pad_joints(CUP), strict=True)
    places |= {leg: (x, y) for leg, (x, y, _) in pads}
    x, y, _ = int1(CUP)
    places |= {"ADXL345.INT1": (x, y), "ADXL345.SDA": (x - PITCH_MM, y)}  # as in its board file
    return ["piezo.+ piezo.-"] + [
        f"{one} {other}"
        for one, other in combinations(sorted(places), 2)
        if math.dist(places[one], places[other]) < NEAR_MM and signal[one] != signal[other]
    ]


def dropped(steps: Sequence[BodyStep], case: Case) -> Iterator[str]:
    """Yield each way on which a body is loose after a step that does not tell so, or is not.

    Each body is placed in one step; wires are laid flat once more. None is loose in the end.
    Each step adds to what stands on the base, hangs in the top as it lies, or is on the carrier.
    """
    solids, standing, still = at_plugs(case), dict[str, set[str]](), set[str]()
    placed, before, found, plugged = Counter[str](), set[str](), set[str](), set[str]()
    for step in steps:
        ways, new = list[tuple[str, str]](), dict[str, set[str]]()
        for picture in step.pictures:
            new.setdefault(picture.on, set()).update(*picture.new)
        lying = new.get("nothing", set()) | new.get("turned", set())
        held = set().union(*(new[place] for place in new.keys() - {"nothing", "turned"}))
        placed.update(held | {name for name in lying if name.startswith("joint")})
        plugged |= {*step.wires}
        for place in new.keys() & {"base", "top", "carrier"}:
            here = standing.setdefault(place, {place})
            here |= new[place]
            if "top" in new[place]:
                here |= set().union(*standing.values())
            on_pi = {f"wire {leg}" for leg in plugged if "pi" in here}
            pushed = {name for name in here & {*solids} if name[:4] != "wire" or name in on_pi}
            parts = {name: solids[name] for name in pushed}
            stays = {place} if "top" not in new[place] else set()
            ways += [one for one in loose(parts, new[place] | still) if one[0] not in stays]
        found = {f"{name} {way}" for name, way in ways}
        for one in sorted((found - before) ^ {*step.loose}):
            yield f"{step.name}: {one} {'is' if one in found else 'is not'} loose after this step"
        still |= {name for name, _ in ways}
        before |= found
    yield from (f"{one} is loose in the end" for one in sorted(found))
    for body in (*case.printed, *case.inside):
        times = min(placed[body.name], 1) if body.kind == "wire" else placed[body.name]
        if "room" not in body.kind and body.name not in ("base", "tips pi") and times != 1:
            yield f"{body.name} is placed in {times} steps"


# ---- pictures ----------------------------------------------------------------------------------


def stands(picture: BodyPicture) -> list[str]:
    """Return the bodies that stand already where the actions of a picture happen."""
    place: str = "carrier" if picture.on == "below" else picture.on
    if place in ("nothing", "turned"):
        return []
    found = [place]
    every = [(step.optional or one.optional, one) for step in body_steps() for one in step.pictures]
    number = [one for _, one in every].index(picture)
    for is_optional, one in every[:number]:
        if one.on in ("base", "top", "carrier") and is_optional <= every[number][0]:
            found += [name for name in one.bodies if place in _places(name, one.on)]
    return [name for name in dict.fromkeys(found) if name not in picture.bodies]


def _places(name: str, on: str) -> tuple[str, ...]:
    """The places where a body is seen afterwards; a joint has none, so it is drawn once."""
    if name.startswith("joint"):
        return ()
    if name.endswith(("receiver", "sender")):
        return ("carrier",)
    if name.startswith("wire") and name not in ON_BASE:
        return ("top",) if on == "top" and name[5:] in TOLD.wires else ("base", "top")
    return ("top",) if name in TOLD.hanging else ("base",)


def draw_body(picture: BodyPicture, case: Case) -> str:
    """Return a picture as an SVG document, from the bodies as they are then."""
    camera, is_over = (picture.turn, picture.rise), picture.on in ("top", "below", "turned")
    return draw_bodies(case, stands(picture), picture.bodies, picture.way, camera, is_over)


# ---- page --------------------------------------------------------------------------------------


def body_page(language: str) -> str:
    """Return the page in Markdown.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    told, words = text(language).guide, text(language).body
    lines = [warning(language), "", f"# {words['all'].title}", "", told["body_links"], ""]
    lines += [words["all"].text.strip(), *supply(language)]
    for number, step in enumerate(body_steps(), 1):
        said = words[step.name]
        lines += ["", f"## {number}. {said.title}", ""]
        name, do = f"body-{step.name}", body_actions(step, language)
        lines += told_step(step, name, said, do, language, measured(step, language))
        if step.check:
            without = printed_of(fitted(step, step.optional), language)
            seen = printed_of(fitted(step, has_infrared=True), language)
            lines += told_check(step.check, without, language)
            if without != seen:
                more = [line for line in seen.split("\n") if line not in without.split("\n")]
                lines += [told["infrared"], "", "```", *more, "```", ""]
            lines += told_leads(step.mistakes, language)
    for title, is_optional in ((f"## {told['all']}", False), (f"### {told['more']}", True)):
        taken = [step for step in body_steps() if step.optional is is_optional]
        lines += ["", title, "", *everything(taken, language)]
    return "\n".join(lines) + "\n"


def measured(step: BodyStep, language: str) -> tuple[int, list[str]]:
    """Return the number of the last picture that solders, and the readings of a meter after it."""
    told, said = text(language).guide, text(language).body[step.name]
    if not step.meter:
        return 0, []
    joints = [str(picture.new).count("joint") for picture in step.pictures]
    shown = [one.shown(told["comma"]) for one in step.meter]
    lines = [f"- {line}" for line in said.meter.strip().format(*shown).split("\n")]
    last = max(place for place, count in enumerate(joints, 1) if count)
    return last, ["", f"**{told['meter']}**", "", *lines]


def fitted(step: BodyStep, has_infrared: bool) -> Fitted:
    """Return what the doctor of a step looks at: the parts that are joined by then."""
    so_far = body_steps()[: body_steps().index(step) + 1]
    done = [one for one in so_far if has_infrared or not one.optional]
    legs = [leg for one in done for joined in (one.wires, *one.links) for leg in joined]
    parts = [*(part for one in done for part in one.cables), *(leg.split(".")[0] for leg in legs)]
    return Fitted(step.check, tuple(dict.fromkeys(parts)), "bh1750")


def body_actions(step: BodyStep, language: str) -> Iterator[list[str]]:
    """Yield the actions of each picture: those in the words, and each socket on the header."""
    told, words = text(language).guide, iter(text(language).body[step.name].text.split("\n"))
    for picture in step.pictures:
        lines = []
        for action in picture.new:
            leg = action[0].removeprefix("wire ")
            if leg in step.wires and picture.on == "base":
                part, _, end = leg.partition(".")
                name = part if end in ("1", "-") else f"{part} {end}"
                lines.append(told["push"].format(leg=name, pin=step.wires[leg]))
            else:
                lines.append(next(words))
        yield lines
