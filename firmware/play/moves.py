"""The moves of a player with the cup: throw, lift, look, announce, hand on."""

from firmware.effects.sounds import Sound
from firmware.play.state import PlayState
from firmware.play.turn.draft import keep_of
from firmware.table.seat import turn
from game import AnyMatch, Phase, covers_next, hides_dice
from game.actions import Action, Lift, Look, Roll


def throw(play: PlayState) -> None:
    """Throw all dice that the draft leaves in play; it must be a legal ``Keep``.

    Raises:
        IllegalAction: see ``play.may_throw``.
    """
    play.look.end()
    before = play.match
    roll = turn.throw(play.seat, keep_of(before, play.throw.draft), play.now_us)
    play.cues.note(Sound.CUP_DOWN)
    _settle_cup(play, before, roll)


def act(play: PlayState, action: Action) -> None:
    """Enter an action of this seat, and hand the cup on if nothing is left to read.

    Raises:
        IllegalAction: see ``play.may``.
    """
    before = play.match
    turn.act(play.seat, action, play.now_us)
    _settle_cup(play, before, action)


def lift_before_all(play: PlayState) -> None:
    """Lift before all players; covered dice go into the log with the lift."""
    seat = play.seat
    act(play, Lift(seat.dice, seat.tower) if hides_dice(play.match) else Lift())


def look(play: PlayState, *, by_pad: bool = False) -> None:
    """Look at the own covered dice, for the first time or again; ``by_pad``: while it is held."""
    if play.may(Look()):
        turn.act(play.seat, Look(), play.now_us)
    play.look.begin(play.now_us, by_pad=by_pad)


def show_throw(play: PlayState) -> None:
    """Lift the cup over the own open throw, and send its entries to the others."""
    play.throw.lift()
    turn.show(play.seat, play.now_us)


def hand_on(play: PlayState) -> None:
    """Hand the cup to the seat that must act next."""
    play.throw.put_away()
    turn.show(play.seat, play.now_us)
    turn.pass_on(play.seat, play.now_us)


def _settle_cup(play: PlayState, before: AnyMatch, action: Action) -> None:
    """After ``action``, hand the cup on, or send the entries only, or wait for the player.

    The cup goes on by itself if an answer is due. In a round of open dice it also goes on after a
    throw that its player does not have to read.
    """
    match = play.match
    asks = match.phase in (Phase.OFFERED, Phase.DOUBTED)
    third_of_maxen = isinstance(action, Roll) and covers_next(before)  # shows nothing (T-5)
    nothing_thrown = not isinstance(action, Roll | Lift) or third_of_maxen
    same_round = match.round == before.round
    if asks or (not hides_dice(match) and nothing_thrown and same_round):
        hand_on(play)
    elif match.to_act is None:
        turn.show(play.seat, play.now_us)
