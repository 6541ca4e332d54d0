"""The simulated GPIO pins behave as RPi.GPIO 0.7.1 and rpi-lgpio do."""

import warnings

import pytest
from steckbrett.board.board import Board
from steckbrett.board.gpio import KEPT, SimulatedGPIO
from steckbrett.clock import SteppedClock

PIN = 17


@pytest.fixture
def clock():
    return SteppedClock()


@pytest.fixture
def make(clock):
    def make(profile="rpi-gpio", *, ready=True):
        gpio = SimulatedGPIO(clock, profile)
        if ready:
            gpio.setmode(gpio.BCM)
            gpio.setup(PIN, gpio.IN, pull_up_down=gpio.PUD_DOWN)
        return gpio

    return make


def play(clock, gpio, *levels_ms, pin=PIN, until_ms=1000):
    """Drive the pin to (level, at ms) and let time pass; return nothing."""
    for level, at_ms in levels_ms:
        clock.call_at(at_ms / 1000, gpio.pins.drive, pin, level)
    clock.advance(until_ms * 1000)


def watch(clock, gpio, edge, **options):
    heard = []
    gpio.add_event_detect(
        PIN,
        edge,
        callback=lambda channel: heard.append((channel, clock.now_us // 1000, gpio.input(17))),
        **options,
    )
    return heard


# ---- levels


def test_driven_level_beats_the_pull(make):
    gpio = make()
    assert gpio.input(PIN) == 0
    gpio.setup(PIN, gpio.IN, pull_up_down=gpio.PUD_UP)
    assert gpio.input(PIN) == 1
    gpio.pins.drive(PIN, 0)
    assert gpio.input(PIN) == 0
    gpio.pins.drive(PIN, None)
    assert (gpio.input(PIN), gpio.pins.offences.lines()) == (1, [])


def test_reading_a_floating_pin_is_recorded(make):
    gpio = make()
    gpio.setup(PIN, gpio.IN)
    gpio.input(PIN)
    assert gpio.pins.offences.lines() == ["GPIO 17 at 0 µs: read while nothing drives or pulls it"]


def test_output_against_a_part_is_recorded(make):
    gpio = make()
    gpio.pins.drive(PIN, 1)
    gpio.setup(PIN, gpio.OUT)
    assert gpio.pins.offences.lines() == [
        "GPIO 17 at 0 µs: set up as an output against a part's pin"
    ]


def test_outputs(make):
    gpio = make()
    gpio.setup([13, 18], gpio.OUT, initial=1)
    assert (gpio.output_level(13), gpio.output_level(18), gpio.output_level(PIN)) == (1, 1, None)
    gpio.output(13, gpio.LOW)
    assert gpio.input(13) == 0
    gpio.output((13, 18), (True, False))
    assert (gpio.output_level(13), gpio.output_level(18)) == (1, 0)
    with pytest.raises(RuntimeError, match="Number of channels != number of values"):
        gpio.output((13, 18), (1,))
    with pytest.raises(RuntimeError, match="has not been set up as an OUTPUT"):
        gpio.output(PIN, 1)


def test_board_numbering(make, clock):
    gpio = make(ready=False)
    gpio.setmode(gpio.BOARD)
    gpio.setup(11, gpio.IN)
    gpio.pins.drive(PIN, 1)
    assert gpio.input(11) == 1
    heard = []
    gpio.add_event_detect(11, gpio.BOTH, callback=heard.append)
    play(clock, gpio, (0, 1))
    assert heard == [11]
    with pytest.raises(ValueError, match="channel sent is invalid"):
        gpio.setup(1, gpio.IN)


# ---- misuse


def test_nothing_works_before_setmode(make):
    gpio = make(ready=False)
    assert gpio.getmode() is None
    with pytest.raises(RuntimeError, match="Please set pin numbering mode"):
        gpio.setup(PIN, gpio.IN)
    with pytest.raises(ValueError, match="invalid mode"):
        gpio.setmode(3)
    gpio.setmode(gpio.BCM)
    gpio.setmode(gpio.BCM)
    assert gpio.getmode() == gpio.BCM
    with pytest.raises(ValueError, match="different mode"):
        gpio.setmode(gpio.BOARD)


def test_a_pin_must_be_set_up_first(make):
    gpio = make()
    with pytest.raises(RuntimeError, match=r"You must setup\(\) the GPIO channel first"):
        gpio.input(22)
    with pytest.raises(RuntimeError, match="as an input first"):
        gpio.add_event_detect(22, gpio.BOTH)
    gpio.setup(22, gpio.OUT)
    with pytest.raises(RuntimeError, match="as an input first"):
        gpio.add_event_detect(22, gpio.BOTH)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((PIN, 7), "invalid direction"),
        ((PIN, 0, 22), "not valid for outputs"),
        ((PIN, 1, 20, 1), "not valid for inputs"),
        ((PIN, 1, 5), "Invalid value for pull_up_down"),
        ((54, 1), "channel sent is invalid"),
        (("17", 1), "Channel must be an integer"),
    ],
)
def test_setup_refuses_wrong_arguments(make, arguments, text):
    with pytest.raises(ValueError, match=text):
        make().setup(*arguments)


