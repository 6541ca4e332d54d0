"""What becomes of a choice on the dial."""

from typing import assert_never

from firmware.display.text.alerts import Alert
from firmware.effects.sounds import VOLUMES, Sound
from firmware.input.controls.choice import (
    Back,
    Choice,
    Die,
    Forget,
    Go,
    Help,
    Loudness,
    More,
    Page,
    Pick,
    Scores,
    ShowThrow,
    Without,
)
from firmware.play import moves
from firmware.play.state import PlayState
from firmware.play.turn import advice
from game import illegality
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    Give,
    GiveIn,
    Keep,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    Stop,
    StopMatch,
    VoidRound,
)


def choose(play: PlayState, choice: Choice | None) -> None:
    """Do what an entry of the dial stands for; None is the neutral entry."""
    overlays, now_us = play.overlays, play.now_us
    match choice:
        case None | Page() | Pick() | Keep() | Fault():
            pass  # nothing to do, or on no dial of a match
        case Go():
            overlays.reads_end = False
            moves.hand_on(play)
        case More():
            play.menu_open = True
        case Back():
            play.menu_open = False
            play.announcing.choosing = None
        case Scores():
            play.menu_open = False
            overlays.show_scores(now_us)
        case Help():
            play.menu_open = False
            overlays.open_help(play.match.rules.game, now_us)
        case Loudness():
            play.volume = (play.volume + 1) % len(VOLUMES)
            play.cues.note(Sound.OFFER)
        case Forget():
            play.forgot = True
        case Leave() | VoidRound() | StopMatch():
            play.menu_open = False
            overlays.advise(advice.WISHED[type(choice)], now_us)
            play.seat.wish(choice, now_us)
        case Without(seat):
            play.menu_open = False
            overlays.advise(Alert.WISHED, now_us)
            play.seat.go_on_without(seat, now_us)
        case ShowThrow():
            moves.show_throw(play)
        case Die(place):
            play.throw.change(play.match, place)
        case Announce() | Say():
            play.announcing.choose(play.match, choice, now_us)
        case Believe() | Doubt() | GiveIn() | Refuse():
            play.seat.answer(choice, now_us)
        case Look():
            moves.look(play, by_pad=True)
        case Roll() if not play.may_throw:
            overlays.advise(advice.throw_refused(play.match, play.throw.draft), now_us)
        case Roll():
            moves.throw(play)
        case Lift():
            moves.lift_before_all(play)
        case ShowMaexchen() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_MAEXCHEN, now_us)
        case ShowTower() if illegality(play.match, choice) is not None:
            overlays.advise(Alert.NO_TOWER, now_us)
        case ShowMaexchen() | ShowTower() | OwnUp() | Stop() | Give() | EndMatch():
            moves.act(play, choice)
        case _:
            assert_never(choice)
