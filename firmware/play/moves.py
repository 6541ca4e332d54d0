"""The moves of a player with the cup, and the effect of a choice on the dial."""

from typing import assert_never

from firmware.display.text.labels import Alert
from firmware.effects import Sound
from firmware.input import controls as choices
from firmware.input.controls import Choice, LocalChoice
from firmware.play.state import PlayState
from firmware.play.turn.draft import keep_of
from firmware.play.turn.overlays import throw_refused
from firmware.table.seat import turn
from firmware.table.seat.turn import answer, wish
from firmware.table.seat.voting import go_on_without
from game import AnyMatch, Phase, actions, covers_next, hides_dice, illegality
from game.actions import Action, Lift, Look, Roll


def throw(play: PlayState) -> None:
    """Throw all dice that the draft leaves in play; it must be a legal ``Keep``.

    Raises:
        IllegalAction: see ``play.may_throw``.
    """
    play.look.end()
    before = play.match
    roll = turn.throw(play.own_seat, keep_of(before, play.throw.draft), play.now_us)
    play.cues.note(Sound.CUP_DOWN)
    _settle_cup(play, before, roll)


def act(play: PlayState, action: Action) -> None:
    """Enter an action of this seat, and hand the cup on if nothing is left to read.

    Raises:
        IllegalAction: see ``play.may``.
    """
    before = play.match
    turn.act(play.own_seat, action, play.now_us)
    _settle_cup(play, before, action)


def lift_before_all(play: PlayState) -> None:
    """Lift before all players; covered dice go into the log with the lift."""
    seat = play.own_seat
    act(play, Lift(seat.dice, seat.tower) if hides_dice(play.match) else Lift())


def look(play: PlayState, *, by_pad: bool = False) -> None:
    """Look at the own covered dice, for the first time or again; ``by_pad``: while it is held."""
    if play.may(Look()):
        turn.act(play.own_seat, Look(), play.now_us)
    play.look.begin(play.now_us, by_pad=by_pad)


def show_throw(play: PlayState) -> None:
    """Lift the cup over the own open throw, and send its entries to the others."""
    play.throw.lift()
    turn.show(play.own_seat, play.now_us)


def hand_on(play: PlayState) -> None:
    """Hand the cup to the seat that must act next."""
    play.throw.put_away()
    turn.show(play.own_seat, play.now_us)
    turn.pass_on(play.own_seat, play.now_us)


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
        turn.show(play.own_seat, play.now_us)


def choose(play: PlayState, choice: Choice | None) -> None:
    """Carry out the choice of an entry of the dial; None is the neutral entry.

    Every choice closes the menu, but for the volume.
    """
    overlays, now_us = play.overlays, play.now_us
    if choice is not LocalChoice.LOUDER:
        play.menu_open = choice is LocalChoice.MORE
    match choice:
        case None | LocalChoice.MORE | choices.PageNumber() | choices.Pick() | actions.Keep():
            pass  # nothing more to do, or on no dial of a match
        case LocalChoice.GO_ON:
            overlays.reads_end = False
            hand_on(play)
        case LocalChoice.BACK:
            play.announcing.choosing = None
        case LocalChoice.SCORES:
            overlays.show_scores(now_us)
        case LocalChoice.HELP:
            overlays.open_help(play.match.rules, now_us)
        case LocalChoice.HINT:
            play.asks_hint = True
        case LocalChoice.LOUDER:
            play.shell.raise_volume()
            play.cues.note(Sound.OFFER)
        case LocalChoice.FORGET_TABLE:
            play.forgot = True
        case actions.Leave() | actions.VoidRound() | actions.StopMatch() | actions.Fault():
            leaves = isinstance(choice, actions.Leave)
            overlays.advise(Alert.LEAVING if leaves else Alert.WISHED, now_us)
            wish(play.own_seat, choice, now_us)
        case choices.Without(seat):
            overlays.advise(Alert.WISHED, now_us)
            go_on_without(play.own_seat, seat, now_us)
        case LocalChoice.SHOW_THROW:
            show_throw(play)
        case choices.Die(place):
            before = play.throw.draft
            play.throw.change(play.match, place)
            if play.throw.draft == before:
                overlays.advise(Alert.NOT_THESE_DICE, now_us)
        case actions.Announce() | actions.Say():
            play.announcing.choose(play.match, choice, now_us)
        case actions.Believe() | actions.Doubt() | actions.GiveIn() | actions.Refuse():
            answer(play.own_seat, choice, now_us)
        case actions.Look():
            look(play, by_pad=True)
        case actions.Roll() if not play.may_throw:
            overlays.advise(throw_refused(play.match, play.throw.draft), now_us)
        case actions.Roll():
            throw(play)
        case actions.Lift():
            lift_before_all(play)
        case actions.ShowMaexchen() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_MAEXCHEN, now_us)
        case actions.ShowTower() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_TOWER, now_us)
        case actions.ShowMaexchen() | actions.ShowTower() | actions.OwnUp():
            act(play, choice)
        case actions.Stop() | actions.GiveCoaster() | actions.EndMatch():
            act(play, choice)
        case _:
            assert_never(choice)