def test_edge_detection_refuses_wrong_arguments(make):
    gpio = make()
    with pytest.raises(ValueError, match="RISING, FALLING or BOTH"):
        gpio.add_event_detect(PIN, 1)
    with pytest.raises(ValueError, match="Bouncetime must be greater than 0"):
        gpio.add_event_detect(PIN, gpio.BOTH, bouncetime=0)
    with pytest.raises(TypeError, match="callable"):
        gpio.add_event_detect(PIN, gpio.BOTH, callback=3)


def test_cleanup(make):
    gpio = make()
    gpio.add_event_detect(PIN, gpio.BOTH)
    gpio.cleanup([PIN])
    with pytest.raises(RuntimeError):
        gpio.input(PIN)
    with pytest.warns(RuntimeWarning, match="nothing to clean up"):
        gpio.cleanup(PIN)
    gpio.setwarnings(False)
    gpio.cleanup()
    assert gpio.getmode() is None


def test_pull_on_an_i2c_pin_warns(make):
    gpio = make()
    with pytest.warns(RuntimeWarning, match="physical pull up"):
        gpio.setup(2, gpio.IN, pull_up_down=gpio.PUD_UP)
    gpio.setwarnings(False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gpio.setup(2, gpio.IN, pull_up_down=gpio.PUD_UP)


# ---- edges


@pytest.mark.parametrize("profile", ["rpi-gpio", "rpi-lgpio"])
@pytest.mark.parametrize(
    ("edge", "expected"),
    [("RISING", [(17, 10, 1), (17, 30, 1)]), ("BOTH", [(17, 10, 1), (17, 20, 0), (17, 30, 1)])],
)
def test_edges_are_reported_by_direction(make, clock, profile, edge, expected):
    gpio = make(profile)
    heard = watch(clock, gpio, getattr(gpio, edge))
    play(clock, gpio, (1, 10), (1, 15), (0, 20), (1, 30))
    assert heard == expected


BOUNCY = ((1, 100), (0, 110), (1, 120), (0, 140), (1, 160))
GLITCH = ((1, 100), (0, 130))


@pytest.mark.parametrize(
    ("profile", "driven", "bounce", "expected"),
    [
        ("rpi-gpio", ((1, 10), (0, 10), (1, 10)), None, [(17, 10, 1)]),  # one for all of them
        ("rpi-lgpio", ((1, 10), (0, 10), (1, 10)), None, [(17, 10, 1)] * 3),
        ("rpi-gpio", BOUNCY, 50, [(17, 100, 1), (17, 160, 1)]),  # the first edge, then locked out
        ("rpi-lgpio", BOUNCY[:3], 50, [(17, 170, 1)]),  # after so long without another
        ("rpi-gpio", GLITCH, 50, [(17, 100, 1)]),
        ("rpi-lgpio", GLITCH, 50, [(17, 150, 0)]),  # with the pin low already
    ],
)
def test_edges_that_come_close_together(make, clock, profile, driven, bounce, expected):
    gpio = make(profile)
    options = {} if bounce is None else {"bouncetime": bounce}
    heard = watch(clock, gpio, gpio.RISING if bounce else gpio.BOTH, **options)
    play(clock, gpio, *driven)
    assert heard == expected


def test_a_second_detection_conflicts_unless_it_is_the_same_in_lgpio(make):
    gpio = make()
    gpio.add_event_detect(PIN, gpio.BOTH)
    with pytest.raises(RuntimeError, match="Conflicting edge detection"):
        gpio.add_event_detect(PIN, gpio.BOTH)
    lgpio = make("rpi-lgpio")
    lgpio.add_event_detect(PIN, lgpio.BOTH)
    lgpio.add_event_detect(PIN, lgpio.BOTH)
    with pytest.raises(RuntimeError, match="Conflicting edge detection"):
        lgpio.add_event_detect(PIN, lgpio.RISING)


def test_removed_detection_reports_nothing_more(make, clock):
    gpio = make("rpi-lgpio")
    heard = watch(clock, gpio, gpio.BOTH, bouncetime=100)
    clock.call_at(0.050, gpio.remove_event_detect, PIN)
    play(clock, gpio, (1, 10), (0, 60))
    assert heard == []
    gpio.remove_event_detect(22)


def test_releasing_a_pin_is_an_edge_when_the_pull_differs(make, clock):
    gpio = make()
    gpio.pins.drive(PIN, 1)
    heard = watch(clock, gpio, gpio.FALLING)
    clock.call_at(0.01, gpio.pins.drive, PIN, None)
    clock.call_at(0.02, gpio.pins.drive, PIN, None)
    play(clock, gpio)
    assert heard == [(17, 10, 0)]


# ---- waves ---------------------------------------------------------------------------------------

PROFILES = ("rpi-gpio", "rpi-lgpio")


def waves(gpio):
    return [(wave.frequency_hz, wave.duty_percent) for wave in gpio.pulses.trace]


@pytest.fixture(params=PROFILES)
def output(request, make):
    gpio = make(request.param)
    gpio.setup(13, gpio.OUT)
    return gpio


def test_a_wave_is_traced_from_its_start_through_its_changes_to_its_stop(output):
    wave = output.PWM(13, 440)
    wave.ChangeDutyCycle(20)
    assert waves(output) == [], "nothing before the start"
    wave.start(50)
    wave.ChangeDutyCycle(10)
    wave.ChangeFrequency(880)
    wave.ChangeDutyCycle(0)
    wave.ChangeDutyCycle(10)
    wave.stop()
    wave.stop()
    assert waves(output) == [(440, 50), (440, 10), (880, 10), (0, 0), (880, 10), (0, 0)]


def test_only_rpi_gpio_forgets_the_frequency_when_it_stops(output):
    wave = output.PWM(13, 440)
    wave.start(50)
    wave.stop()
    wave.start(50)
    assert waves(output)[-1] == ((1000 if output.pulses.forgets else 440), 50)
    wave.stop()
    wave.ChangeFrequency(660)
    wave.start(50)
    assert waves(output)[-1] == (660, 50)


def test_a_second_object_of_a_channel_is_refused(output):
    wave = output.PWM(13, 440)
    wave.start(50)
    with pytest.raises(RuntimeError, match="A PWM object already exists for this GPIO channel"):
        output.PWM(13, 440)
    wave.stop()
    if output.pulses.forgets:
        output.PWM(13, 440)
    else:
        with pytest.raises(RuntimeError, match="already exists"):
            output.PWM(13, 440)
        del wave
        output.PWM(13, 440)


def test_what_no_wave_can_be_is_refused_with_the_words_of_the_library(output):
    wave = output.PWM(13, 440)
    for duty in (-1, 101):
        with pytest.raises(ValueError, match=r"dutycycle must have a value from 0\.0 to 100\.0"):
            wave.start(duty)
    with pytest.raises(ValueError, match=r"frequency must be greater than 0\.0"):
        wave.ChangeFrequency(0)
    with pytest.raises(RuntimeError, match="as an output first"):
        output.PWM(12, 440)


def test_of_a_board_that_runs_for_days_the_last_waves_are_kept(make):
    gpio = make()
    for pin in (12, 13):
        gpio.setup(pin, gpio.OUT)
    lamp, piezo = gpio.PWM(12, 50), gpio.PWM(13, 440)
    lamp.start(10)
    piezo.start(50)
    for turn in range(2 * KEPT):
        piezo.ChangeFrequency(440 + turn % 2)
    lamp.ChangeDutyCycle(10)  # as it was, though that was long ago
    assert gpio.pulses.noted == 2 * KEPT + 1
    assert waves(gpio) == KEPT // 2 * [(440.0, 50.0), (441.0, 50.0)]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda gpio: gpio.setup([22, 23], 0, initial=[1, 0]), TypeError, "as an integer"),
        (lambda gpio: gpio.setup(22, 1, pull_up_down=None), TypeError, "as an integer"),
        (lambda gpio: gpio.setup({22, 23}, 0), ValueError, "integer or list/tuple of integers"),
        (lambda gpio: gpio.setup([22, "23"], 0), ValueError, "Channel must be an integer$"),
        (lambda gpio: gpio.input("22"), TypeError, "as an integer"),
        (lambda gpio: gpio.output(24, [1]), RuntimeError, "channels != number of values"),
        (lambda gpio: gpio.output(24, 1.0), ValueError, "Value must be an integer/boolean or"),
        (lambda gpio: gpio.output([24], ["1"]), ValueError, "Value must be an integer or boolean"),
    ],
)
def test_arguments_are_those_of_the_published_source(call, error, text):
    """py_gpio.c of RPi.GPIO 0.7: formats "Oi|ii" and "i", and the checks behind them."""
    gpio = Board().gpio
    gpio.setmode(gpio.BCM)
    gpio.setup(24, gpio.OUT)
    with pytest.raises(error, match=text):
        call(gpio)
