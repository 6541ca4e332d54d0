"""A board of any parts: wires, joined pins, pulls, presses, faults, and errors of one line."""

import pytest
from steckbrett.board.board import Board
from steckbrett.board.bus import BusMessage
from steckbrett.board.plan import PlanError, press_of, read_plan, wires_of
from steckbrett.clock import SteppedClock
from steckbrett.parts import Offence, PartModel

ADDRESS = 0x53


def send(board, address, data):
    board.bus.i2c_rdwr(BusMessage(address, data))


def ask(board, address, register, count):
    answer = BusMessage(address, count)
    board.bus.i2c_rdwr(BusMessage(address, bytes([register])), answer)
    return bytes(answer)


@pytest.fixture
def clock():
    return SteppedClock()


def test_a_part_drives_the_pin_it_is_wired_to(clock):
    board = Board(["adxl345", "ssd1306"], {17: "adxl345.int1"}, clock=clock)
    send(board, ADDRESS, bytes([0x2E, 0x80]))
    send(board, ADDRESS, bytes([0x2D, 0x08]))
    assert board.pins[17].level == 0
    clock.advance(50_000)
    assert board.pins[17].level == 1
    assert board.pins[17].rose_at == pytest.approx(0.0111, rel=0.05)
    assert board.offences() == []


def test_two_parts_of_a_kind_need_names_and_addresses():
    board = Board(["adxl345", "low=adxl345@0x1d"])
    assert board.addresses == {"adxl345": 0x53, "low": 0x1D}
    assert ask(board, 0x1D, 0, 1) == b"\xe5"


def test_joined_pins_share_their_level():
    board = Board(wires={17: 27, 22: 17})
    board.pins.put(27, 1)
    assert (board.pins[17].level, board.pins[22].level) == (1, 1)
    assert board.pins.read(17) == 1
    board.pins.put(22, 0)
    assert board.offences(Offence.REFUSED) == ["GPIO 22 at 0 µs: an output of 0 against GPIO 27"]


def test_a_press_is_against_the_pull(clock):
    board = Board(pulls={4: "up"}, presses=["4=1.0+0.5", "5=1@2+0.5"], clock=clock)
    board.pins.pull_inside(6, 1)
    board.press(6, 1.0, 0.5)
    levels = []
    for t_us in (999_999, 1_000_000, 1_500_000, 2_000_000, 2_500_000):
        clock.advance(t_us)
        levels.append([board.pins[pin].level for pin in (4, 5, 6)])
    assert levels == [[1, 0, 1], [0, 0, 0], [1, 0, 1], [1, 1, 1], [1, 0, 1]]
    assert (board.pins[4].fell_at, board.pins[4].rose_at) == (1.0, 1.5)


def test_faults_at_a_time(clock):
    board = Board(["adxl345", "bh1750"], {17: "adxl345.int1"}, clock=clock)
    board.at(1.0).unplug("adxl345")
    board.at(2.0).replug("adxl345")
    board.at(3.0).wrong_chip("adxl345")
    board.at(4.0).stick("SDA")
    assert ask(board, ADDRESS, 0, 1) == b"\xe5"
    clock.advance(1_000_000)
    with pytest.raises(OSError, match="121"):
        ask(board, ADDRESS, 0, 1)
    clock.advance(3_000_000)
    assert ask(board, ADDRESS, 0, 1) == b"\xe6"
    board.nack(1, "bh1750")
    with pytest.raises(OSError, match="121"):
        send(board, 0x23, b"\x01")
    send(board, 0x23, b"\x01")
    clock.advance(4_000_000)
    with pytest.raises(OSError, match="110"):
        send(board, 0x23, b"\x01")
    assert [board.pins[pin].level for pin in (2, 3)] == [0, 1]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (lambda board: board.unplug("adxl346"), "no part 'adxl346' on the board: it has adxl345"),
        (lambda board: board.nack(2, name="x"), "no part 'x' on the board"),
        (lambda board: board.cut("adxl345.int1"), "no wire at adxl345.int1"),
        (lambda board: board.stick("SDB"), "no line 'SDB': write SDA, SCL or both"),
        (lambda board: board.press(99, 1.0), "no pin 99: BCM numbers are 0 to 53"),
    ],
)
def test_a_wrong_word_of_a_fault_is_found_before_its_time(fault, text):
    board = Board(["adxl345"])
    for owner in (board, board.at(1.0)):
        with pytest.raises(PlanError, match=text):
            fault(owner)


def test_a_world_is_a_number_or_a_function_of_the_time():
    board = Board(["bme280", "adxl345"])
    board.world("bme280", temperature=30.0, humidity=lambda t_us: t_us)
    board.freeze("adxl345", acceleration=(0, 0, 1))
    board.world("adxl345", acceleration=(9, 9, 9))
    assert board.parts["bme280"].temperature(7) == 30.0
    assert board.parts["bme280"].humidity(7) == 7
    assert board.parts["adxl345"].acceleration(7) == (0, 0, 1)


