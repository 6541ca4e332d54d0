"""A recording as one picture over time: pins, traffic of each part, displays, offences (SVG)."""

from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from ..board.bus import Transfer
from . import drawn
from .recording import Frame, Recording, began_ns

WIDTH: Final = 1_200
"""The picture's width, in px; chosen."""
_LEFT, _RIGHT, _TOP = 170, 24, 70
_PIN_LANE, _PIN_HIGH = 34, 18
_BUS_LANE, _BUS_HIGH = 38, 12
_FRAME_SCALE = 1
_TEXT_LINE = 13
_OFFENCE_LINE = 18
_COLOURS: Final = {"refused": "#d43b4f", "torn": "#d98a1f", "unlisted": "#8a90a2"}
_STYLE: Final = """
text{font:12px system-ui,sans-serif;fill:#1f2430}.t{font-size:17px;font-weight:600}
.s{font-size:11px;fill:#6b7285}.g{stroke:#e8eaf0}.a{fill:#f7f8fb}.h{fill:#cfe8e6}
.p{fill:none;stroke:#117a74;stroke-width:1.4;stroke-linejoin:round}.w{fill:#3b6fd4}.r{fill:#2a9d6f}
.f{fill:#d43b4f}.l{stroke:#aeb4c4;stroke-dasharray:2 2}.m{font-family:ui-monospace,monospace;
font-size:9px;fill:#cfefff;white-space:pre}
"""


class _Scale(NamedTuple):
    """From µs to px."""

    began_us: int
    ends_us: int

    def x(self, t_us: float) -> float:
        share = (t_us - self.began_us) / max(1, self.ends_us - self.began_us)
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 2)

    @property
    def us_per_px(self) -> float:
        return (self.ends_us - self.began_us) / (WIDTH - _LEFT - _RIGHT)


def timeline(recording: Recording) -> str:
    """Return the picture as an SVG file, from the recording's beginning until now."""
    recording.look()
    board = recording.board
    scale = _Scale(recording.began_us, max(board.now_us(), recording.began_us + 1))
    body: list[str] = []
    y = _TOP
    for pin in _pins(recording):
        body += _pin_lane(recording, pin, scale, y)
        y += _PIN_LANE
    y += 6
    for address in sorted({transfer.address for transfer in recording.transfers}):
        body += _bus_lane(recording, address, scale, y)
        y += _BUS_LANE
    y += 6
    for name, frames in recording.frames.items():
        body += _frame_lane(name, frames, scale, y)
        y += _lane_height(frames)
    offences = sorted(board.counted(), key=lambda one: one.t_us)
    ends = y
    if offences:
        y += 14
    for one in offences:
        x, colour = scale.x(one.t_us), _COLOURS[one.kind]
        body.append(
            f'<path d="M{x} {_TOP - 14}V{ends}" stroke="{colour}" opacity=".55"/>'
            f'<circle cx="{x}" cy="{_TOP - 14}" r="4" fill="{colour}"><title>'
            f"{escape(str(one))}</title></circle>"
            f'<circle cx="{_LEFT - 8}" cy="{y - 4}" r="4" fill="{colour}"/>'
            f'<text x="{_LEFT - 18}" y="{y}" text-anchor="end">{one.kind}</text>'
            f'<text x="{_LEFT + 4}" y="{y}">{escape(str(one))}</text>'
        )
        y += _OFFENCE_LINE
    height = y + 16
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}"><style>{_STYLE}</style>'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text class="t" x="16" y="26">{escape(", ".join(board.parts) or "pins alone")}</text>'
        f'<text class="s" x="{WIDTH - _RIGHT}" y="26" text-anchor="end">{_summary(recording)}'
        "</text>",
        *_axis(scale, ends),
    ]
    return "\n".join([*head, *body, "</svg>\n"])


def _summary(recording: Recording) -> str:
    board = recording.board
    seconds = (board.now_us() - recording.began_us) / 1e6
    sent = sum(len(transfer.data) for transfer in recording.transfers)
    return f"{seconds:.2f} s · {len(recording.transfers):,} messages · {sent:,} bytes on the bus"


