"""The record and the cup between this handheld and the others.

Whatever the player does becomes an entry of the record; whoever must act next gets the cup. This
module joins the three that know how: the record (``firmware.log``), who knows how much of it
(``firmware.gossip``) and the cup's way (``firmware.handover``), and writes what they decide as one
transaction per call. A frame never leaves before everything it depends on is on the disk.
"""

from enum import Enum, auto

from firmware import handover as way
from firmware.cup import Where
from firmware.effects import Send, Store
from firmware.gossip import Gossip
from firmware.handover import Conflict, CupTaken, Handover
from firmware.journal import Append, Put, Write
from firmware.log import LogConflict, PublicLog
from firmware.messages import (
    EMPTY,
    Choice,
    Contents,
    Log,
    Message,
    Want,
)
from firmware.screens import Screen, Told
from firmware.sealing import FrameError, Sealer
from firmware.texts import Message as Saying
from firmware.turn import Position
from game import Match, Phase, Step, illegality
from game.actions import Action, Believe, Doubt, GiveIn, Lift, Roll
from game.match import next_seat
from game.values import Dice

CUP_KEY = "cup"
"""Where the journal keeps the state of the cup."""

SILENT_AFTER_US = 6_000_000
"""A peer that has shown no sign of life for this long is called silent."""


class Journey(Enum):
    """How far the cup that leaves here has come."""

    CALLING = auto()
    """The other handheld has not been heard of yet."""
    OFFERED = auto()
    """It shows the offer; its player thinks."""
    GIVING = auto()
    """It has answered, and the cup is on its way."""
    SILENT = auto()
    """It has not been heard of for a while."""


_CHOICES: dict[type[Action], Choice] = {
    Believe: Choice.BELIEVE,
    Doubt: Choice.DOUBT,
    GiveIn: Choice.GIVE_IN,
}
_ANSWERS: dict[Choice, Action] = {
    Choice.BELIEVE: Believe(),
    Choice.DOUBT: Doubt(),
    Choice.GIVE_IN: GiveIn(),
}


