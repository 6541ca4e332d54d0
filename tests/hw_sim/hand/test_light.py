"""The light of the room and of the covered sensor."""

from random import Random

import pytest

from hw_sim.hand.signals.light import (
    DARK_LUX,
    DAY_LUX,
    GLOW_LUX,
    MAINS_FLICKER,
    PUB_LUX,
    CoveredSensor,
    LightScene,
)


def levels(scene: LightScene, from_us: int, until_us: int, step_us: int) -> list[float]:
    return [scene.ambient(t_us) for t_us in range(from_us, until_us, step_us)]


def test_a_lamp_on_the_mains_flickers_at_100_hz_by_30_percent():
    scene = LightScene(Random(1), 20.0, mains_flicker=MAINS_FLICKER)
    period = levels(scene, 0, 10_000, 100)
    assert max(period) == pytest.approx(26.0, rel=0.01)
    assert min(period) == pytest.approx(14.0, rel=0.01)
    assert sum(period) / len(period) == pytest.approx(20.0, rel=0.01)
    assert levels(scene, 730_000, 740_000, 100) == period
    half = levels(scene, 5_000, 15_000, 100)
    assert all(one + other == pytest.approx(40.0, rel=0.03) for one, other in zip(period, half))


@pytest.mark.parametrize(
    ("make", "band"),
    [(LightScene.pub, PUB_LUX), (LightScene.day, DAY_LUX), (LightScene.dark, DARK_LUX)],
)
def test_rooms_keep_their_band(make, band):
    for seed in range(30):
        heard = levels(make(Random(seed)), 0, 10_240_000, 1_003)
        assert band[0] * 0.99 < sum(heard) / len(heard) < band[1] * 1.01


def test_the_room_jumps():
    scene = LightScene(Random(1), 10.0)
    assert scene.jump(2_000_000, 50.0, over_s=0.1) == 2_100_000
    scene.jump(1_000_000, 20.0, over_s=0.0)
    assert levels(scene, 0, 2_000_000, 500_000) == [10.0, 10.0, 20.0, 20.0]
    assert (scene.ambient(2_050_000), scene.ambient(2_100_000)) == (pytest.approx(35.0), 50.0)
    assert scene.ambient(10**9) == 50.0


def test_impossible_rooms_are_refused():
    with pytest.raises(ValueError, match="no room has -1 lx"):
        LightScene(Random(1), -1.0)
    with pytest.raises(ValueError, match=r"a flicker of 0.7 is none"):
        LightScene(Random(1), 1.0, mains_flicker=0.7)
    with pytest.raises(ValueError, match="no room has -2 lx"):
        LightScene(Random(1), 1.0).jump(0, -2.0)


def test_lifting_and_covering_are_ramps():
    sensor = CoveredSensor(LightScene(Random(1), 50.0), leak_share=0.01)
    sensor.move(1_000_000, 1_150_000, 0.8)
    sensor.move(3_000_000, 3_100_000, 0.0)
    assert (sensor.openness(1_000_000), sensor.openness(1_075_000)) == (0.0, pytest.approx(0.4))
    assert (sensor.openness(2_000_000), sensor.openness(3_050_000)) == (0.8, pytest.approx(0.4))
    assert sensor.openness(9_000_000) == 0.0
    rising = [sensor.illuminance(t_us) for t_us in range(1_000_000, 1_150_001, 5_000)]
    assert rising == sorted(rising)
    assert rising[-1] == pytest.approx(50.0 * (0.01 + 0.99 * 0.8))


def test_the_panel_glows_on_the_sensor_whether_covered_or_not():
    asked: list[int] = []

    def glow(t_us: int) -> float:
        asked.append(t_us)
        return 0.5

    scene = LightScene(Random(1), 50.0)
    dark, lit = (CoveredSensor(scene, leak_share=0.01, glow=g) for g in (None, glow))
    for t_us in (0, 2_000_000):
        lit.move(1_000_000, 1_100_000, 1.0)
        dark.move(1_000_000, 1_100_000, 1.0)
        assert lit.illuminance(t_us) - dark.illuminance(t_us) == pytest.approx(0.5 * GLOW_LUX)
    assert asked == [0, 2_000_000]
