"""One frame over two media counts once, and nobody who repeats it can silence it."""

from itertools import pairwise

from firmware.link.several import SAME_FRAME_S, Once


def test_a_frame_counts_again_when_it_is_sent_again_whoever_repeats_it_meanwhile():
    now_s, came = [0.0], []
    once = Once(lambda: now_s[0], SAME_FRAME_S)

    def take(frame):
        if once.is_new(frame):
            came.append((now_s[0], frame))

    for tick in range(100):
        now_s[0] = 0.1 * tick
        take(b"the same")
        take(bytes([tick]))
    times_s = [time_s for time_s, frame in came if frame == b"the same"]
    assert len(times_s) > 15
    assert all(then - time_s > SAME_FRAME_S for time_s, then in pairwise(times_s))
