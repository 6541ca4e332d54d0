"""Infrared on the air: bytes to marks of light and back, and what is mended on the way."""

import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reedsolo import ReedSolomonError, RSCodec

from firmware.link import infrared as pulses
from firmware.link.infrared import Pulse, demodulated, duration_us, lirc, merged, modulated
from firmware.link.infrared.coding import MOST_FRAME, Code, Packet, coded, decoded
from firmware.table.protocol import LogPosition
from firmware.table.protocol.messages import Answer, CupAnswer, Propose, Taken
from firmware.table.protocol.sealing import Sealer, keys_of_table
from hw_sim.air import SCENARIOS, distorted
from tests.support.referees import naive_light

SEALERS = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]
AT = LogPosition(3, bytes(8))
frames = st.builds(Packet, st.binary(min_size=1, max_size=MOST_FRAME), st.booleans())


def seen(lengths_us, start_us=5_000):
    """The marks of a transmission as they were sent."""
    starts = [start_us + sum(lengths_us[:number]) for number in range(0, len(lengths_us), 2)]
    return [Pulse(start, length) for start, length in zip(starts, lengths_us[::2])]


@given(frames)
def test_what_was_sent_is_what_was_received(frame):
    (received,) = demodulated(seen(modulated(coded(frame))))
    assert (received.erased, decoded(received)) == ([], frame)


@given(frames)
def test_a_device_takes_every_transmission(frame):
    lengths = modulated(coded(frame))
    assert len(lengths) % 2 == 1
    assert len(lengths) <= pulses.MOST_VALUES
    assert sum(lengths) <= pulses.LONGEST_US
    assert min(lengths) > 0
    assert sum(lengths) <= duration_us(len(coded(frame)))
    assert array.array("I", lirc.packed(lengths)).tolist() == lengths


def test_the_times_on_the_air_are_those_the_exchange_was_planned_with():
    propose = SEALERS[0].seal(Propose(1, AT, True, 62), 1)
    answer = SEALERS[1].seal(Answer(1, CupAnswer.DOUBT, AT), 0)
    taken = SEALERS[1].seal(Taken(1), 0)
    times_ms = [
        duration_us(len(coded(Packet(frame)))) // 1000 for frame in (propose, answer, taken)
    ]
    assert times_ms == [295, 410, 222]


@given(frames, st.data())
def test_lost_marks_are_mended_up_to_the_parity(frame, data):
    code = coded(frame)
    parity = len(code) - len(frame.content) - 2
    lost = data.draw(st.sets(st.integers(0, len(code) - 2), max_size=parity))
    gone = {1 + 4 * place + data.draw(st.integers(0, 3)) for place in lost}
    marks = seen(modulated(code))
    kept = [mark for number, mark in enumerate(marks) if number not in gone]
    (received,) = demodulated(kept)
    assert decoded(received) == frame


@given(frames, st.integers(-100, 100), st.randoms(use_true_random=False))
def test_marks_may_be_late_together_and_a_little_each(frame, late_us, chance):
    leader, *marks = seen(modulated(coded(frame)))
    moved = [
        Pulse(mark.start_us + late_us + chance.randint(-50, 50), mark.length_us + 150)
        for mark in marks
    ]
    (received,) = demodulated([leader, *moved])
    assert decoded(received) == frame


@given(frames, st.lists(st.integers(0, 500_000), max_size=40), st.randoms(use_true_random=False))
def test_what_is_delivered_is_never_anything_else(frame, extra, chance):
    marks = seen(modulated(coded(frame)))
    for _ in range(chance.randrange(40)):
        del marks[chance.randrange(1, len(marks))]
        if len(marks) < 3:
            return
    marks += [Pulse(us, 300) for us in extra]
    assert {decoded(one) for one in demodulated(merged(marks))} <= {frame, None}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_marks_are_read_as_the_plain_way_reads_them(scenario):
    chance = Random(f"plain {scenario}")
    how = SCENARIOS[scenario]
    uncertain = 0
    for _ in range(60):
        codes = [coded(Packet(chance.randbytes(chance.randint(1, MOST_FRAME)))) for _ in range(2)]
        marks = distorted(modulated(codes[0]), 1e6, how, chance)
        if chance.random() < 0.3:
            marks += distorted(modulated(codes[1]), chance.uniform(6e5, 14e5), how, chance)
        if chance.random() < 0.2:
            gone = chance.randrange(len(marks))
            del marks[gone : gone + chance.randint(1, 9)]
        read = demodulated(merged(marks))
        assert read == naive_light.demodulated(merged(marks))
        uncertain += any(received.erased for received in read)
    assert uncertain > 5


@given(st.sampled_from([8, 10, 12]), st.binary(min_size=1, max_size=71), st.randoms())
def test_parity_and_mending_are_those_of_the_library(parity, data, chance):
    code, library = Code(parity), RSCodec(parity)
    sent = data + code.parity(data)
    assert sent == library.encode(data)
    damaged = bytearray(sent)
    for place in chance.sample(range(len(sent)), chance.randint(0, min(parity, len(sent)))):
        damaged[place] ^= chance.randrange(256)
    erased = chance.sample(range(len(sent)), chance.choice((0, 0, 1, parity)) % len(sent))
    try:
        mended = bytes(library.decode(damaged, erase_pos=erased)[0])
    except (ReedSolomonError, ZeroDivisionError):
        mended = None
    assert code.mended(damaged, erased) == mended


@pytest.mark.parametrize("size", [0, MOST_FRAME + 1])
def test_a_frame_that_does_not_fit_is_refused(size):
    with pytest.raises(ValueError, match="split it"):
        coded(Packet(bytes(size)))


@pytest.mark.parametrize(
    ("scenario", "least", "most"),
    [
        ("nominal", 0.0, 0.01),
        ("range edge", 0.0, 0.10),
        ("stress", 0.0, 0.03),
        ("noise 30/s", 0.05, 0.2),
    ],
)
def test_the_light_loses_about_what_real_light_loses(scenario, least, most):
    chance = Random(scenario)
    lost = 0
    for _ in range(300):
        frame = Packet(chance.randbytes(53))
        marks = distorted(modulated(coded(frame)), 1e6, SCENARIOS[scenario], chance)
        lost += frame not in [decoded(one) for one in demodulated(merged(marks))]
    assert least <= lost / 300 <= most