def test_a_cut_wire_floats_and_a_tied_one_does_not():
    board = Board(["ttp223"], {22: "ttp223.q"})
    board.cut(22)
    board.pins.read(22)
    assert len(board.offences(Offence.TORN)) == 1
    board.tie(22, 1)
    assert board.pins.read(22) == 1
    assert len(board.offences()) == 1


def test_equal_offences_are_counted():
    board = Board(["bh1750"])
    for _ in range(1000):
        send(board, 0x23, b"\x55")
    (refused,) = board.offences()
    assert refused == "BH1750 at 190 µs: unknown opcode 0x55 (1000 times)"
    for _ in range(3):
        board.bus.i2c_rdwr(BusMessage(0x23, 32))
    (unlisted,) = board.offences(Offence.UNLISTED)
    assert unlisted.endswith("read of 32 bytes: a result is 2 bytes (3 times)")
    assert board.offences(Offence.REFUSED) == [refused]


class Follower(PartModel):
    name = "Follower"
    inputs = ("in",)
    outputs = ("out",)
    level = 0

    def sense(self, _pin, level, _t_us):
        self.level = level

    def output(self, _pin):
        return 1 - self.level


def test_a_part_of_ones_own_follows_an_output():
    board = Board([Follower()], {5: "follower.in", 6: "follower.out"})
    assert board.pins[6].level == 1
    board.pins.put(5, 1)
    assert board.pins[6].level == 0


@pytest.mark.parametrize(
    ("parts", "wires", "text"),
    [
        (["adxl435"], {}, "no part 'adxl435': choose adxl345"),
        (["nowhere:Part"], {}, "No module named 'nowhere'"),
        (["adxl345", "adxl345"], {}, "two parts are called adxl345"),
        (["adxl345", "bh1750@0x53"], {}, "address 0x53 of bh1750 is taken by adxl345"),
        (["adxl345@83x"], {}, "address '83x' of adxl345 is no number"),
        (["adxl345@0x99"], {}, "7-bit addresses"),
        (["bme280@0x50"], {}, "no strap gives bme280 the address 0x50: it has 0x76, 0x77"),
        (["adxl345@0x68"], {}, "no strap gives adxl345 the address 0x68: it has 0x53, 0x1D"),
        (["ds3231@0x69"], {}, "no strap gives ds3231 the address 0x69: it has 0x68"),
        (["a=lcd1602@0x20", "b=lcd1602@0x28"], {}, "no strap gives b the address 0x28"),
        (["a=ads1115@0x4b", "b=ads1115@0x4c"], {}, "no strap gives b the address 0x4C"),
        (["ttp223@0x20"], {}, "ttp223 has no address"),
        (["ttp223@1"], {}, "ttp223 has no address: it is not on the bus"),
        (["mcp3008@0x20"], {}, "write mcp3008@0 or mcp3008@1 for CE0 or CE1"),
        (["adxl345@1"], {}, "address 0x01 of adxl345: 7-bit addresses"),
        (["adxl345"], {17: "adxl345.int3"}, "no pin 'int3' to wire: it has int1, int2"),
        (["adxl345"], {17: "bh1750.int"}, "no part 'bh1750' on the board: it has adxl345"),
        ([], {99: 17}, "no pin 99: BCM numbers are 0 to 53"),
    ],
)
def test_errors_of_a_plan_are_one_line(parts, wires, text):
    with pytest.raises(PlanError, match=text) as problem:
        Board(parts, wires)
    assert "\n" not in str(problem.value)


def test_a_pin_is_wired_once():
    assert wires_of(["17=adxl345.int1", "5=6"]) == {17: "adxl345.int1", 5: 6}
    with pytest.raises(PlanError, match=r"pin 17 is wired twice: to adxl345.int1 and to 27"):
        wires_of(["17=adxl345.int1", "17=27"])
    with pytest.raises(PlanError, match=r"write 17=adxl345.int1 or 17=27"):
        wires_of(["17"])


def test_wires_and_pulls_are_words_in_python_too():
    board = Board(["ttp223"], ["22=ttp223.q", "5=6"], ["6=up"])
    assert (board.pins[5].level, board.pins[22].level) == (1, 0)
    assert board.links.wired_to(22) == ["ttp223.q"]


def test_a_press_in_words():
    assert press_of("17=2.0+0.3") == (17, 2.0, 0.3, None)
    assert press_of("17=0@1+0.3") == (17, 1.0, 0.3, 0)
    assert press_of("ttp223=1+0.3") == ("ttp223", 1.0, 0.3, None)
    for wrong in ("17", "17=x", "17=2@1+1", "17=-1+1", "17=1+0", "ttp223=1@1+1"):
        with pytest.raises(PlanError):
            press_of(wrong)


def feels(words, at_s=0.0):
    """What the sensors of a board feel at a time, in their order."""
    board = Board(["adxl345", "veml7700", "bh1750"], worlds=words)
    board.clock.advance(round(at_s * 1e6))
    return [
        tuple(round(one, 1) for one in felt) if isinstance(felt, tuple) else felt
        for model in board.parts.values()
        for felt in [getattr(model, model.worlds[0])(round(at_s * 1e6))]
    ]


