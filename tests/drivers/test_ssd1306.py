"""The panel's driver: packing, start-up in the dark, and small windows for any two pictures."""

import asyncio

import adafruit_framebuf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from drivers.errors import PartFault
from drivers.panel import MEMORY_BYTES, MOST_BYTES, OVERHEAD_BYTES, WIDTH, pack, windows
from drivers.ssd1306 import Ssd1306
from hw_sim.clock import run

images = st.binary(min_size=1024, max_size=1024).map(
    lambda data: Image.frombytes("1", (128, 64), data)
)


def packed(image):
    columns = (sum(bool(image.getpixel((x, y))) << y for y in range(64)) for x in range(128))
    return pack(b"".join(column.to_bytes(8, "little") for column in columns))


def adafruit_packed(image):
    memory = bytearray(1024)
    adafruit_framebuf.FrameBuffer(memory, 128, 64, adafruit_framebuf.MVLSB).image(image)
    return bytes(memory)


def drawn(*rectangles):
    image = Image.new("1", (128, 64))
    for rectangle in rectangles:
        ImageDraw.Draw(image).rectangle(rectangle, fill=1)
    return image


A_PICTURE = drawn((3, 5, 40, 20), (60, 0, 60, 63), (100, 33, 127, 63))
ANOTHER = drawn((3, 5, 40, 30), (61, 10, 61, 40), (0, 63, 127, 63))


@pytest.mark.whole
@settings(max_examples=25)
@given(images)
def test_packing_is_what_the_adafruit_package_does(image):
    assert packed(image) == adafruit_packed(image)


@pytest.mark.parametrize("size", [1023, 1025])
def test_other_pictures_are_refused(size):
    with pytest.raises(ValueError, match=f"a picture has 1024 bytes, not {size}"):
        pack(bytes(size))


async def begun(powered):
    bench = await powered()
    driver = Ssd1306(bench.adapter)
    await bench.do(driver.begin)
    return bench, driver


async def show(bench, driver, picture):
    for window in driver.changes(picture):
        await bench.do(driver.write, window)


async def test_nothing_is_ever_lit_while_it_begins_and_then_it_is_black_and_off(powered):
    bench = await powered()
    display = bench.board.display
    lit = []
    display.on_switch.append(lambda t_us: lit.append(any(map(any, display.pixels()))))
    display.on_write.append(lambda t_us: lit.append(any(map(any, display.pixels()))))
    assert any(display.memory)
    driver = Ssd1306(bench.adapter)
    await bench.do(driver.begin)
    assert bench.board.violations == []
    assert len(lit) > 2
    assert not any(lit)
    assert not any(display.memory)
    assert (display.is_on, driver.is_on) == (False, False)


async def test_a_picture_reaches_the_glass_pixel_by_pixel(powered):
    bench, driver = await begun(powered)
    await show(bench, driver, packed(A_PICTURE))
    dark = bench.board.display.pixels()
    await bench.do(driver.light_up)
    await asyncio.sleep(0.2)
    assert bench.board.violations == []
    assert not any(map(any, dark))
    wanted = [bytes(bool(A_PICTURE.getpixel((x, y))) for x in range(128)) for y in range(64)]
    assert list(bench.board.display.pixels()) == wanted


