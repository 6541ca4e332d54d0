"""The loader: what it reads, how it interpolates, and one clear line for whatever is wrong."""

import gzip
from array import array
from pathlib import Path

import pytest

from firmware.upkeep.recording import (
    LIGHT_COLUMNS,
    MOTION_COLUMNS,
    TOUCH_COLUMNS,
    RecordingError,
)
from hw_sim.hand.recordings import (
    Clip,
    RecordedEvent,
    RecordingEntry,
    load_events,
    load_index,
    load_motion,
    load_recording,
)

WALK = RecordingEntry("walk.csv.gz", "walking", 50.0, "false-roll")
INDEX = "file,label,rate_hz,use,notes\nwalk.csv.gz,walking,50,false-roll,\n"
MOTION = f"{MOTION_COLUMNS}\n0.0000,0,0,9.8\n0.0200,2,-4,9.8\n0.0400,1,0,10\n"


def put(folder: Path, name: str, text: str) -> None:
    data = text.encode()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)


def clip(*samples: tuple[int, float]) -> Clip:
    """A clip whose x is given and whose y and z follow from it."""
    return Clip(
        array("q", [t_us for t_us, _ in samples]),
        array("d", [x for _, x in samples]),
        array("d", [2 * x for _, x in samples]),
        array("d", [-x for _, x in samples]),
    )


@pytest.fixture
def folder(tmp_path):
    put(tmp_path, "index.csv", INDEX)
    put(tmp_path, "walk.csv.gz", MOTION)
    return tmp_path


def test_index_keeps_its_order_and_ignores_other_columns(folder):
    put(folder, "index.csv", INDEX + '"a b.csv.gz",shake,62.5,missed-shake,"note, with comma"\n')
    assert load_index(folder) == (WALK, RecordingEntry("a b.csv.gz", "shake", 62.5, "missed-shake"))


def test_recording_is_in_microseconds_and_mps2(folder):
    recording = load_recording(folder, WALK)
    (only,) = recording.clips
    assert (list(only.t_us), list(only.y_mps2)) == ([0, 20_000, 40_000], [0.0, -4.0, 0.0])
    assert recording.duration_us == 40_000
    assert recording[: len(WALK)] == WALK


def test_more_than_half_a_second_without_a_sample_starts_a_new_clip(folder):
    rows = ("0", "0.5", "1.0000001", "1.500002", "1.52")
    put(folder, "walk.csv.gz", MOTION_COLUMNS + "".join(f"\n{t},0,0,9.8" for t in rows))
    first, second = load_recording(folder, WALK).clips
    assert list(first.t_us) == [0, 500_000, 1_000_000]
    assert (second.start_us, second.end_us) == (1_500_002, 1_520_000)


def test_events_come_by_file_in_order_of_their_start(folder):
    put(folder, "events.csv", "file,start_s,end_s,label\na,3.5,4,shake\nb,0,1,turning\na,1,2,x\n")
    assert load_events(folder) == {
        "a": (
            RecordedEvent("a", 1_000_000, 2_000_000, "x"),
            RecordedEvent("a", 3_500_000, 4_000_000, "shake"),
        ),
        "b": (RecordedEvent("b", 0, 1_000_000, "turning"),),
    }


def test_light_and_touches_beside_a_motion_come_with_it(folder):
    beside = "walk_light.csv.gz,lux,31,light,\nwalk_touch.csv.gz,touch,50,touch,\n"
    put(folder, "index.csv", INDEX + beside)
    put(folder, "walk_light.csv.gz", f"{LIGHT_COLUMNS}\n0.01,29.14\n0.0425,0\n")
    put(folder, "walk_touch.csv.gz", f"{TOUCH_COLUMNS}\n0.02,1\n0.03,0\n")
    (recording,) = load_motion(folder)
    assert recording.light == ((10_000, 29.14), (42_500, 0.0))
    assert recording.touches == ((20_000, True), (30_000, False))
    put(folder, "index.csv", INDEX)
    (recording,) = load_motion(folder)
    assert (recording.light, recording.touches) == (None, None)


