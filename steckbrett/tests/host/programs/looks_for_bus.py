"""A program that looks for the bus in every way that Python has."""

import glob
import os
import stat
from pathlib import Path

FOUND = (
    glob.glob("/dev/i2c*"),
    glob.glob("/dev/i2c-1"),
    [name.decode() for name in glob.glob(b"/dev/i2c-*")],
    [f"/dev/{name}" for name in os.listdir("/dev") if name.startswith("i2c-")],
    [entry.path for entry in os.scandir("/dev") if entry.name.startswith("i2c-")],
    [os.fspath(path) for path in Path("/dev").glob("i2c-*") if path.is_char_device()],
    [os.fspath(path) for path in Path("/dev").iterdir() if path.name.startswith("i2c-")],
    [os.path.join("/dev", name) for name in next(os.walk("/dev"))[2] if name.startswith("i2c-")],
)
for number, found in enumerate(FOUND):
    print(number, found)
is_device = stat.S_ISCHR(os.lstat("/dev/i2c-1").st_mode) and os.path.lexists("/dev/i2c-1")
(zone,) = glob.glob("/sys/class/thermal/thermal_zone0")
with os.scandir(zone) as entries:
    names = [entry.name for entry in entries if entry.is_file() and entry.name == "temp"]
warm = int(Path(zone, "temp").read_text(encoding="ascii")) / 1000
print(is_device, hex(os.path.isdir(zone)), round(warm, 1), names)
