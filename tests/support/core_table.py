"""Handheld cores at one table: real logs, cups, keys and journals; only air and time are made.

After every single report the table checks the invariants: one cup in one place, no frame that says
more than the disk of its sender, and dice on nobody's panel who may not see them.
"""

from dataclasses import replace
from itertools import chain, count
from random import Random

from firmware.display.screens import DieState, MatchOverPage, RevealPage, ThrowOpenPage
from firmware.display.screens import LookPage as LookScreen
from firmware.effects import Beep, Blank, PartFailed, PartWell, Sense, Show
from firmware.input.controls import Die, LocalChoice, plain
from firmware.input.gestures import Covered, Shaken, Shaking, Uncovered
from firmware.play.turn.offers import may_look_again, showable
from firmware.settings import BY_LIGHT, Settings
from firmware.table.handover import Where
from firmware.table.protocol import HEADER_BYTES, Header
from firmware.table.protocol.messages import Answer, Give, Log, Propose, Taken, Want
from firmware.table.seat.cup_custody import Position
from game import RULES, apply, legal_actions, new_match, public
from game.actions import Announce, Keep, Lift, Look, Roll, Say, ShowMaexchen, ShowTower
from game.bluff.rules import MAEXCHEN, value_of
from tests.support.core_place import Place
from tests.support.net import MS, Net, S, Thumb
from tests.support.tables import KEY, fixed

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans", "Ida")
SHORT = {game: {} for game in RULES} | {
    "class": {"credit": 1},
    "holy-family": {"points": 3, "tower_one_in": 6},
    "maxen": {"coasters": 5},
    "chicago": {"coasters": 4, "levelling": True},
    "sevens": {"rounds": 2},
}
"""Options that make matches of a game short, and rare things frequent."""
ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)
_ON_ITS_WAY = {Position.TAKING, Position.PASSING}
_HAS_CUP = (Where.HOLDING, Where.PROPOSED, Where.OFFERED)
"""A handheld that returns from a power cut may have the cup, although it does not act on it yet."""


def throwing(*dice):
    """Chance that makes these throws, and 6-5 ever after."""
    pips = chain(chain.from_iterable(dice), (6 - place % 2 for place in count()))
    return lambda size: bytes(next(pips) - 1 for _ in range(size))


class UndoneError(Exception):
    """A gesture of the thumb had no effect; only a power cut may cause that."""


