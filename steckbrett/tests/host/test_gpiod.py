"""gpiod 2: the package itself, and Blinka's own pins of a Pi on it."""

import sys
from textwrap import dedent

import pytest
from steckbrett.testing.bench import Bench


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Run a program on a bench and return its lines."""
    tops = ("board", "busio", "digitalio", "microcontroller", "adafruit_blinka")
    for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
        monkeypatch.delitem(sys.modules, name)  # they keep the pins of a board

    def run_it(bench, text):
        file = tmp_path / "program.py"
        file.write_text(dedent(text))
        bench.run(file, until=60.0)
        return bench.output.splitlines()

    return run_it


def test_lines_are_requested_and_their_edges_come_in_order(printed):
    bench = Bench(pulls=["5=up"], presses=["5=1.0+0.3"])
    words = """
    import gpiod, time
    from datetime import timedelta
    from gpiod.line import Bias, Direction, Edge, Value
    with gpiod.Chip("/dev/gpiochip0") as chip:
        print(chip.get_info().label, chip.get_line_info(5).used)
    began = time.monotonic_ns()
    settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP, active_low=True)
    config = {5: settings, "GPIO6": gpiod.LineSettings(direction=Direction.OUTPUT)}
    with gpiod.request_lines("/dev/gpiochip0", consumer="me", config=config) as request:
        request.set_value(6, Value.ACTIVE)
        print(request.wait_edge_events(timedelta(seconds=0.5)), request.get_values())
        while request.wait_edge_events(1):
            for event in request.read_edge_events():
                at = round((event.timestamp_ns - began) / 1e9, 2)
                print(event.event_type.name, event.line_offset, event.line_seqno, at)
    """
    assert printed(bench, words) == [
        "pinctrl-bcm2711 False",
        "False [<Value.INACTIVE: 0>, <Value.ACTIVE: 1>]",
        "RISING_EDGE 5 1 1.0",
        "FALLING_EDGE 5 2 1.3",
    ]
    assert bench.board.offences() == []


def test_blinkas_own_code_of_a_pi_runs(printed):
    bench = Bench(presses=["5=1.0+5.0"], pulls=["5=up"])
    words = """
    import board, digitalio, time
    lamp, button = digitalio.DigitalInOut(board.D17), digitalio.DigitalInOut(board.D5)
    lamp.switch_to_output(False)
    button.switch_to_input(pull=digitalio.Pull.UP)
    print(button.value)
    time.sleep(2)
    lamp.value = not button.value
    print(lamp.value, type(board.D17).__module__)
    """
    told = printed(bench, words)
    assert told == ["True", "True adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin"]
    assert bench.pins[17].rises == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("gpiod.Chip('/dev/gpiochip7')", "the only GPIO chip on the bench is /dev/gpiochip0"),
        ("[gpiod.request_lines('/dev/gpiochip0', config={5: None}) for _ in '12']", "busy"),
        ("gpiod.request_lines('/dev/gpiochip0', config={77: None})", "unknown line: 77"),
    ],
)
def test_a_wrong_call_says_why(printed, words, told):
    with pytest.raises((OSError, ValueError), match=told):
        printed(Bench(), f"import gpiod\n{words}\n")
