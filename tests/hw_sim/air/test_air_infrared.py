"""The simulated light: that marks are distorted by as much, and as often, as the model says."""

from random import Random
from statistics import fmean, pstdev

import pytest

from hw_sim.air import CARRIER_US, NOMINAL, SCENARIOS, distorted

LENGTHS_US = [1800, *(2200, 368) * 200]
STARTS_US = [4_000_000 + sum(LENGTHS_US[:number]) for number in range(0, len(LENGTHS_US), 2)]
TIMES = 300


def test_edges_jitter_by_what_both_sides_add():
    for how in (NOMINAL, SCENARIOS["stress"]._replace(late_rate=0.0)):
        spreads, leading = [], []
        for seed in range(TIMES):
            pulses = distorted(LENGTHS_US, 4e6, how, Random(seed))
            late_us = [pulse.start_us - sent for pulse, sent in zip(pulses, STARTS_US, strict=True)]
            leading.append(fmean(late_us) / CARRIER_US)
            spreads.append(pstdev(late_us))
        assert fmean(spreads) == pytest.approx(
            (how.send_us**2 + how.receive_us**2) ** 0.5, rel=0.03
        )
        assert 6.9 < min(leading) < 7.3
        assert 14.7 < max(leading) < 15.1


@pytest.mark.parametrize("rate", [0.0, 0.003, 0.2, 1.0])
def test_marks_get_lost_and_come_late_at_their_rate(rate):
    lost = [
        len(STARTS_US)
        - len(distorted(LENGTHS_US, 4e6, NOMINAL._replace(loss_rate=rate), Random(n)))
        for n in range(TIMES)
    ]
    assert fmean(lost) / len(STARTS_US) == pytest.approx(rate, rel=0.15)
    how = NOMINAL._replace(late_rate=rate, late_us=1e5, send_us=0.0, receive_us=0.0)
    late_us = []
    for seed in range(TIMES):
        pulses = distorted(LENGTHS_US, 4e6, how, Random(seed))
        delays = [pulse.start_us - 4e6 for pulse in pulses]
        late_us.append(sum(delays) - sum(start - 4e6 for start in STARTS_US))
    extra_us = fmean(late_us) / len(STARTS_US) - 11 * CARRIER_US
    assert extra_us == pytest.approx(rate * 1e5, rel=0.3, abs=30)