class Passing:
    """One handheld's share in the record and the cup.

    Args:
        seat: this handheld's seat.
        log: the record so far.
        handover: the cup so far, as the journal has it.
        sealer: seals and opens frames for this seat.
    """

    def __init__(self, seat: int, log: PublicLog, handover: Handover, sealer: Sealer) -> None:
        self.seat = seat
        self.log = log
        self.trouble: Screen | None = None
        """Why this handheld cannot go on; None while it can."""
        self.refused_frames = 0
        """Frames that were not for this seat, forged or malformed."""
        self._handover = handover
        self._sealer = sealer
        self._gossip = Gossip(len(log.match.players), seat)
        self._writes: list[Write] = []
        self._sends: list[tuple[int, bytes]] = []
        self._steps: list[Step] = []
        self._ticket = 0
        self._unwritten: int | None = None
        self._left_us = 0
        self._heard_us: dict[int, int] = {}

    # What the display and the player's part of the core ask

    @property
    def match(self) -> Match:
        """The match as far as it is known here; dice only if they were rolled here."""
        return self.log.match

    @property
    def hop(self) -> int:
        """The newest hop known here; changes whenever the cup or an offer moves."""
        heard = self._handover.heard
        return heard.hop if heard is not None else self._handover.cup.last

    @property
    def holding(self) -> bool:
        """Whether the cup is here."""
        return self._handover.cup.is_here

    @property
    def dice(self) -> Dice | None:
        """The dice in the cup that is here; None if it is empty or elsewhere."""
        dice = self._handover.cup.contents.dice
        return (dice[0], dice[1]) if dice else None

    @property
    def answered(self) -> Action | None:
        """The answer that was given for the cup on its way here; None without one."""
        choice = self._handover.cup.choice
        return None if choice is None else _ANSWERS.get(choice)

    @property
    def position(self) -> Position:
        """Where this handheld stands on the cup's way."""
        if self.trouble is not None:
            return Position.STOPPED
        if self.match.to_act is None:
            return Position.OVER
        heard = self._handover.heard
        match self._handover.cup.where:
            case Where.HOLDING:
                return Position.MINE if self.match.to_act == self.seat else Position.TO_PASS
            case Where.PROPOSED | Where.OFFERED:
                return Position.PASSING
            case Where.ANSWERED:
                return Position.TAKING
            case _ if heard is not None and heard.asks and heard.ready:
                return Position.OFFERED
            case _:
                return Position.WATCHING

    @property
    def behind(self) -> bool:
        """Whether somebody is known to know more than this handheld."""
        heard = self._handover.heard
        return heard is not None and not heard.ready

    @property
    def next_after_announcing(self) -> int:
        """The seat that the cup will be offered to (B-1)."""
        return next_seat(self.match, self.seat)

    def journey(self, now_us: int) -> Journey:
        """How far the cup that leaves here has come."""
        cup = self._handover.cup
        silent_us = now_us - max(self._heard_us.get(cup.peer or 0, 0), self._left_us)
        if cup.where is Where.OFFERED:
            return Journey.SILENT if silent_us > SILENT_AFTER_US else Journey.GIVING
        if cup.peer is not None and self._gossip.lacks[cup.peer] >= self.log.index:
            return Journey.OFFERED
        return Journey.SILENT if silent_us > SILENT_AFTER_US else Journey.CALLING

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None if only others can move anything."""
        if self.trouble is not None:
            return None
        due_us = [self._handover.next_timer_us, self._gossip.next_timer_us]
        return min((due for due in due_us if due is not None), default=None)

    # What the player does

    def act(self, action: Action, now_us: int) -> None:
        """The player of this seat does something legal, with the cup here."""
        step = self._append(action)
        if isinstance(action, Roll) and action.dice is not None:
            self._change(self._handover.fill(Contents(action.dice)), now_us)
        elif step.match.phase is Phase.OPENING and self.dice is not None:
            self._change(self._handover.fill(EMPTY), now_us)
        self._speak(now_us)

    def pass_on(self, now_us: int) -> None:
        """Propose the cup to the seat that acts next, if that is another one."""
        to = self.match.to_act
        if to is None or to == self.seat or self._handover.cup.where is not Where.HOLDING:
            return
        asks = self.match.phase is Phase.OFFERED
        announced = self.match.announced if asks else None
        self._left_us = now_us
        self._change(self._handover.propose(to, asks, announced, self.log.at, now_us), now_us)

    def answer(self, action: Action, now_us: int) -> None:
        """Answer the cup that is offered here. It comes by itself then."""
        self._change(self._handover.answer(_CHOICES[type(action)], now_us), now_us)

    # What others and time do

    def start(self, now_us: int) -> None:
        """Go on from what the journal had."""
        self._left_us = now_us
        self._change(self._handover.resumed(now_us), now_us)
        if self.holding:
            self._speak(now_us)

    def receive(self, seat: int, frame: bytes, now_us: int) -> None:
        """Take in a frame that came over the link of ``seat``.

        Who sealed it counts, not whose link it was. What no seat of this table sealed changes
        nothing.
        """
        del seat
        if self.trouble is not None:
            return
        try:
            sender, message = self._sealer.open(frame)
        except FrameError:
            self.refused_frames += 1
            return
        self._heard_us[sender] = now_us
        match message:
            case Log():
                self._adopt(sender, message, now_us)
            case Want(first):
                if self._gossip.lacking(sender, first, self.log.index, now_us):
                    self._tell(sender)
            case _:
                self._change(self._handover.received(sender, message, self.log.at, now_us), now_us)

    def stored(self, ticket: int, trouble: str | None) -> None:
        """A transaction has ended. One that failed stops this handheld (nothing was sent)."""
        if trouble is not None:
            self.trouble = Told(Saying.STORE)
        elif ticket == self._unwritten:
            self._unwritten = None

    def tick(self, now_us: int) -> None:
        """Let time pass: send again what nobody reacted to."""
        if self.trouble is not None:
            return
        self._change(self._handover.tick(now_us), now_us)
        for seat in self._gossip.due(self.log.index, now_us):
            self._tell(seat)

    def take_steps(self) -> tuple[Step, ...]:
        """What has become of the match since the last call."""
        steps, self._steps = tuple(self._steps), []
        return steps

    def take_effects(self) -> list[Store | Send]:
        """What is to be written and sent since the last call, in this order."""
        effects: list[Store | Send] = []
        if self._writes:
            self._ticket += 1
            self._unwritten = self._ticket
            effects.append(Store(self._ticket, tuple(self._writes)))
        effects.extend(Send(seat, frame, self._unwritten) for seat, frame in self._sends)
        self._writes, self._sends = [], []
        return effects

    # How

    def _append(self, action: Action) -> Step:
        index = self.log.index
        step = self.log.append(action)
        self._keep(index)
        self._steps.append(step)
        return step

    def _keep(self, first: int) -> None:
        """Write the entries from ``first`` on, with the dice that were rolled here."""
        for place, entry in enumerate(self.log.since(first), start=first):
            self._writes.append(Append(place, entry))

    def _speak(self, now_us: int) -> None:
        for seat in self._gossip.spoke(self.log.index, now_us):
            self._tell(seat)

    def _tell(self, seat: int) -> None:
        self._send(seat, self.log.told(min(self._gossip.lacks[seat], self.log.index)))

    def _send(self, seat: int, message: Message) -> None:
        self._sends.append((seat, self._sealer.seal(message, seat)))

    def _adopt(self, sender: int, message: Log, now_us: int) -> None:
        before = self.log.index
        try:
            steps = self.log.adopt(message)
        except LogConflict:
            self._stop_differing(sender)
            return
        if steps:
            self._gossip.heard()
            self._steps.extend(steps)
            self._keep(before)
        self._send(sender, Want(self.log.index))
        self._change(self._handover.caught_up(self.log.at, now_us), now_us)

    def _change(self, change: way.Change, now_us: int) -> None:
        """Take over what the cup's way decided; follow it with what depends on it."""
        handover, effects = change
        taken = next((effect for effect in effects if isinstance(effect, CupTaken)), None)
        if taken is not None and not self._fits(taken):
            self._stop_differing(taken.giver)
            return
        self._handover = handover
        for effect in effects:
            match effect:
                case way.Store(cup):
                    self._writes.append(Put(CUP_KEY, cup.encode()))
                case way.Send(seat, frame):
                    self._sends.append((seat, frame))
                case way.Offered(giver=giver, ready=ready):
                    if not ready:
                        self._send(giver, Want(self.log.index))
                    elif not self._is_offered:
                        self._stop_differing(giver)
                case CupTaken():
                    self._take_cup(effect, now_us)
                case Conflict(peer=peer):
                    self._stop_differing(peer)
                case way.Withdrawn() | way.Answered() | way.CupGone() | way.Refused():
                    pass

    def _fits(self, taken: CupTaken) -> bool:
        """Whether a cup can be what the record says. One that cannot is never taken."""
        match, dice = self.match, taken.contents.dice
        action = _ANSWERS.get(taken.choice)
        if action is None:
            return match.to_act == self.seat and match.phase is Phase.OPENING and not dice
        if not self._is_offered or illegality(match, action) is not None:
            return False
        return len(dice) == 2 and match.dice in (None, dice)

    @property
    def _is_offered(self) -> bool:
        """Whether the record says that this seat has to answer."""
        return self.match.to_act == self.seat and self.match.phase is Phase.OFFERED

    def _take_cup(self, taken: CupTaken, now_us: int) -> None:
        """The cup is here: the answer given for it is this seat's first action as its holder."""
        action = _ANSWERS.get(taken.choice)
        if action is None:
            return
        self.act(action, now_us)
        if isinstance(action, Doubt):
            self.act(Lift(self.dice), now_us)

    def _stop_differing(self, peer: int) -> None:
        self.trouble = Told(Saying.RECORDS_DIFFER, self.match.players[peer])
