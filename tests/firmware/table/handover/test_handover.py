from itertools import product

import pytest

from firmware.table import handover as e
from firmware.table.handover import RETRY, Cup, CupError, Handover, HandoverError, Where
from firmware.table.protocol import LogPosition
from firmware.table.protocol import messages as cups
from firmware.table.protocol.sealing import Sealer, keys_of_table

AT = LogPosition(19, bytes(8))
DICE = cups.Contents((6, 3))
ANA, BEN, CEM, DORA = range(4)
SEALERS = [Sealer(keys_of_table(bytes(32), seat, range(4)), seat, 0) for seat in range(4)]


def side(me, **cup):
    return Handover(SEALERS[me].seal, Cup(epoch=0, **cup))


def holder(hop=0):
    return side(ANA, where=Where.HOLDING, last=hop, contents=DICE)


def idle(me=BEN, hop=0):
    return side(me, last=hop, taken=hop)


def proposed():
    return holder(4).propose(BEN, asks=True, announced=62, at=AT, now_us=0)[0]


def offered():
    return proposed().received(BEN, cups.Answer(5, cups.CupAnswer.BELIEVE, AT), AT, 0)[0]


def hearing(asks=True):
    return idle().received(ANA, cups.Propose(5, AT, asks, 62), AT, 0)[0]


def answered(choice=cups.CupAnswer.BELIEVE):
    return hearing().answer(choice, 0)[0]


def taken():
    return answered().received(ANA, cups.Give(5, DICE), AT, 0)[0]


def sent(effects):
    """Return the receivers and messages, opened with the receiver's keys."""
    return [
        (effect.seat, SEALERS[effect.seat].open(effect.frame)[1])
        for effect in effects
        if isinstance(effect, e.SendFrame)
    ]


def facts(effects):
    return [effect for effect in effects if not isinstance(effect, e.StoreCup | e.SendFrame)]


# The way, step by step


# Records that are not the same


def test_a_record_that_lags_is_shown_but_not_answered():
    behind = LogPosition(17, bytes(8))
    after, effects = idle().received(ANA, cups.Propose(5, AT, True, 62), behind, 0)
    assert effects == (e.OfferArrived(ANA, ready=False),)
    with pytest.raises(HandoverError, match="lacks entries"):
        after.answer(cups.CupAnswer.BELIEVE, 0)
    assert after.caught_up(LogPosition(18, bytes(8)), 0) == (after, ())
    after, effects = after.caught_up(AT, 0)
    assert effects == (e.OfferArrived(ANA, ready=True),)
    assert sent(after.answer(cups.CupAnswer.BELIEVE, 0)[1]) == [
        (ANA, cups.Answer(5, cups.CupAnswer.BELIEVE, AT))
    ]


def test_a_record_that_grows_past_a_proposal_voids_it():
    assert hearing().caught_up(LogPosition(20, bytes(8)), 0) == (idle(), ())


def test_another_digest_at_the_same_index_is_a_conflict_for_the_receiver():
    here = LogPosition(19, b"elsewise")
    _, effects = idle().received(ANA, cups.Propose(5, AT, True, 62), here, 0)
    assert effects == (e.Conflict(ANA),)


# Said twice, lost, late


TO_A_HOLDER = (
    *(
        cups.Propose(7, AT, True, 62),
        cups.Give(7, DICE),
        cups.Cancel(7),
        cups.Taken(5),
        cups.Taken(4),
    ),
    *(cups.Nak(4), cups.Answer(7, cups.CupAnswer.BELIEVE, AT)),
    *(cups.Log(0, 0, b"", bytes(8)), cups.Want(0)),
)


@pytest.mark.parametrize(
    ("before", "sender", "message"),
    [
        *product((proposed(), holder(5)), (BEN,), TO_A_HOLDER),
        *product((offered(),), (CEM,), (cups.Taken(5), cups.Nak(5))),
        *product((answered(), offered(), hearing()), (DORA,), (cups.Give(9, DICE), cups.Cancel(9))),
        (idle(), ANA, cups.Cancel(5)),
        (answered(), ANA, cups.Cancel(4)),
        (hearing(), ANA, cups.Propose(5, AT, True, 62)),
    ],
    ids=lambda one: one.cup.where.name if isinstance(one, Handover) else str(one),
)
def test_what_is_not_ones_to_say_now_or_was_heard_before_changes_nothing(before, sender, message):
    assert before.received(sender, message, AT, 0) == (before, ())


def test_a_hop_is_refused_with_the_same_bytes_whatever_comes_between():
    refused, effects = answered().received(ANA, cups.Cancel(5), AT, 0)
    for hop in (5, 9):
        refused, _ = refused.received(CEM, cups.Give(hop, DICE), AT, 0)
    refused, _ = refused.received(CEM, cups.Propose(9, AT, True, 62), AT, 0)
    refused, _ = refused.received(CEM, cups.Cancel(9), AT, 0)
    assert sent(refused.received(ANA, cups.Give(5, DICE), AT, 0)[1]) == sent(effects)