def test_a_world_in_words():
    assert feels([]) == [(0.0, 0.0, 9.8), 0, 0]
    assert feels(["light=300@2.0", "light=40"], at_s=1.0)[1:] == [40, 40]
    assert feels(["light=300@2.0", "light=40"], at_s=2.0)[1:] == [300, 300]
    assert feels(["veml7700.illuminance=5@1"], at_s=1.5)[1:] == [5, 0]
    assert feels(["tilt=90,0@1", "shake=3+1"], at_s=2.0)[0] == (0.0, 9.8, 0.0)
    assert feels(["shake=1+1"], at_s=1.05)[0] == (20.0, 12.0, 14.8)
    assert feels(["fall=1+0.5"], at_s=1.2)[0] == (0.0, 0.0, 0.0)
    assert feels(["tap=1"], at_s=1.004)[0] == (0.0, 0.0, 69.8)
    board = Board(["mpu6050"], worlds=["mpu6050.rotation=0,0,90", "mpu6050.temperature=30"])
    assert board.parts["mpu6050"].rotation(0) == (0.0, 0.0, 90.0)
    assert board.parts["mpu6050"].temperature(0) == 30.0


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("light", "no world in 'light': write light=300@2.0"),
        ("warm=3", "no world in 'warm=3'"),
        ("shake=x", "no world in 'shake=x'"),
        ("shake=2+0", "begins at 0 s or later; a shake and a fall last"),
        ("light=3@1+1", "begins at 0 s or later; a shake and a fall last"),
        ("tap=2+3", "begins at 0 s or later; a shake and a fall last"),
        ("shake=-1", "begins at 0 s or later; a shake and a fall last"),
        ("light=inf", "no world in 'light=inf'"),
        ("light=1e9", "1000000000.0 is no number of less than 1e\\+09"),
        ("light=-3", "it is 0 or more"),
        ("veml7700.illuminance=-3", "it is 0 or more"),
        ("light=3@nan", "no world in 'light=3@nan'"),
        ("light=٣", "no world in 'light=٣'"),
        ("shake=2+", "no world in 'shake=2\\+'"),
        ("tilt=3", "it takes 2 numbers, not 1"),
        ("light=3,4", "it takes 1 number, not 2"),
        ("adxl345.acceleration=3", "it takes 3 numbers, not 1"),
        ("adxl345.warmth=3", "no 'warmth' in the world of adxl345: it has acceleration"),
        ("bme280.temperature=3", "no part 'bme280' on the board"),
    ],
)
def test_a_wrong_world_is_one_line(words, what):
    with pytest.raises(PlanError, match=what) as problem:
        feels([words])
    assert "\n" not in str(problem.value)


def test_no_sensor_feels_it():
    with pytest.raises(PlanError, match="no part of the board feels illuminance"):
        Board(["adxl345"], worlds=["light=3"])


@pytest.mark.parametrize(("steps", "first", "last"), [(2, 5, 6), (-2, 6, 5)])
def test_an_encoder_turns_in_words(steps, first, last):
    wires = {5: "encoder.a", 6: "encoder.b"}
    board = Board(["encoder"], wires, {5: "up", 6: "up"}, worlds=[f"encoder.turn={steps}@1"])
    board.clock.advance(3_000_000)
    assert 1 <= board.pins[first].fell_at < board.pins[last].fell_at


def test_a_part_is_pressed_in_words():
    board = Board(["ttp223", "ssd1306"], {22: "ttp223.q"}, presses=["ttp223=2.0+0.5"])
    levels = []
    for at_s in (1.0, 2.3, 4.0):
        board.clock.advance(round(at_s * 1e6))
        levels.append(board.pins[22].level)
    assert levels == [0, 1, 0]
    with pytest.raises(PlanError, match="ssd1306 is nothing to press"):
        board.press("ssd1306", 5.0)


def test_a_board_of_a_file(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text(
        'parts = ["adxl345@0x1d", "ssd1306"]\npresses = ["5=1+1"]\nseed = 3\n'
        'worlds = ["adxl345.acceleration=1,2,3"]\n'
        '[wires]\n17 = "adxl345.int1"\n27 = 22\n[pulls]\n5 = "up"\n'
    )
    board = Board(**read_plan(file))
    assert board.addresses == {"adxl345": 0x1D, "ssd1306": 0x3C}
    assert board.pins[5].level == 1
    assert board.parts["adxl345"].acceleration(0) == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("part = []", "no key 'part': choose one of parts"),
        ("parts = 3", "parts is a list"),
        ("parts = [", "board.toml: "),
        ("parts = [3]", "parts is a list of words in quotes"),
        ("[wires]\n17 = 17", "pin 17 is wired to itself"),
        ('[wires]\n17 = "x"', "no wire in '17=x'"),
        ('[pulls]\n17 = "x"', "no pull 'x': write up or down"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path, text, what):
    file = tmp_path / "board.toml"
    file.write_text(text)
    with pytest.raises(PlanError, match=what) as problem:
        read_plan(file)
    assert "\n" not in str(problem.value)
