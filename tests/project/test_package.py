"""The contents of the package, and the promises of the documents about it."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from steckbrett.parts.described import checked_against

from drivers.light_sensor import LIGHT_SENSORS
from drivers.panel import PANEL
from hw_sim.air import ControllerProfile
from hw_sim.board import GPIO
from tests.project.grain import ROOT, rooms
from tests.project.words import LIMITS, documents, tracked

README = (ROOT / "README.md").read_text(encoding="utf-8")
REFUSED = "refused: ADXL345 at 320 µs: write to reserved register 0x1C"
PACKAGES = {"game", "drivers", "firmware", "hw_sim"}
DEPENDENCIES = (
    "steckbrett smbus2 adafruit-circuitpython-ssd1306 adafruit-circuitpython-adxl34x"
    " cryptography msgspec reedsolo"
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_every_room_of_four_packages(wheel):
    held = {name.rpartition("/")[0] for name in wheel.namelist() if name.endswith("/__init__.py")}
    assert held == {room for room in rooms() if room.split("/")[0] in PACKAGES}
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES


@pytest.mark.whole
def test_the_wheel_imports_nothing_that_it_lacks(wheel, tmp_path):
    wheel.extractall(tmp_path)
    names = [str(Path(name).with_suffix("")) for name in wheel.namelist() if name.endswith(".py")]
    held = {name.removesuffix("/__init__").replace("/", ".") for name in names}
    lacking = {
        (name, node.module)
        for name in names
        for node in ast.walk(ast.parse((tmp_path / f"{name}.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module.split(".")[0] in {*PACKAGES, "research", "hardware"}
        and not held & {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    }
    assert lacking == set()


def test_the_wheel_holds_the_fonts_and_the_type_markers(wheel):
    wanted = {"firmware/display/oled/fonts/small.bdf", *(f"{each}/py.typed" for each in PACKAGES)}
    assert wanted <= {*wheel.namelist()}


def test_every_make_target_that_the_documents_name_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in documents():
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"`(?:[A-Z]+=\S+ )*make ([a-z-]+)", text))
        named |= set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE))
        assert named <= targets, f"{document} names {named - targets}"


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_a_room_that_is_not_there_is_one_line():
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    ran = subprocess.run(
        ["make", "test", "ROOM=firmware/plai"],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "no tests in tests/firmware/plai: name a room such as" in ran.stderr


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize("target", ["chromium", "firefox", "mosquitto", "sigrok", "container"])
def test_what_make_installs_in_the_system_is_named_before(tmp_path, target):
    makefile = re.sub(r"(?<=[ \[])/usr/sbin/mosquitto", "/nowhere", (ROOT / "Makefile").read_text())
    (tmp_path / "Makefile").write_text(makefile.replace("$(VENV)/.installed-dev", ""))
    (tmp_path / "tests").mkdir()
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "id", "which", "make"):
        (tools / name).symlink_to(shutil.which(name))
    for name, does in (
        ("apt-get", 'echo "called: $*" >&2; echo "called: $*"'),
        ("sudo", 'shift; "$@"'),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    environment = {"PATH": str(tools)}
    ran = subprocess.run(
        ["make", target], cwd=tmp_path, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    told, *called = ran.stdout.splitlines()
    assert re.match(r"for .+: (sudo -n )?apt-get install \S+", told)
    packages = told.partition("apt-get install ")[2]
    assert any(line.startswith("called: install") and packages in line for line in called)


def test_the_readme_is_short_and_shows_a_round_and_both_commands_first():
    lines = README.splitlines()
    assert len(lines) <= LIMITS["lines_of_the_readme"]
    assert any("(docs/round.gif)" in line for line in lines[:10])
    assert {"make play", "make test"} <= {line.partition("#")[0].rstrip() for line in lines[:40]}


def test_the_program_of_the_readme_runs_on_simulated_parts(tmp_path):
    (program,) = re.findall(r"(?s)```python\n(.*?)```", README)
    (command,) = re.findall(r"(?m)^\.venv/bin/python (.*) flat\.py$", README)
    path = tmp_path / "flat.py"
    for register, felt, told in ((b"0x2D", "z: 1.0 g", ""), (b"0x1C", "z: 0.0 g", REFUSED)):
        path.write_bytes(program.encode().replace(b"0x2D", register))
        command_line = [sys.executable, *command.split(), path]
        run = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=True)
        assert run.stdout == f"{felt}\n"
        assert told in run.stderr
    assert REFUSED in README


def test_the_index_links_every_document():
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / name).resolve() for name in re.findall(r"\]\(([^)#]+)\)", index)}
    for name in tracked():
        path = ROOT / name
        is_inside = name == "docs/index.md" or name.startswith(
            (".github/", "docs/decisions/", "firmware/display/oled/fonts/")
        )
        assert is_inside or path in linked, f"docs/index.md lacks {name}"


def test_the_copy_for_a_pi_leaves_out_what_only_this_machine_needs(tmp_path):
    """The command of docs/handheld.md itself, in a folder where everything has been used."""
    text = (ROOT / "docs/handheld.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"(?m)^tar -c.*?(?=  #|$)", text)
    folder = tmp_path / "maexchen"
    kept = {"README.md", "install/setup-pi", "wheels/a.whl", "firmware/git.py", ".gitignore"}
    left = {".venv/bin/python", ".git/config", ".kernel/vmlinux", ".container/pi/root/.venv/x"}
    for name in kept | left | {".mypy_cache/3.11/a.json", ".hypothesis/unicode_data/b"}:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    subprocess.run(command, shell=True, cwd=folder, check=True)
    with tarfile.open(tmp_path / "maexchen.tar") as archive:
        held = {member.name.removeprefix("./") for member in archive if member.isfile()}
    assert held == kept


def test_every_file_that_the_documents_name_exists():
    tops = "game|drivers|firmware|hw_sim|steckbrett|hardware|research|install|tests|docs"
    for document in documents():
        text = document.read_text(encoding="utf-8")
        for name in re.findall(rf"`((?:{tops})/[\w/.-]*)`", text):
            assert (ROOT / name).exists(), f"{document} names {name}"
        for name in re.findall(r"\]\(((?!http|#)[^) ]+)\)", text):
            assert (document.parent / name.split("#")[0]).exists(), f"{document} links {name}"


def test_both_commands_are_installed_and_say_what_they_do():
    for command in PROJECT["scripts"]:
        path = Path(sys.executable).with_name(command)
        helped = subprocess.run([path, "--help"], capture_output=True, text=True, check=True)
        assert command in helped.stdout


def test_the_dependencies_are_those_the_handheld_is_built_on():
    names = {re.split(r"[<>=~\[; ]", line)[0] for line in PROJECT["dependencies"]}
    assert names == set(DEPENDENCIES.split())
    (gpio,) = PROJECT["optional-dependencies"]["pi"]
    assert gpio.startswith("RPi.GPIO")
    assert "aarch64" in gpio


def test_every_model_of_the_simulator_says_what_it_was_checked_against():
    text = (ROOT / "docs/LIMITS.md").read_text(encoding="utf-8")
    table = text.partition("## What each model was checked against")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    parts = (ROOT / "steckbrett/src/steckbrett/parts").glob("*.py")
    parts = {path.stem.upper() for path in parts if re.fullmatch(r"[a-z]+\d+", path.stem)}
    # The others are in PARTS.md alone.
    fitted = {"ADXL345", "SSD1306", "SH1106", "TTP223", PANEL.kind.upper()}
    fitted |= {part.name for part in LIGHT_SENSORS.values()}
    profiles = {f"`{name}`" for name in (*get_args(GPIO), *get_args(ControllerProfile))}
    others = {"I2C bus", "PWM", "Bluetooth air", "infrared air"}
    assert [model for model, *_ in rows] == list(dict.fromkeys(model for model, *_ in rows))
    modules = {part: import_module(f"steckbrett.parts.{part.lower()}") for part in parts}
    told = {part for part, module in modules.items() if checked_against(module.__doc__ or "")}
    assert parts == told
    assert {model for model, *_ in rows} == fitted | profiles | others
    assert all(checked.strip() and missing.strip() for _, checked, missing in rows)
