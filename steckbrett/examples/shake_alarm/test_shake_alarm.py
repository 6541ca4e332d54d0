import pytest


@pytest.mark.bench(parts=["adxl345", "ssd1306"])
def test_shaking_rings(bench):
    bench.accelerometer.shake(at=2.0, seconds=1.0)
    bench.run("shake_alarm.py", until=5.0)
    assert bench.pins[24].rose_at == pytest.approx(2.05, abs=0.1)
    assert bench.display.lit == 4096
    bench.save_timeline("shaken.svg")