def _axis(scale: _Scale, ends: int) -> list[str]:
    span_s = (scale.ends_us - scale.began_us) / 1e6
    step_s = _step(span_s / 10)
    found = []
    first = -(-scale.began_us / 1e6 // step_s)
    for index in range(int(span_s / step_s) + 2):
        at_s = (first + index) * step_s
        if at_s * 1e6 > scale.ends_us:
            break
        x = scale.x(at_s * 1e6)
        label = f"{at_s:.6f}".rstrip("0").rstrip(".")
        found.append(
            f'<path class="g" d="M{x} {_TOP - 22}V{ends}"/>'
            f'<text class="s" x="{x}" y="{_TOP - 27}" text-anchor="middle">{label} s</text>'
        )
    return found


def _step(least_s: float) -> float:
    step_s = 1e-6
    while True:
        for factor in (1, 2, 5):
            if step_s * factor >= least_s:
                return step_s * factor
        step_s *= 10


def _label(name: str, more: str, y: float) -> str:
    low = f'<text class="s" x="16" y="{y + 14}">{escape(more)}</text>' if more else ""
    return f'<text x="16" y="{y}">{escape(name)}</text>{low}'


# ---- pins


def _pins(recording: Recording) -> list[int]:
    """Return the pins that changed or are wired, the bus's own left out."""
    moved = {change.pin for change in recording.changes}
    wired = {pin for pin in range(28) if recording.board.links.wired_to(pin)}
    return sorted((moved | wired) - {2, 3})


def _pin_lane(recording: Recording, pin: int, scale: _Scale, y: int) -> list[str]:
    low, high = y + 24, y + 24 - _PIN_HIGH
    changes = [change for change in recording.changes if change.pin == pin]
    if changes:
        level = 1 - changes[0].level
    else:
        level = recording.board.pins[pin].level
    path = [f"M{_LEFT} {high if level else low}"]
    filled: list[str] = []
    since, last_x = float(_LEFT), -1.0
    for change in changes:
        x = scale.x(change.t_us)
        if level and not change.level:
            filled.append(_high(since, x, high))
        elif change.level:
            since = x
        level = change.level
        if x - last_x < 0.3 and last_x >= 0:
            path[-1] = f"H{last_x}V{high}V{low}V{high if level else low}"
            continue
        path.append(f"H{x}V{high if level else low}")
        last_x = x
    path.append(f"H{WIDTH - _RIGHT}")
    if level:
        filled.append(_high(since, WIDTH - _RIGHT, high))
    rises = recording.board.pins[pin].rises
    return [
        f'<rect class="a" x="{_LEFT}" y="{y + 2}" width="{WIDTH - _LEFT - _RIGHT}"'
        f' height="{_PIN_LANE - 6}"/>',
        _label(f"GPIO {pin}", recording.wired(pin), y + 13),
        f'<path class="h" d="{"".join(_merged(filled))}"/>',
        f'<path class="p" d="{"".join(path)}"><title>GPIO {pin}: {rises} rises</title></path>',
    ]


def _high(left: float, right: float, top: float) -> str:
    return f"M{left} {top}H{right}v{_PIN_HIGH}H{left}z"


def _merged(filled: list[str]) -> list[str]:
    return filled if len(filled) < 2_000 else filled[:: len(filled) // 1_000]


# ---- bus


def _bus_lane(recording: Recording, address: int, scale: _Scale, y: int) -> list[str]:
    board = recording.board
    name = next((name for name, at in board.addresses.items() if at == address), "nobody")
    middle = y + 17
    found = [
        _label(name, f"0x{address:02X}", y + 13),
        f'<path class="g" d="M{_LEFT} {middle}H{WIDTH - _RIGHT}"/>',
    ]
    mine = [transfer for transfer in recording.transfers if transfer.address == address]
    bit_ns = board.bus.bit_ns
    for kind, top, chosen in (
        ("w", middle - _BUS_HIGH, [one for one in mine if not one.read and not one.failed]),
        ("r", middle + 1, [one for one in mine if one.read and not one.failed]),
        ("f", middle - _BUS_HIGH, [one for one in mine if one.failed]),
    ):
        high = 2 * _BUS_HIGH + 1 if kind == "f" else _BUS_HIGH
        for group in _groups(chosen, scale, bit_ns):
            left = scale.x(began_ns(group[0], bit_ns) / 1000)
            right = max(scale.x(group[-1].t_us), left + 0.8)
            found.append(
                f'<rect class="{kind}" x="{left}" y="{top}" width="{right - left:.2f}"'
                f' height="{high}"><title>{_told(group, kind)}</title></rect>'
            )
    return found


def _groups(transfers: Sequence[Transfer], scale: _Scale, bit_ns: int) -> Iterable[list[Transfer]]:
    """Gather transfers that no pixel lies between."""
    group: list[Transfer] = []
    for transfer in transfers:
        gap_us = began_ns(transfer, bit_ns) / 1000 - group[-1].t_us if group else 0
        if group and gap_us > scale.us_per_px:
            yield group
            group = []
        group.append(transfer)
    if group:
        yield group


def _told(group: Sequence[Transfer], kind: str) -> str:
    what = {"w": "write", "r": "read", "f": "failed"}[kind]
    at = f"{group[0].t_us / 1e6:.6f} s"
    if len(group) == 1:
        data = group[0].data
        more = " …" if len(data) > 24 else ""
        error = f" (errno {group[0].failed})" if group[0].failed else ""
        return f"{at}: {what}{error} {data[:24].hex(' ')}{more}"
    return f"{at}: {len(group)} × {what}, {sum(len(one.data) for one in group)} bytes"


# ---- displays


def _frame_lane(name: str, frames: Sequence[Frame], scale: _Scale, y: int) -> list[str]:
    found = [_label(name, f"{len(frames)} picture{'s' * (len(frames) != 1)}", y + 13)]
    free_x = float(_LEFT)
    for frame, right_x in _chosen(frames, scale):
        x = scale.x(frame.t_us)
        at = min(max(x - _thumb_width(frame) / 2, free_x), float(right_x))
        found.append(
            f'<path class="l" d="M{x} {y + 2}L{at + _thumb_width(frame) / 2:.2f} {y + 14}"/>'
            f"{_thumb(frame, at, y + 14)}"
        )
        free_x = at + _thumb_width(frame) + 6
    return found


def _chosen(frames: Sequence[Frame], scale: _Scale) -> list[tuple[Frame, float]]:
    """Choose as many frames as there is room for, spread over time; the last one is one of them."""
    if not frames:
        return []
    width = _thumb_width(frames[0]) + 6
    room = int((WIDTH - _LEFT - _RIGHT) // width)
    times = [frame.t_us for frame in frames]
    chosen: dict[int, Frame] = {}
    if len(frames) <= room:
        chosen = dict(enumerate(frames))
    else:
        for index in range(room):
            t_us = scale.began_us + (index + 0.5) * (scale.ends_us - scale.began_us) / room
            place = max(0, bisect_right(times, t_us) - 1)
            chosen[place] = frames[place]
        chosen[len(frames) - 1] = frames[-1]
        if len(chosen) > room:
            del chosen[sorted(chosen)[-2]]
    kept = [chosen[place] for place in sorted(chosen)]
    last_x = WIDTH - _RIGHT - width + 6
    return [(frame, last_x - (len(kept) - 1 - index) * width) for index, frame in enumerate(kept)]


def _thumb_width(frame: Frame) -> int:
    if isinstance(frame.rows[0], str):
        return len(frame.rows[0]) * 6 + 12
    return (len(frame.rows[0]) + 8) * _FRAME_SCALE


def _thumb_height(frame: Frame) -> int:
    if isinstance(frame.rows[0], str):
        return len(frame.rows) * _TEXT_LINE + 10
    return (len(frame.rows) + 8) * _FRAME_SCALE


def _lane_height(frames: Sequence[Frame]) -> int:
    return 26 + (_thumb_height(frames[0]) if frames else _TEXT_LINE)


def _thumb(frame: Frame, x: float, y: float) -> str:
    title = f"<title>{frame.t_us / 1e6:.3f} s</title>"
    rows: tuple[Any, ...] = frame.rows
    high = _thumb_height(frame)
    if isinstance(rows[0], str):
        lines = "".join(
            f'<text class="m" x="{x + 6:.2f}" y="{y + 14 + index * _TEXT_LINE}">{escape(row)}'
            "</text>"
            for index, row in enumerate(rows)
        )
        back = f'<rect x="{x:.2f}" y="{y}" width="{_thumb_width(frame)}" height="{high}" rx="3"'
        return f'<g>{title}{back} fill="#16324f"/>{lines}</g>'
    data = b64encode(drawn(rows, 2)).decode()
    return (
        f'<image x="{x:.2f}" y="{y}" width="{_thumb_width(frame)}" height="{high}"'
        f' href="data:image/png;base64,{data}">{title}</image>'
    )
