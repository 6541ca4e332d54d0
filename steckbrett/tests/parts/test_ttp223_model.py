"""The simulated TTP223 against its data sheet (digest section 5)."""

import pytest
from steckbrett.parts.ttp223 import TTP223

S = 1_000_000


def response_us(pad, t_us, *, down=True):
    """Touch or lift at t_us; return how long the output takes to follow."""
    pad.touch(down, t_us)
    due_us = pad.next_event_us()
    for now_us, level in ((due_us - 1, not down), (due_us, down)):
        pad.advance(now_us)
        assert pad.level == level
    return due_us - t_us


@pytest.mark.parametrize("seed", range(10))
def test_first_touch_is_slow_the_next_ones_are_fast(seed):
    pad = TTP223(seed)
    assert 80_000 <= response_us(pad, 1 * S) <= 220_000
    assert 20_000 <= response_us(pad, 2 * S, down=False) <= 60_000
    assert 20_000 <= response_us(pad, 3 * S) <= 60_000


def test_back_to_low_power_12_s_after_the_release():
    pad = TTP223(1)
    response_us(pad, 1 * S)
    released_us = 2 * S + response_us(pad, 2 * S, down=False)
    assert response_us(pad, released_us + 11 * S) <= 60_000
    released_us = 15 * S + response_us(pad, 15 * S, down=False)
    assert response_us(pad, released_us + 12 * S) >= 80_000


def test_touch_in_the_first_half_second_is_not_seen_until_lifted():
    pad = TTP223(1, 3 * S)
    pad.touch(True, 3 * S + 499_999)
    assert pad.next_event_us() is None
    pad.touch(False, 5 * S)
    assert pad.next_event_us() is None
    assert response_us(pad, 6 * S) > 0


def test_touch_shorter_than_the_response_is_not_seen():
    pad = TTP223(1)
    pad.touch(True, 1 * S)
    pad.touch(False, 1 * S + 70_000)
    assert pad.next_event_us() is None
    pad.advance(2 * S)
    assert pad.level == 0


def test_long_hold_is_dropped_and_not_seen_again_until_lifted():
    pad = TTP223(5)
    response_us(pad, 1 * S)
    dropped_us = pad.next_event_us()
    assert 7_500_000 <= dropped_us - 1 * S <= 15_300_000
    pad.advance(dropped_us)
    assert pad.level == 0
    assert pad.next_event_us() is None
    pad.touch(True, 30 * S)
    assert pad.next_event_us() is None
    pad.touch(False, 31 * S)
    assert response_us(pad, 32 * S) > 0
