"""The measured strengths as a page, as a table of a terminal, and as a picture."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from research.strength.measure import IN_MATCHES, SEATS, SPELLS, Estimate, Strength

_TOP = (files(__package__) / "opening.txt").read_text(encoding="utf-8")
"""The page before its first table."""
NOTHING = 1e-12
"""A smaller gain in matches or penalties is rounding; chosen."""
WIDE, ROW, LEFT = 640, 18, 120
"""The picture's width, a row's height and where bars begin, in px; chosen."""
_INK, _PAPER, _BAR, _WHISKER = (20, 20, 20), (255, 255, 255), (90, 130, 180), (180, 60, 40)


def page(strengths: Sequence[Strength]) -> str:
    """The whole page, in Markdown."""
    return "\n".join((_TOP, *map(_section, strengths)))


def _section(strength: Strength) -> str:
    parts = [f"## `{strength.game}`\n"]
    if strength.exploitable:
        parts.append(_rows(("bot", "exploitable"), _exploitable(strength)))
        kinds = list(strength.matrix)
    if len(strength.matrix) > 1:
        rows = [(kind, *(_cell(strength, kind, k) for k in kinds)) for kind in kinds]
        parts.append(_rows(("gains against", *kinds), rows))
    if strength.gaps:
        gaps = [f"{max(gap, 0.0):.1e}" if gap > NOTHING else "0" for gap in strength.gaps.values()]
        parts.append(_rows(("players", *strength.gaps), [("best response gains", *gaps)]))
    if strength.over_matches:
        gains = [_of_match(gain) for gain in strength.over_matches.values()]
        left = [str(IN_MATCHES[int(players)]) for players in strength.over_matches]
        rows = [("with one match left", *left), ("best response gains", *gains)]
        parts.append(_rows(("players, over a match", *strength.over_matches), rows))
    if strength.hunted:
        hunted = [(kind, *map(_gain, shares)) for kind, shares in strength.hunted.items()]
        spells = (f"by the shark in {spell} rounds" for spell in SPELLS)
        parts.append(_rows(("gained from", "by the expert", *spells), hunted))
    for name, offers in strength.odds.items():
        parts.append(_offers(name, offers))
    parts.append(_rows(("bot", "loses a match of four"), _tournament(strength)))
    return "\n".join(parts)


def _offers(name: str, offers: Mapping[str, Any]) -> str:
    throws = [f"{n} throw{'s' * (n != '1')}" for n in offers["means"]]
    rows = [("mean", *(f"{mean:.3f}" for mean in offers["means"].values()))]
    for kind, chances in offers["kinds"].items():
        rows.append((kind, *(f"{chance:.2%}" for chance in chances.values())))
    told = _rows((f"offered, {name}", *throws), rows)
    leads = offers.get("leads")
    if not leads:
        return told
    covered = offers.get("leads_covered")
    name = "leader loses, third throws open" if covered else "leader loses"
    lost = [(name, *(f"{chance:.2%}" for chance in leads.values()))]
    if covered:
        told_of = (f"{covered[n]:.2%}" if n in covered else "not solved" for n in leads)
        lost.append(("leader loses, third throws covered", *told_of))
    return told + "\n" + _rows(("players", *leads), lost)


def table(strength: Strength) -> str:
    """The same for a terminal: one line for each bot."""
    lines = [f"{strength.game}: bot, exploitable a round, matches of {SEATS} lost"]
    for kind, share in strength.tournament.items():
        loses = strength.exploitable.get(kind)
        told = "-" if loses is None else f"{loses + 0.0:.4f}"
        lines.append(f"  {_short(kind):10} {told:>8}   {share.mean:6.1%} ± {share.half:.1%}")
    for players, gap in strength.gaps.items():
        lines.append(f"  among {players} a best response gains {max(gap, 0.0):.1e} a round")
    for players, gain in strength.over_matches.items():
        left = f"of whom {IN_MATCHES[int(players)]} have one match left"
        lines.append(f"  among {players}, {left}, it gains {_of_match(gain)} over a match")
    for name, offers in strength.odds.items():
        for row in _offers(name, offers).splitlines():
            first, *cells = row.strip("| ").split(" | ")
            if first.strip("-"):
                lines.append(f"  {first:20}" + "".join(f"{cell:>10}" for cell in cells))
    return "\n".join(lines)


def _short(kind: str) -> str:
    """A bot's name without the folders of its file."""
    return kind.rsplit("/", 1)[-1]


def _exploitable(strength: Strength) -> list[tuple[str, str]]:
    ranked = sorted(strength.exploitable.items(), key=lambda each: each[1])
    return [(kind, f"{max(loses, 0.0):.4f}") for kind, loses in ranked]


def _cell(strength: Strength, kind: str, other: str) -> str:
    return "" if kind == other else f"{strength.matrix[kind][other]:+.3f}"


def _of_match(gain: float) -> str:
    return f"{100 * max(gain, 0.0):.2g}%"


def _gain(share: Estimate) -> str:
    return f"{share.mean:+.3f} ± {share.half:.3f}"


def _tournament(strength: Strength) -> list[tuple[str, str]]:
    ranked = sorted(strength.tournament.items(), key=lambda each: each[1].mean)
    return [(kind, f"{share.mean:.1%} ± {share.half:.1%}") for kind, share in ranked]


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def picture(strengths: Sequence[Strength]) -> Image.Image:
    """Bars of how often each bot lost a match of four, with their intervals, game by game."""
    high = sum(ROW * (len(each.tournament) + 2) for each in strengths) + ROW
    image = Image.new("RGB", (WIDE, high), _PAPER)
    draw, font, y = ImageDraw.Draw(image), ImageFont.load_default(12), ROW // 2
    scale = WIDE - LEFT - ROW
    for strength in strengths:
        draw.text((ROW // 2, y), f"{strength.game}: matches of four lost", _INK, font)
        y += ROW
        fair = LEFT + scale // SEATS
        last = y + ROW * len(strength.tournament)
        for kind, share in sorted(strength.tournament.items(), key=lambda each: each[1].mean):
            middle, end = y + ROW // 2, LEFT + round(scale * share.mean)
            draw.text((ROW, y + 2), _short(kind), _INK, font)
            draw.rectangle((LEFT, y + 3, end, y + ROW - 3), _BAR)
            reach = round(scale * share.half)
            draw.line((max(LEFT, end - reach), middle, end + reach, middle), _WHISKER, 2)
            y += ROW
        draw.line((fair, last - ROW * len(strength.tournament), fair, last), _INK)
        y += ROW
    return image