BEYOND = LogPosition(AT.index + 1, bytes(8))


@pytest.mark.parametrize("cancelled", [5, 0xFFFFFF])
def test_a_hop_that_could_not_be_answered_for_burns_nothing(cancelled):
    heard, _ = idle().received(CEM, cups.Propose(cancelled, BEYOND, True, 62), AT, 0)
    assert heard.received(CEM, cups.Cancel(cancelled), AT, 0) == (idle(), ())
    heard, _ = hearing().received(ANA, cups.Cancel(0xFFFFFF), AT, 0)
    assert heard == idle()


@pytest.mark.parametrize("message", [cups.Give(9, DICE), cups.Cancel(9)], ids=str)
def test_a_hop_out_of_the_blue_does_not_make_those_before_it_old(message):
    after, _ = idle().received(DORA, message, AT, 0)
    after, effects = after.received(ANA, cups.Propose(5, AT, True, 62), AT, 0)
    assert facts(effects) == [e.OfferArrived(ANA, ready=True)]
    after, _ = after.answer(cups.CupAnswer.BELIEVE, 0)
    after, effects = after.received(ANA, cups.Give(5, DICE), AT, 0)
    assert after.cup.is_here
    assert sent(effects) == [(ANA, cups.Taken(5))]


# Taken back


def test_a_cup_that_cannot_be_is_not_taken():
    asked = []

    def accepts(choice, contents):
        asked.append((choice, contents))
        return False

    after, effects = answered().received(ANA, cups.Give(5, DICE), AT, 0, accepts)
    assert after == answered()
    assert effects == (e.CupImpossible(5, ANA, cups.CupAnswer.BELIEVE, DICE),)
    assert asked == [(cups.CupAnswer.BELIEVE, DICE)]


# Time


def test_the_same_bytes_are_sent_again_ever_more_slowly():
    waiting, times = offered(), []
    now_us = 0
    for _ in range(5):
        now_us = waiting.next_timer_us
        assert waiting.tick(now_us - 1) == (waiting, ())
        waiting, effects = waiting.tick(now_us)
        assert effects == (e.SendFrame(BEN, offered().cup.frame),)
        times.append(now_us)
    assert times == [500_000, 1_500_000, 3_500_000, 5_500_000, 7_500_000]


@pytest.mark.parametrize("waiting", [proposed(), offered(), answered()], ids=lambda w: w.cup.where)
def test_after_a_restart_what_is_outstanding_is_sent_again(waiting):
    cup = Cup.decode(waiting.cup.encode())
    after, effects = waiting._replace(cup=cup, retry=RETRY).resumed(1_000)
    assert effects == (e.SendFrame(waiting.cup.peer, waiting.cup.frame),)
    assert after.next_timer_us == 501_000


def test_after_a_restart_a_holder_just_holds():
    assert holder().resumed(0) == (holder(), ())


# Forbidden calls of the layer above


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: idle().fill(cups.EMPTY),
        lambda: proposed().fill(cups.EMPTY),
        lambda: idle().propose(ANA, True, 62, AT, 0),
        lambda: proposed().propose(BEN, True, 62, AT, 0),
        lambda: offered().withdraw(),
        lambda: idle().answer(cups.CupAnswer.BELIEVE, 0),
        lambda: answered().answer(cups.CupAnswer.DOUBT, 0),
    ],
)
def test_what_the_state_does_not_allow_is_an_error(wrong):
    with pytest.raises(HandoverError):
        wrong()


# The durable state


@pytest.mark.parametrize(
    "cup",
    [
        Cup(3),
        holder(7).cup,
        proposed().cup,
        offered().cup,
        answered(cups.CupAnswer.GIVE_IN).cup,
        Cup(65_535, last=9, taken=9),
        Cup(
            0,
            Where.HOLDING,
            contents=cups.Contents((1, 2, 3, 4, 5), 8, bytes(range(32)), tower=True),
        ),
    ],
    ids=lambda cup: cup.where.name,
)
def test_the_durable_state_survives_its_bytes(cup):
    assert Cup.decode(cup.encode()) == cup


@pytest.mark.parametrize(
    "data",
    [
        b"",
        Cup(0).encode()[:-1],
        b"\1" + Cup(0).encode()[1:],
        b"\3\7" + Cup(0).encode()[2:],
        Cup(0).encode() + b"a frame for nobody",
        Cup(0, Where.OFFERED, last=5, contents=DICE).encode(),
        answered().cup._replace(last=5).encode(),
        answered().cup._replace(choice=None).encode(),
        Cup(0, last=4, taken=5).encode(),
    ],
)
def test_bytes_that_are_no_state_are_refused(data):
    with pytest.raises(CupError):
        Cup.decode(data)