class CoreTable(Net, Thumb):
    """The table. ``disk_us`` and ``air_us``: what a write and a frame take.

    ``dice`` are the throws of each seat; those without any throw at random. ``before_write`` and
    ``after_write`` are called with a Place at these moments and may restart it.
    """

    def __init__(
        self, size=3, *, game="class", first=0, seed=0, dice=None, folder=None, disk_us=0,
        air_us=0, epoch=1, faults="ask", key=KEY, names=None,
        by_light=False, **options,
    ):  # fmt: skip
        self.size = size
        self.key = key
        self.names = names or NAMES[:size]
        self.first = first
        self.rules = replace(RULES[game], **options)
        self.epoch = epoch
        self.fault_rule = faults
        self.by_light = by_light
        self.folder = folder
        self.fair = dice is None
        """Dice that are given cannot be proven."""
        self.seed = seed
        dice = dice or {}
        self.entropy = [
            throwing(*dice[seat]) if seat in dice else Random(f"{seed}/{seat}").randbytes
            for seat in range(size)
        ]
        self.cup_gone = False
        self.before_write = self.after_write = None
        super().__init__([], disk_us=disk_us, air_us=air_us)
        self.places = self.cores
        self.places += (Place(self, seat) for seat in range(size))
        for place in self.places:
            self.start(place)

    def settings(self, seat):
        table = fixed(
            self.names, seat,
            key=self.key, rules=self.rules, first=self.first, number=self.epoch,
        )  # fmt: skip
        link = BY_LIGHT if self.by_light else ("bluetooth",)
        return Settings(journal=self.folder / f"seat{seat}.sqlite", link=link, standing=table)

    def start(self, place):
        self.follow(place.seat, place.handheld.start(self.now_us, place.shell))
        self.settle()

    def restart(self, place, begin=True):
        """Cut the power of a seat and switch it on again; what it had not written is gone."""
        place.journal.close()
        place.open(begin)
        place.stored.append(None)
        self.follow(place.seat, place.handheld.start(self.now_us, place.shell))

    def forget(self, seat):
        """A seat's disk is lost, and it is switched on again. A cup that it had is gone."""
        place = self.places[seat]
        self.cup_gone = place.own_seat.holding
        place.journal.close()
        for file in self.folder.glob(f"seat{seat}.sqlite*"):
            file.unlink()
        place.open(begin=False)
        self.start(place)

    def close(self):
        for place in self.places:
            if place.journal is not None:
                place.journal.close()

    # Reports and effects

    def __getitem__(self, seat):
        return self.places[seat]

    def handle(self, seat, report):
        place = self.places[seat]
        if isinstance(report, PartFailed | PartWell):
            place.shell.part_alerts.report(report)
        return place.handheld.handle(report, self.now_us)

    def timer_us(self, seat):
        return self.places[seat].handheld.next_timer_us

    def follow(self, seat, effects):
        place = self.places[seat]
        super().follow(seat, place.shell.show(place.handheld.screen, effects))

    def other(self, seat, effect):
        place = self.places[seat]
        match effect:
            case Show():
                self._show(place, effect)
            case Blank(generation):
                assert generation > place.generation
                place.generation = generation
                place.dice_shown = None
                place.shown.append(effect)
            case Sense(fully, asked):
                place.sensing, place.asked = fully, asked
            case Beep(sound):
                place.heard.append((self.now_us, sound))

    def _show(self, place, show):
        screen, handheld = show.screen, place.handheld
        assert show.generation == place.generation
        dice = getattr(screen, "dice", None)
        if dice is None:
            assert place.dice_shown is None, "dice left a screen without a blank before the next"
        elif isinstance(screen, LookScreen):
            assert handheld.position is Position.MINE
            assert handheld.match.seen
            assert handheld.match.rolls <= self.rules.looks, "R-CLASS-4, R-PHYS-1, R-HF-1"
            assert dice == handheld.match.dice == handheld.own_seat.dice
        elif isinstance(screen, ThrowOpenPage):
            told = [a.dice for a in place.actions if isinstance(a, Roll | Lift)]
            assert dice in told
        else:
            assert isinstance(screen, RevealPage)
            lifts = [a.dice for a in place.actions if isinstance(a, Lift | ShowTower)]
            assert dice == (lifts[-1] if lifts and (screen.announced or screen.tower) else (2, 1))
        place.dice_shown = dice
        place.shown.append(show)

    def write(self, seat, store):
        place = self.places[seat]
        if self.before_write is not None and self.before_write(place):
            return False
        place.write(store.batch)
        if self.after_write is not None and self.after_write(place):
            return False
        place.confirmed.add(store.ticket)
        return True

    def checked(self, seat, send):
        """The message of a frame, which says no more than the disk of its sender."""
        place, epoch = self.places[seat], Header.unpack(send.frame[:HEADER_BYTES]).epoch
        sender, message = self.places[send.seat].sealer.at(epoch).open(send.frame)
        assert send.after is None or send.after in place.confirmed
        assert sender == seat
        disk = place.cup
        match message:
            case Propose() | Answer() | Give():
                assert send.frame == disk.frame, "a frame of the cup left before it was written"
                end = message.at.index if isinstance(message, Answer) else 0
                assert end <= len(place.entries), "answered to entries that are not written"
            case Taken(hop):
                assert hop <= disk.last, "a cup was confirmed before it was written"
            case Log(first, entries_told):
                assert first + entries_told <= len(place.entries), "entries told, not written"
            case Want(first):
                assert first <= len(place.entries), "entries confirmed, not written"
        place.left.append((send.seat, message, send.frame))
        return message

    def check(self):
        """One cup of the newest epoch, in one place or on its way between two."""
        epochs = self.epochs
        for epoch in set(epochs):
            there = [place for place in self.places if place.own_seat.epoch == epoch]
            holding = [place.seat for place in there if place.own_seat.holding]
            assert len(holding) <= 1, f"cups of epoch {epoch} at {holding}"
            if epoch == max(epochs) and not holding:
                somewhere = [p.seat for p in there if p.own_seat.cup.where in _HAS_CUP]
                assert somewhere or self.cup_gone, "the cup is nowhere"

    # Time

    def wait_until_quiet(self, most_us=60 * S):
        """Let time pass until somebody can act again, or the match is over."""
        until_us = self.now_us + most_us
        while not self.over and self.now_us < until_us:
            self.wait(MS)
            places = [place.position for place in self.places]
            moves = Position.OFFERED not in places and _ON_ITS_WAY & {*places}
            if sum(position in ACTING for position in places) == 1 and not moves:
                return
            self.wait(50 * MS)

    # The thumb: tilt, tap and hold

    def tilt_to(self, seat, index):
        """Bring the highlight to an entry by tilting alone."""
        dial = self.places[seat].dial
        assert self.places[seat].handheld.view().help_page is None, "the help takes the tilts"
        self.tilt_dial(seat, dial, index)
        if self.places[seat].dial is not dial:
            raise UndoneError("the dial changed under the thumb")
        assert dial.index == index

    def choose(self, seat, choice, *, wait_us=0):
        """Do something with tilt, tap and hold alone, on as many dials as it needs; then wait."""
        match choice:
            case Keep(aside, turned):
                self._draft(seat, aside, turned)
            case Announce() | Say() if plain(choice) != choice or self.rules.game != "class":
                self._enter(seat, plain(choice))
                if self.places[seat].handheld.view().choosing is not None:
                    self._enter(seat, choice)
            case _:
                self._enter(seat, choice)
        if isinstance(choice, Announce | Say):
            self.wait(S)
        if wait_us:
            self.wait(wait_us)

    def _draft(self, seat, aside, turned):
        """Bring the draft to what is to be set aside, die by die."""
        left, ones = list(aside), turned
        for place, die in enumerate(self.places[seat].match.dice):
            wanted = DieState.IN_PLAY
            if die in left:
                left.remove(die)
                wanted = DieState.ASIDE
            elif die == 6 and ones:
                ones -= 1
                wanted = DieState.TURNED
            for _ in range(3):
                if self.places[seat].handheld.view().draft[place] is wanted:
                    break
                self._enter(seat, Die(place))
            assert self.places[seat].handheld.view().draft[place] is wanted

    def _enter(self, seat, choice):
        """Bring the highlight to an entry and do it."""
        self.wait_until_armed(seat)
        index = self.places[seat].dial.index_of(choice)
        assert index is not None, f"{choice} is not on the dial"
        self.tilt_to(seat, index)
        seen = self.places[seat].screen.dial
        assert seen is not None, "the thumb would act on a dial that is not to be seen"
        assert (seen.index, seen.count) == (index, len(self.places[seat].dial.entries))
        self.do_entry(seat, holds=self.places[seat].dial.entry.holds)

    def wait_until_armed(self, seat):
        place = self.places[seat]
        if place.position is Position.OFFERED and not place.handheld.view().offer_armed:
            self.wait(800 * MS)

    # The cup

    def shake(self, seat, vigorous_us=900 * MS):
        """Shake a closed cup until it throws."""
        self.do(seat, Shaking(self.now_us, 200 * MS), Shaken(self.now_us, vigorous_us))

    def lift(self, seat):
        self.do(seat, Uncovered(self.now_us))

    def cover(self, seat):
        self.do(seat, Covered(self.now_us))

    # The match

    def check_the_end(self):
        """All handhelds tell of the same match, which is the one the dice make."""
        assert len(self.records) == 1
        judged = self.judged()
        assert judged.outcome is not None
        assert {place.match.outcome for place in self.places} == {judged.outcome}
        assert sum(place.own_seat.holding for place in self.places) == 1
        self.wait(10 * S)
        for place in self.places:
            assert isinstance(place.screen, MatchOverPage)
            assert place.screen.rule == judged.outcome.rule
            assert place.handheld.next_timer_us is None
            assert place.position is Position.OVER

    @property
    def records(self):
        """The ends of all logs that differ."""
        return {place.own_seat.log.at for place in self.places}

    @property
    def epochs(self):
        return [place.own_seat.epoch for place in self.places]

    @property
    def accusers(self):
        """The seats that have stopped."""
        return [place.seat for place in self.places if place.own_seat.trouble is not None]

    @property
    def over(self):
        return all(place.position is Position.OVER for place in self.places)

    @property
    def acting(self):
        """The one place that can do something now."""
        (place,) = [place for place in self.places if place.position in ACTING]
        return place

    def judged(self):
        """The match as the dice of all handhelds together make it, replayed from its beginning."""
        match = new_match(self.rules, self.names, self.first)
        for same in zip(*(place.actions for place in self.places), strict=True):
            assert len({public(action, match) for action in same}) == 1
            known = (action for action in same if action != public(action, match))
            match = apply(match, next(known, same[0])).match
        return match

    def walk(self, rng, *, most=4_000, pick=None):
        """Play to the end, choosing anything at random, with tilt, tap and hold alone."""
        for _ in range(most):
            if self.over:
                return
            place = self.acting
            if place.position is Position.TO_PASS:
                assert set(tapped(place.dial)) == {LocalChoice.MORE, LocalChoice.GO_ON}
                choice = LocalChoice.GO_ON
            else:
                check_dial(place)
                choice = (pick or rng.choice)(legal_actions(place.match))
            turn = place.match.turn
            self.choose(place.seat, choice)
            if isinstance(choice, Keep):
                self._enter(place.seat, Roll())
            self.wait_until_quiet()
            done = place.actions[turn:]
            if place.position is Position.STOPPED or choice == LocalChoice.GO_ON:
                continue
            if not done:
                raise UndoneError(f"{choice} did nothing")
            assert _stand_in(choice) == _stand_in(done[0])
        if not self.over:
            raise UndoneError(f"no end after {most} decisions")