@pytest.mark.whole
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(min_size=1024, max_size=1024), max_size=3))
def test_the_mirror_is_the_panels_memory(powered, pictures):
    async def main():
        bench, driver = await begun(powered)
        for picture in [*pictures, packed(A_PICTURE), packed(ANOTHER)]:
            for window in driver.changes(picture):
                await bench.do(driver.write, window)
                assert bench.board.bus.elapsed_us <= 2_000
            assert driver.memory == bench.board.display.memory == picture
            assert driver.changes(picture) == []
        return bench.board.violations

    assert run(main()) == []


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_broken_write_is_repaired_by_the_next_changes(powered, failures):
    bench, driver = await begun(powered)
    await show(bench, driver, packed(A_PICTURE))
    broken, *_ = driver.changes(packed(ANOTHER))
    for _ in range(failures):
        bench.board.nack(1, "display")
        error = await bench.failing(driver.write, broken)
        assert "SSD1306 panel at 0x3C: no answer" in str(error)
    # Back to the old picture: nothing differs, but the window may have arrived in part.
    again = driver.changes(packed(A_PICTURE))
    await show(bench, driver, packed(A_PICTURE))
    await show(bench, driver, packed(ANOTHER))
    assert [window[:4] for window in again] == [broken[:4]]
    assert driver.changes(packed(ANOTHER)) == []
    assert bench.board.display.memory == packed(ANOTHER)
    assert bench.board.violations == []


async def test_a_broken_start_leaves_everything_to_write(powered):
    bench = await powered()
    driver = Ssd1306(bench.adapter)
    bench.board.unplug("display")
    error = await bench.failing(driver.begin)
    assert str(error) == (
        "SSD1306 panel at 0x3C: no answer; "
        "check VCC, GND, SDA and SCL, and that its address jumper is on 0x78 (0x3C)"
    )
    assert error.fault is PartFault.NO_ANSWER
    assert sum(len(window.data) for window in driver.changes(bytes(1024))) == 1024


async def test_contrast_reaches_the_panel_and_0_is_refused(powered):
    bench, driver = await begun(powered)
    await bench.do(driver.contrast, 20)
    for wrong in (0, 256):
        with pytest.raises(ValueError, match="contrast is 1 to 255"):
            driver.contrast(wrong)
    assert bench.board.display.contrast == 20


async def restored(bench, driver):
    """Do what a panel in doubt is given: set-up, picture, contrast, switch."""
    await bench.do(driver.restore)
    assert bench.board.bus.elapsed_us < 2_000
    await show(bench, driver, packed(A_PICTURE))
    await bench.do(driver.contrast, 0x30)
    await bench.do(driver.light_up)


async def test_a_panel_that_is_well_shows_nothing_of_being_restored(powered):
    bench, driver = await begun(powered)
    await restored(bench, driver)
    display, seen = bench.board.display, []
    before = display.pixels()
    display.on_switch.append(lambda t_us: seen.append(display.pixels()))
    display.on_write.append(lambda t_us: seen.append(display.pixels()))
    await restored(bench, driver)
    assert set(seen) == {before}
    assert bench.board.violations == []


async def test_the_set_up_is_what_the_adafruit_class_sends(powered):
    bench = await powered()
    bench.board.bus.trace = trace = []
    driver = Ssd1306(bench.adapter)
    await bench.do(driver.begin)
    first = b"".join(each.data[1:] for each in trace if each.data[:1] == b"\x80")
    trace.clear()
    await bench.do(driver.restore)
    again = trace[-1].data[1:].lstrip(b"\xe3")
    commands = "a83f d300 da12 d580 d9f1 db30 ad30 8d14 40a1 c8 a4a6"
    for command in map(bytes.fromhex, commands.split()):
        assert command in first
        assert command in again
    assert len(again) == 8 + 2 * 8 + 6 + 2, "and no scrolling, addressing by page, nothing else"


async def test_a_panel_that_lost_its_power_says_so_if_it_can(powered):
    bench, driver = await begun(powered)
    await restored(bench, driver)
    bench.board.display.power_up(bench.board.now_us())
    error = await bench.failing(driver.restore)
    assert (error.fault, "the display is off" in str(error)) == (PartFault.LOST_SETUP, True)
    await bench.do(driver.blank)
    await bench.do(driver.restore)  # off as it should be


