"""lgpio: the module itself, and gpiozero with its default factory."""

import sys
from textwrap import dedent

import pytest
from steckbrett.testing.bench import Bench

NO_OUTPUT, NO_SPEED = "'GPIO not set as an output'", "'bad PWM frequency'"


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Run a program on a bench and return its lines."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "gpiozero"]:
        monkeypatch.delitem(sys.modules, name)  # it keeps the pins of a board

    def run_it(bench, text):
        file = tmp_path / "program.py"
        file.write_text(dedent(text))
        bench.run(file, until=60.0)
        return bench.output.splitlines()

    return run_it


def test_gpiozero_takes_its_default_factory(printed):
    bench = Bench(["mcp3008"], presses=["22=1.0+0.5", "22=3.0+0.5"])
    bench.set("mcp3008", ch0=1.5)
    words = """
    import gpiozero, time
    button, lamp = gpiozero.Button(22, bounce_time=0.01), gpiozero.LED(17)
    button.when_pressed, button.when_released = lamp.on, lamp.off
    dimmed = gpiozero.PWMLED(18)
    dimmed.value = 0.25
    time.sleep(5)
    print(type(gpiozero.Device.pin_factory).__name__, round(gpiozero.MCP3008(0).voltage, 1))
    """
    assert printed(bench, words) == ["LGPIOFactory 1.5"]
    assert (bench.pins[17].rises, bench.pins[17].falls) == (2, 2)
    assert bench.pins[17].rose_at == pytest.approx(1.01, abs=0.002)
    assert 495 <= bench.pins[18].rises <= 505


def test_lines_are_claimed_read_and_watched(printed):
    bench = Bench(["button"], wires={5: "button.out"}, presses=["button=1.0+0.3"])
    bench.board.parts["button"].bounces = False
    words = """
    import lgpio, time
    chip = lgpio.gpiochip_open(0)
    print(lgpio.gpio_get_chip_info(chip)[1:])
    lgpio.gpio_claim_alert(chip, 5, lgpio.BOTH_EDGES, lgpio.SET_PULL_UP)
    seen = []
    began = time.monotonic_ns()
    watch = lgpio.callback(chip, 5, lgpio.BOTH_EDGES, lambda *told: seen.append(told))
    time.sleep(2)
    print([(level, round((at - began) / 1e9, 2)) for _, _, level, at in seen], watch.tally())
    lgpio.gpio_claim_output(chip, 6, 1)
    print(lgpio.gpio_read(chip, 5), lgpio.gpio_read(chip, 6), hex(lgpio.gpio_get_mode(chip, 5)))
    """
    assert printed(bench, words) == [
        "(54, 'gpiochip0', 'pinctrl-bcm2711')",
        "[(0, 1.0), (1, 1.3)] 2",
        "1 1 0x421",
    ]
    assert bench.board.offences() == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("lgpio.gpiochip_open(3)", "'can not open gpiochip'"),
        ("lgpio.gpio_read(chip, 4)", "'GPIO not allocated'"),
        ("lgpio.gpio_read(9, 4)", "'unknown handle'"),
        ("lgpio.gpio_claim_input(chip, 99)", "'bad GPIO number'"),
        ("lgpio.gpio_claim_input(chip, 4)\n    lgpio.gpio_write(chip, 4, 1)", NO_OUTPUT),
        ("lgpio.gpio_claim_output(chip, 4)\n    lgpio.tx_pwm(chip, 4, 20000, 5)", NO_SPEED),
    ],
)
def test_a_wrong_call_is_an_error_of_the_library(printed, words, told):
    begin = "import lgpio\nchip = lgpio.gpiochip_open(0)\n"
    end = f"try:\n    {words}\nexcept lgpio.error as problem:\n    print(problem)\n"
    assert printed(Bench(), begin + end) == [told]