def tapped(dial):
    """Return the choices of a tap on a dial."""
    return [entry.choice for entry in dial.entries if entry.choice and not entry.holds]


def held(dial):
    """Return the choices of a hold on a dial."""
    return [entry.choice for entry in dial.entries if entry.choice and entry.holds]


def check_dial(place):
    """The dial offers what is legal and nothing else, each thing once and by one gesture."""
    match, dial = place.match, place.dial
    choices = tapped(dial) + held(dial)
    assert len(choices) == len(set(choices)), "something stands twice on the dial"
    legal = legal_actions(match)
    expected = {plain(action) for action in legal if not isinstance(action, Keep)}
    expected |= {LocalChoice.MORE}
    if may_look_again(match):
        expected |= {Look(), *showable(match)}
    if any(isinstance(action, Keep) for action in legal):
        expected |= {Roll(), *(Die(place) for place in range(len(match.dice)))}
    if place.handheld.play.throw.can_be_shown:
        expected |= {LocalChoice.SHOW_THROW}
    assert set(choices) == expected
    assert dial.entry.choice is None or place.handheld.dial.index != dial.neutral_index
    if match.rules.game == "class" and match.seen and match.dice is not None:
        assert (ShowMaexchen() in legal) is (value_of(match.dice) == MAEXCHEN)


def _stand_in(action):
    """An action without the dice that it throws or lays open."""
    match action:
        case Roll() | Lift() | ShowTower():
            return type(action)()
        case _:
            return action