@pytest.mark.parametrize(
    ("light", "message"),
    [
        ("t_s,lx\n0,1\n", "line 1: columns are 't_s,lx'; it has 't_s,lux'"),
        ("t_s,lux\n0,1,2\n", "line 2: '0,1,2' is not two numbers from 0 up; write t_s,lux there"),
        ("t_s,lux\n0,1\n1,nan\n", "line 3: '1,nan' is not two numbers"),
        ("t_s,lux\n0,-1\n", "line 2: '0,-1' is not two numbers"),
        ("t_s,lux\n1,1\n0.5,1\n", "line 3: time runs back; sort the lines by it"),
    ],
)
def test_light_that_makes_no_sense_is_refused_in_one_line(folder, light, message):
    put(folder, "index.csv", INDEX + "walk_light.csv.gz,lux,31,light,\n")
    put(folder, "walk_light.csv.gz", light)
    with pytest.raises(RecordingError) as raised:
        list(load_motion(folder))
    assert f"walk_light.csv.gz, {message}" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("file,label,rate_hz\n", r"index.csv, line 1: no column 'use'; it needs file,label"),
        ("", r"index.csv, line 1: no column 'file'"),
        ("file,label,rate_hz,use\n", r"lists no recording; add a line for each file"),
        ("file,label,rate_hz,use\na,b,fast,c\n", r"line 2: rate_hz is 'fast'; write a number"),
        ("file,label,rate_hz,use\na,b,nan,c\n", r"line 2: rate_hz is 'nan'; write a number"),
        ("file,label,rate_hz,use\na,b,0,c\n", r"line 2: rate_hz must be above 0, not 0"),
        ("file,label,rate_hz,use\na,b,1\n", r"line 2: the header has 4 columns"),
        ("file,label,rate_hz,use\na,b,1,c,d\n", r"line 2: the header has 4 columns"),
        ("file,label,rate_hz,use\na,,1,c\n", r"line 2: no label; say what was recorded"),
        ("file,label,rate_hz,use\n../a,b,1,c\n", r"line 2: '../a' is no file name"),
        ("file,label,rate_hz,use\na,b,1,c\na,b,1,c\n", r"line 3: a is listed twice; remove"),
        ('file,label,rate_hz,use\na,"b,1,c\n', r"line 2: unexpected end of data; mend the"),
    ],
)
def test_a_bad_index_is_one_clear_line(tmp_path, index, message):
    put(tmp_path, "index.csv", index)
    with pytest.raises(RecordingError, match=message) as raised:
        load_index(tmp_path)
    assert "\n" not in str(raised.value)


def test_a_missing_folder_or_index_is_said(tmp_path):
    with pytest.raises(RecordingError, match="nowhere: no such folder; give the folder"):
        load_index(tmp_path / "nowhere")
    with pytest.raises(RecordingError, match=r"index\.csv: not found; a folder of recordings"):
        load_index(tmp_path)


@pytest.mark.parametrize("times", ["2,1", "-1,1", "x,1"])
def test_an_event_that_is_no_interval_is_refused(folder, times):
    put(folder, "events.csv", f"file,start_s,end_s,label\na,0,1,b\na,{times},shake\n")
    with pytest.raises(RecordingError, match=r"events\.csv, line 3: start_s "):
        load_events(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "walk.csv.gz, line 1: empty; a recording begins with 't_s,ax"),
        (
            f"{MOTION_COLUMNS}\n" + "".join(f"{t},0,0,1\n" for t in range(5)),
            "measures 1 m/s² at rest",
        ),
        (f"{MOTION_COLUMNS}\n", "walk.csv.gz: it has no samples"),
        (f"{MOTION_COLUMNS}\n0,0,0,9.8\n0.1,0,0\n", "line 3: it needs t, x, y, z as numbers"),
        (f"{MOTION_COLUMNS}\n0,0,0,9.8\n0.1,0,0,up\n", "line 3: it needs t, x, y, z as numbers"),
        (f"{MOTION_COLUMNS}\n0,0,nan,9.8\n", "line 2: it needs t, x, y, z as numbers"),
        (f"{MOTION_COLUMNS}\n1e300,0,0,9.8\n", "sample 1, .* is not s and three of m/s²"),
        (f"{MOTION_COLUMNS}\n0,0,1e300,9.8\n", "sample 1, .* is not s and three of m/s²"),
        (f"{MOTION_COLUMNS}\n0,0,0,9\n0.2,0,0,9\n0.2,0,0,9\n", "sample 3: time goes from 0.2 s to"),
        (f"{MOTION_COLUMNS}\n-1,0,0,9\n", "sample 1: time goes from .* it starts at 0 or later"),
    ],
)
def test_a_bad_recording_names_file_and_line(folder, text, message):
    put(folder, "walk.csv.gz", text)
    for read in (lambda: load_recording(folder, WALK), lambda: list(load_motion(folder))):
        with pytest.raises(RecordingError, match=message) as raised:
            read()
        assert "\n" not in str(raised.value)


def test_what_is_no_whole_gzip_text_is_refused(folder):
    path = folder / "walk.csv.gz"
    for data, message in (
        (MOTION.encode(), "not a whole gzip file; compress the CSV again"),
        (gzip.compress(MOTION.encode(), mtime=0)[:-12], "not a whole gzip file"),
        (gzip.compress(b"\xff\xfe" * 9, mtime=0), "not text; a recording is a gzip CSV"),
    ):
        path.write_bytes(data)
        with pytest.raises(RecordingError, match=message):
            load_recording(folder, WALK)
    path.unlink()
    with pytest.raises(RecordingError, match=r"not found, though index\.csv lists it"):
        load_recording(folder, WALK)
    path.mkdir()
    with pytest.raises(RecordingError, match="cannot be read"):
        load_recording(folder, WALK)


def test_acceleration_lies_on_the_line_between_samples():
    one = clip((100, 0.0), (200, 10.0), (600, -10.0))
    assert one.acceleration(125) == (2.5, 5.0, -2.5)
    assert one.acceleration(200) == (10.0, 20.0, -10.0)
    assert one.acceleration(500) == (-5.0, -10.0, 5.0)
