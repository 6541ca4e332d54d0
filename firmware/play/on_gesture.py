"""The effect of a gesture, in every game and position.

One grammar for all: a shake throws. A lift looks, doubts or shows. A tilt moves the highlight of
the dial. A tap does the highlighted thing, a hold does it if it cannot be taken back. The options
of the screen on the display (``firmware.display.screens.gesture_options``) say which gestures work.
"""

from firmware.display.screens import GestureKind, Meaning
from firmware.display.screens.gesture_options import meaning_of
from firmware.display.text.labels import Alert
from firmware.effects import Sound
from firmware.input import gestures
from firmware.input.gestures import Pose, Tap
from firmware.play import moves
from firmware.play.moves import choose
from firmware.play.state import SENSING, FaultVerdict, PlayState, ShakeFact
from firmware.play.turn.overlays import look_refused, throw_refused
from firmware.play.turn.round_end import BluffRoundEnd
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.turn import announce_question, enter_fault
from game import Phase
from game.actions import FaultKind


def on_gesture(play: PlayState, gesture: gestures.Gesture) -> None:
    """Change ``play`` as the gesture asks; ``play.now_us`` is its time."""
    match gesture:
        case gestures.Shaking() | gestures.Shaken() | gestures.ShakeEnded():
            _on_shake(play, gesture)
        case gestures.Uncovered():
            _on_lifted(play)
        case gestures.Covered():
            _on_covered(play)
        case gestures.Pressed():
            play.pad.press(play.now_us)
        case gestures.Held():
            _touch(play, meaning_of(play.screen, GestureKind.HOLD))
        case Tap() | gestures.Released():
            play.pad.release()
            play.look.release_pad()
            if isinstance(gesture, Tap):
                _touch(play, meaning_of(play.screen, GestureKind.TAP))
        case gestures.Dropped():
            if play.own_seat.holding:
                _on_fault(play, FaultKind.DROP, Alert.DROPPED)
        case gestures.TooDark(too_dark=too_dark):
            play.too_dark = too_dark
            if too_dark and play.position in SENSING:
                play.overlays.advise(Alert.TOO_DARK, play.now_us)


def break_off(play: PlayState) -> None:
    """End look, throw, doubt, shake and announcement: the alert of a failed part hides them."""
    play.look.end()  # darkness might go unnoticed
    play.throw.cover()
    play.doubt.end()
    play.shake.end()
    if play.announcing.announcement is not None and play.open_dial.dial is not None:
        play.announcing.withdraw()
        play.open_dial.dial.centre()


def _on_shake(
    play: PlayState, shake: gestures.Shaking | gestures.Shaken | gestures.ShakeEnded
) -> None:
    if meaning_of(play.screen, GestureKind.SHAKE) is None:
        play.shake.end()
        if isinstance(shake, gestures.Shaken):
            _shaken_in_vain(play)
        return
    match play.shake.on(shake, play.now_us, again=play.match.phase is Phase.THROWN):
        case ShakeFact.RATTLES:
            play.look.end()
            play.throw.cover()
            play.cues.note(Sound.RATTLE)
        case ShakeFact.THROWS:
            moves.throw(play)
        case Alert() as message:
            play.overlays.advise(message, play.now_us)
        case None:
            pass


def _shaken_in_vain(play: PlayState) -> None:
    if play.faults.prompt is not None:
        return
    if play.position is Position.MINE:
        refused = throw_refused(play.match, play.throw.draft)
        play.overlays.advise(refused, play.now_us)
    elif play.position is Position.PASSING and play.match.phase is Phase.OFFERED:
        _on_fault(play, FaultKind.MOVE, Alert.FAULT_WARNED)


def _on_fault(play: PlayState, kind: FaultKind, warning: Alert) -> None:
    match play.faults.sense(kind, play.match, play.now_us):
        case FaultVerdict.WARN:
            play.overlays.advise(warning, play.now_us)
        case FaultVerdict.COUNT:
            enter_fault(play.own_seat, play.faults.fault(kind), play.now_us)
        case FaultVerdict.ASK:
            announce_question(play.own_seat, kind)


def _answer(play: PlayState, *, counts: bool) -> None:
    """Close the question about a fault; enter the fault if it ``counts``."""
    kind = play.faults.answer()
    announce_question(play.own_seat, None)
    if counts:
        enter_fault(play.own_seat, play.faults.fault(kind), play.now_us)


def _on_lifted(play: PlayState) -> None:
    meaning = meaning_of(play.screen, GestureKind.LIFT)
    if meaning is None:
        _lifted_in_vain(play)
        return
    play.overlays.close()
    match meaning:
        case Meaning.DOUBT:
            play.doubt.light(play.now_us)
        case Meaning.SHOW:
            moves.show_throw(play)
        case Meaning.LIFT:
            moves.lift_before_all(play)
        case _:
            moves.look(play)


def _lifted_in_vain(play: PlayState) -> None:
    has_question = play.faults.prompt is not None or play.own_seat.open_question is not None
    busy = has_question or play.announcing.announcement is not None or bool(play.shell.part_alerts)
    shown = play.overlays.reads_end or play.look.is_on or play.throw.lifted
    if play.position is Position.MINE and not busy and not shown:
        _on_fault(play, FaultKind.LOOK, look_refused(play.match))


def _on_covered(play: PlayState) -> None:
    play.doubt.dark()
    play.look.end()
    play.throw.cover()
    if play.own_seat.holding and isinstance(play.overlays.round_end, BluffRoundEnd):
        play.overlays.reads_end = False


def _touch(play: PlayState, meaning: Meaning | None) -> None:
    """Do what a tap or a hold means; None: nothing."""
    overlays, dial = play.overlays, play.open_dial.dial
    match meaning:
        case Meaning.ENTRY if dial is not None:
            choose(play, dial.entry.choice)
        case Meaning.CLOSE:
            overlays.close()
        case Meaning.GO_ON:
            overlays.stop_reading()
        case Meaning.SCORES:
            overlays.show_scores(play.now_us)
        case Meaning.MENU:
            overlays.close()
            play.menu_open = True
        case Meaning.COUNT:
            _answer(play, counts=True)
        case _:
            pass


def on_pose(play: PlayState, pose: Pose) -> bool:
    """Follow a pose; return whether it did something, which is rare."""
    touched, dial = play.pad.pressed_us is not None, play.open_dial.dial
    if play.faults.prompt is not None:
        denied = play.faults.prompt.denied_by(pose, touched)
        if denied:
            _answer(play, counts=False)
        return denied
    if play.overlays.help is not None:
        return play.overlays.help.tilt(pose, touched)
    if dial is None or play.overlays.scores_until_us is not None:
        return False
    if play.announcing.announcement is not None:
        return play.announcing.tilt(dial, pose, touched=touched)
    moved = dial.tilt(pose, touched)
    if moved and play.position is Position.MINE and play.sees_round_end:
        play.overlays.reads_end = False
    return moved
