import pytest


@pytest.mark.bench(parts=["room=tmp117:TMP117@0x49"])
def test_a_warm_room(bench, tmp_path):
    program = tmp_path / "read.py"
    program.write_text(
        "import time, smbus2\n"
        "time.sleep(2)\n"
        "high, low = smbus2.SMBus(1).read_i2c_block_data(0x49, 0, 2)\n"
        "print((high << 8 | low) / 128)\n"
    )
    bench.set("room", temperature=31.5)
    bench.run(program)
    assert bench.output == "31.5\n"
    assert bench.torn == []
