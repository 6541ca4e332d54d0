"""A recording as waveforms, pictures and a timeline."""

import io
from xml.etree import ElementTree

import pytest
from bench_support.bench import SteppedBoard
from PIL import Image
from steckbrett.parts.ssd1306 import SSD1306, SSD1306Low
from steckbrett.traces import drawn, picture, rows_of
from steckbrett.traces.recording import Recording
from steckbrett.traces.timeline import timeline

ON = b"\x00\xae\x20\x00\x21\x00\x7f\x22\x00\x07\xa1\xc8\x8d\x14\xaf"


@pytest.fixture
def recorded():
    """A display that shows three pictures, an LED that flashes, a part that is not there."""
    board = SteppedBoard("ssd1306", "led", wires={18: "led.in"})
    recording = Recording(board)
    board.put(*ON)
    for fill in (0x00, 0xFF, 0xAA):
        board.put(0x40, *bytes((fill,)) * 1024)
        board.pins.put(18, 1)
        board.wait(500_000)
        board.pins.put(18, 0)
        board.wait(500_000)
    board.put(0x00, 0xFE)
    board.at(3.2).unplug("ssd1306")
    board.wait(300_000)
    with pytest.raises(OSError, match="Remote I/O"):
        board.put(0x00)
    board.wait(100_000)
    return recording


def test_frames_are_those_that_have_settled(recorded):
    recorded.look()
    lit = [sum(map(sum, frame.rows)) for frame in recorded.frames["ssd1306"]]
    assert lit == [0, 8192, 4096, 0]
    times = [frame.t_us for frame in recorded.frames["ssd1306"]]
    assert times[:3] == [0, 1_000_000, 2_000_000]


def test_a_timeline_is_svg_with_lanes_frames_and_offences(recorded):
    text = timeline(recorded)
    root = ElementTree.fromstring(text)
    said = " ".join(element.text or "" for element in root.iter())
    assert "GPIO 18" in said
    assert "led.in" in said
    assert "unknown command 0xFE" in said
    assert "failed (errno 121)" in said
    images = [element for element in root.iter() if element.tag.endswith("image")]
    assert len(images) == 4
    assert len(text) < 60_000


def test_a_timeline_of_many_pictures_shows_as_many_as_fit():
    board = SteppedBoard("lcd1602", "ssd1306")
    recording = Recording(board)
    board.address = 0x3C
    board.put(*ON)
    for number in range(60):
        board.put(0x40, *bytes((number,)) * 1024)
        board.wait(50_000)
    root = ElementTree.fromstring(timeline(recording))
    assert {"1 picture", "60 pictures"} <= {element.text for element in root.iter()}
    images = [element for element in root.iter() if element.tag.endswith("image")]
    assert 6 <= len(images) <= 7
    places = [float(image.get("x")) for image in images]
    assert places == sorted(places)
    assert places[-1] + 136 <= 1_200


def test_a_timeline_of_nothing():
    ElementTree.fromstring(timeline(Recording(SteppedBoard())))


@pytest.mark.parametrize("scale", [1, 2, 4])
@pytest.mark.parametrize("kind", [SSD1306, SSD1306Low])
def test_a_picture_is_a_png_with_a_bezel(kind, scale):
    part = kind(1)
    part.write(ON.replace(b"\x22\x00\x07", b"\x22\x00\x03"), 0)
    part.write(b"\x40" + b"\xff" * 512, 0)
    found = Image.open(io.BytesIO(picture(part, scale))).convert("RGB")
    assert found.size == (136 * scale, (part.rows + 8) * scale)
    assert found.getpixel((4 * scale, 4 * scale)) == (150, 238, 255)
    assert found.getpixel((0, 0)) == (70, 74, 84)


def test_wrong_pictures_are_one_line():
    with pytest.raises(ValueError, match="scale 0: use 1 or more"):
        drawn((bytes(8),), 0)
    with pytest.raises(ValueError, match="LED shows no pixels"):
        picture(SteppedBoard("led").part)
    with pytest.raises(ValueError, match="no PNG file"):
        rows_of(b"GIF")