@pytest.mark.parametrize("status", [None, b"\x40", b"\x00", b"\xff"])
async def test_a_panel_with_another_status_byte_is_restored_without_a_word(powered, status):
    bench, driver = await begun(powered)
    display = bench.board.display

    def read(count, t_us):
        if status is None:
            raise OSError(121, "Remote I/O error")
        return status

    display.read = read
    await bench.do(driver.begin)
    await restored(bench, driver)
    display.power_up(bench.board.now_us())
    await restored(bench, driver)
    assert display.is_lit
    assert display.memory == packed(A_PICTURE)


BYTE_US = 22.5
"""9 bits at 400 kHz."""
ADDRESSES = 2
"""Bytes that say which part is meant, one a transfer."""

memories = st.binary(min_size=MEMORY_BYTES, max_size=MEMORY_BYTES)
spots = st.lists(
    st.tuples(st.integers(0, MEMORY_BYTES - 1), st.integers(1, 40), st.integers(0, 255)),
    max_size=20,
)


def painted(memory, spots):
    changed = bytearray(memory)
    for at, length, value in spots:
        end = min(at + length, MEMORY_BYTES)
        changed[at:end] = bytes([value]) * (end - at)
    return bytes(changed)


def applied(memory, found):
    panel = bytearray(memory)
    for window in found:
        window.write_into(panel)
    return bytes(panel)


def wire_bytes(found):
    return sum(len(window.data) + OVERHEAD_BYTES for window in found)


@given(memories, memories)
def test_windows_turn_any_memory_into_any_other(old, new):
    found = windows(old, new)
    assert applied(old, found) == new
    # Pieces of 2 ms cost more than one frame in one piece: 16 of them at worst.
    assert wire_bytes(found) <= MEMORY_BYTES + 16 * OVERHEAD_BYTES


@given(memories, spots)
def test_windows_of_a_change_are_short_inside_the_panel_and_cost_less_than_their_pages(old, spots):
    new = painted(old, spots)
    found = windows(old, new)
    assert applied(old, found) == new
    changed_pages = {at // WIDTH for at in range(MEMORY_BYTES) if old[at] != new[at]}
    assert wire_bytes(found) <= len(changed_pages) * (WIDTH + 2 * OVERHEAD_BYTES)
    for window in found:
        assert 0 <= window.first_page <= window.last_page <= 7
        assert 0 <= window.first_column <= window.last_column < WIDTH
        width = window.last_column - window.first_column + 1
        assert len(window.data) == width * (window.last_page - window.first_page + 1)
        assert len(window.data) <= MOST_BYTES
        bus_us = (len(window.data) + OVERHEAD_BYTES + ADDRESSES) * BYTE_US + 4 * 2.5 + 1.3
        assert bus_us <= 2_000


def test_a_gap_is_written_only_while_that_is_cheaper_than_a_second_window():
    blank = bytes(MEMORY_BYTES)
    near = painted(blank, [(0, 1, 1), (OVERHEAD_BYTES + 1, 1, 1)])
    far = painted(blank, [(0, 1, 1), (OVERHEAD_BYTES + 2, 1, 1)])
    assert (len(windows(blank, near)), len(windows(blank, far))) == (1, 2)


def test_what_has_most_lit_pixels_to_lose_is_written_first():
    lit = painted(bytes(MEMORY_BYTES), [(0, 9, 0x01), (5 * WIDTH, 9, 0xFF), (7 * WIDTH, 9, 0x0F)])
    new = painted(bytes(MEMORY_BYTES), [(2 * WIDTH, 30, 0xFF)])
    assert [window.first_page for window in windows(lit, new)] == [5, 7, 0, 2]


def test_what_is_unsure_is_written_again_though_it_looks_equal():
    memory = painted(bytes(MEMORY_BYTES), [(130, 5, 0xAA)])
    unsure = int.from_bytes(painted(bytes(MEMORY_BYTES), [(130, 5, 0xFF)]))
    (window,) = windows(memory, memory, unsure)
    assert window == (1, 1, 2, 6, b"\xaa" * 5)
