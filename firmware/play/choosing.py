"""The effect of a choice on the dial."""

from typing import assert_never

from firmware.display.text.alerts import Alert
from firmware.effects.sounds import VOLUMES, Sound
from firmware.input.controls import choice as choices
from firmware.input.controls.choice import Choice
from firmware.play import moves
from firmware.play.state import PlayState
from firmware.play.turn import advice
from firmware.table.seat.requests import wish
from firmware.table.seat.turn import answer
from firmware.table.seat.voting import go_on_without
from game import actions, illegality


def choose(play: PlayState, choice: Choice | None) -> None:
    """Carry out the choice of an entry of the dial; None is the neutral entry."""
    overlays, now_us = play.overlays, play.now_us
    match choice:
        case None | choices.PageNumber() | choices.Pick() | actions.Keep():
            pass  # nothing to do, or on no dial of a match
        case choices.Go():
            overlays.reads_end = False
            moves.hand_on(play)
        case choices.More():
            play.menu_open = True
        case choices.Back():
            play.menu_open = False
            play.announcing.choosing = None
        case choices.Scores():
            play.menu_open = False
            overlays.show_scores(now_us)
        case choices.Help():
            play.menu_open = False
            overlays.open_help(play.match.rules.game, now_us)
        case choices.Hint():
            play.menu_open = False
            play.asks_hint = True
        case choices.Loudness():
            play.volume = (play.volume + 1) % len(VOLUMES)
            play.cues.note(Sound.OFFER)
        case choices.Forget():
            play.forgot = True
        case actions.Leave() | actions.VoidRound() | actions.StopMatch() | actions.Fault():
            play.menu_open = False
            overlays.advise(advice.WISHED[type(choice)], now_us)
            wish(play.seat, choice, now_us)
        case choices.Without(seat):
            play.menu_open = False
            overlays.advise(Alert.WISHED, now_us)
            go_on_without(play.seat, seat, now_us)
        case choices.ShowThrow():
            moves.show_throw(play)
        case choices.Die(place):
            before = play.throw.draft
            play.throw.change(play.match, place)
            if play.throw.draft == before:
                overlays.advise(Alert.NOT_THESE_DICE, now_us)
        case actions.Announce() | actions.Say():
            play.announcing.choose(play.match, choice, now_us)
        case actions.Believe() | actions.Doubt() | actions.GiveIn() | actions.Refuse():
            answer(play.seat, choice, now_us)
        case actions.Look():
            moves.look(play, by_pad=True)
        case actions.Roll() if not play.may_throw:
            overlays.advise(advice.throw_refused(play.match, play.throw.draft), now_us)
        case actions.Roll():
            moves.throw(play)
        case actions.Lift():
            moves.lift_before_all(play)
        case actions.ShowMaexchen() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_MAEXCHEN, now_us)
        case actions.ShowTower() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_TOWER, now_us)
        case actions.ShowMaexchen() | actions.ShowTower() | actions.OwnUp():
            moves.act(play, choice)
        case actions.Stop() | actions.Give() | actions.EndMatch():
            moves.act(play, choice)
        case _:
            assert_never(choice)
