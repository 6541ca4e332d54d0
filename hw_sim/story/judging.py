"""A judged match as lines of a terminal, as JSON, and as a picture."""

from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from firmware.display.text.words import Words, words
from game.actions import Action, Announce, Give, Keep, Say
from game.coach import Analysis, Judged
from game.coach.analysis import FREE, Unit
from game.record import to_plain
from game.spoken import Language, spoken

_DONE: Final[dict[str, Words]] = {
    "roll": Words("würfeln", "roll"),
    "look": Words("nachsehen", "peek"),
    "announce": Words("{what} ansagen", "announce {what}"),
    "say": Words("„{what}“ ansagen", 'say "{what}"'),
    "believe": Words("glauben", "believe"),
    "doubt": Words("zweifeln", "doubt"),
    "refuse": Words("ablehnen", "refuse"),
    "lift": Words("aufdecken", "lift"),
    "show_maexchen": Words("das Mäxchen zeigen", "show the Mäxchen"),
    "show_tower": Words("den Turm zeigen", "show the tower"),
    "give_in": Words("aufgeben", "give in"),
    "own_up": Words("zugeben", "own up"),
    "keep": Words("{what} weglegen", "keep {what}"),
    "stop": Words("aufhören", "stop"),
    "give": Words("geben", "give"),
    "end_match": Words("das Spiel beenden", "end the match"),
}
_UNITS: Final[dict[Unit, Words]] = {
    "chance": Words("Chance, nicht zu verlieren", "chance not to lose"),
    "penalties": Words("Strafen weniger als die anderen", "fewer penalties than the others"),
    "rounds": Words(
        "verlorene Runden weniger als die anderen", "rounds lost fewer than the others"
    ),
    "coasters": Words("Deckel, um die es in den Runden ging", "coasters that rounds were about"),
}
_HEADS: Final = (
    Words("Zeile", "line"),
    Words("Runde", "round"),
    Words("wer", "who"),
    Words("was", "what"),
    Words("wert", "worth"),
    Words("kostet", "costs"),
    Words("besser", "better"),
    Words("wert", "worth"),
)
_PARTS: Final[dict[str, Words]] = {
    "start": Words("Platz", "seat"),
    "luck": Words("Glück", "luck"),
    "skill": Words("Können", "skill"),
    "others": Words("andere", "others"),
    "table": Words("Tisch", "table"),
    "result": Words("Ergebnis", "result"),
}
_BLUFF: Final = Words("Bester Bluff", "Best bluff")
_DOUBT: Final = Words("Teuerster Zweifel", "Worst doubt")
_TURNING: Final = Words("Wendepunkt", "Turning point")
_NONE: Final = Words("keiner", "none")
_IN_ROUND: Final = Words(
    "Runde {round}, {name}: {what} ({worth})", "round {round}, {name}: {what} ({worth})"
)
_GAP: Final = Words(
    " Zu mehreren ist es genähert: die beste Antwort gewinnt höchstens {gap:.4f} Strafen je Runde.",
    " With more than two it is an approximation: the best answer gains at most {gap:.4f} penalties "
    "a round.",
)
_MODELS: Final = {
    "equilibrium": Words(
        "Maßstab: alle spielen das Gleichgewicht einer Runde.",
        "Measured by: all play the equilibrium of a round.",
    ),
    "round": Words(
        "Maßstab: alle spielen um das, was ihre Runde im Mittel bringt.",
        "Measured by: all play for what their round brings in the mean.",
    ),
    "match": Words(
        "Maßstab: alle spielen darum, das Spiel nicht zu verlieren.",
        "Measured by: all play for not losing the match.",
    ),
}
_NO_SCORE: Final = Words(" Der Spielstand zählt dabei nicht.", " The score does not count for it.")
_OPEN_END: Final = Words("Das Spiel ist nicht zu Ende.", "The match has not ended.")
_COUNT: Final = Words("in {unit}", "in {unit}")


def told(action: Action, language: Language) -> str:
    """Say what was done or could have been, in a few words."""
    what = ""
    if isinstance(action, Announce):
        what = spoken(action.value, language)
    elif isinstance(action, Say):
        what = action.words.replace("_", " ")
    elif isinstance(action, Keep):
        what = " ".join(map(str, (*action.aside, *("6→1",) * action.turned)))
    elif isinstance(action, Give) and action.to is None:
        what = "-"
    name = str(to_plain(action)["action"])
    return words(_DONE[name], language).format(what=what) if name in _DONE else name


class Told(NamedTuple):
    """A table in words: its heads, and its rows with as many cells."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def lines(self) -> list[str]:
        """Return it as lines of a terminal, a head and then each row."""
        cells = (self.head, *self.rows)
        widths = [max(map(len, column)) for column in zip(*cells)]
        return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def lines(analysis: Analysis, language: Language) -> list[str]:
    """Return every decision, everybody's account, and the three moments, line by line."""
    ended = [] if analysis.ended else [words(_OPEN_END, language), ""]
    return [
        model(analysis, language),
        unit(analysis, language),
        "",
        *decisions(analysis, language).lines(),
        "",
        *ended,
        *accounts(analysis, language).lines(),
        "",
        *moments(analysis, language),
    ]


def decisions(analysis: Analysis, language: Language) -> Told:
    """Return a row for each decision; what would have been better only where that is something."""
    rows = []
    for each in analysis.decisions:
        better: tuple[str, ...] = ("", "", "")
        if each.cost > FREE:
            best = _worth(each.chances[each.best], analysis.unit)
            better = _worth(each.cost, analysis.unit), told(each.best, language), best
        worth = _worth(each.chances[each.action], analysis.unit)
        name, done = analysis.players[each.seat], told(each.action, language)
        rows.append((str(each.line), str(each.round), name, done, worth, *better))
    return Told(tuple(words(head, language) for head in _HEADS), rows)


def accounts(analysis: Analysis, language: Language) -> Told:
    """Return a row for each player: what his result is made of."""
    rows = [
        (name, *(_worth(part, analysis.unit) for part in account))
        for name, account in zip(analysis.players, analysis.accounts)
    ]
    return Told(("", *(words(part, language) for part in _PARTS.values())), rows)


def unit(analysis: Analysis, language: Language) -> str:
    """Say what worths count."""
    return words(_COUNT, language).format(unit=words(_UNITS[analysis.unit], language))


def model(analysis: Analysis, language: Language) -> str:
    """Say by what the match was judged, and how far that is from the best play."""
    plays, gap, plays_for_score = analysis.model
    text = words(_MODELS[plays], language)
    if gap:
        text += words(_GAP, language).format(gap=gap)
    return text if plays_for_score else text + words(_NO_SCORE, language)


def moments(analysis: Analysis, language: Language) -> list[str]:
    """Return the best bluff, the worst doubt and the turning point, a line each."""
    bluff, doubt, turning = analysis.best_bluff, analysis.worst_doubt, analysis.turning
    found = (
        (_BLUFF, bluff, bluff.swing if bluff else 0.0),
        (_DOUBT, doubt, -doubt.cost if doubt else 0.0),
        (_TURNING, turning, turning.change if turning else 0.0),
    )
    said = []
    for head, moment, worth in found:
        text = words(_NONE, language)
        if moment is not None:
            text = words(_IN_ROUND, language).format(
                round=moment.round,
                name=analysis.players[moment.seat],
                what=told(moment.action, language),
                worth=f"{'+' if worth > 0 else ''}{_worth(worth, analysis.unit)}",
            )
        said.append(f"{words(head, language)}: {text}")
    return said


def _worth(worth: float, unit: Unit) -> str:
    worth += 0.0 if abs(worth) > FREE else -worth
    return f"{worth:.1%}" if unit == "chance" else f"{worth:.2f}"


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return all of it, actions as records have them."""
    plain = analysis._asdict() | {
        "players": list(analysis.players),
        "model": analysis.model._asdict(),
        "decisions": [_plain(each) for each in analysis.decisions],
        "accounts": [account._asdict() for account in analysis.accounts],
        "best_bluff": _line(analysis.best_bluff),
        "worst_doubt": _line(analysis.worst_doubt),
    }
    turning = analysis.turning
    plain["turning"] = turning and turning._asdict() | {"action": to_plain(turning.action)}
    return plain


def _line(judged: Judged | None) -> int | None:
    return None if judged is None else judged.line


def _plain(judged: Judged) -> dict[str, Any]:
    chances = [to_plain(way) | {"worth": worth} for way, worth in judged.chances.items()]
    return judged._asdict() | {
        "action": to_plain(judged.action),
        "chances": chances,
        "best": to_plain(judged.best),
    }


_WIDE, _ROW, _LEFT = 640, 56, 130
_COLOURS = {"luck": "#90a4ae", "skill": "#c62828", "others": "#2e7d32", "start": "#1565c0"}


def chart(analysis: Analysis, language: Language) -> Image.Image:
    """Draw everybody's seat, luck, skill and the others' decisions as bars from a middle line."""
    image = Image.new("RGB", (_WIDE, 70 + _ROW * len(analysis.accounts)), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(13)
    left = _LEFT
    for part, colour in _COLOURS.items():
        pen.rectangle((left, 14, left + 12, 26), fill=colour)
        pen.text((left + 18, 11), words(_PARTS[part], language), fill="black", font=font)
        left += 110
    pen.text((20, 38), words(_UNITS[analysis.unit], language), fill="black", font=font)
    worths = [getattr(each, part) for each in analysis.accounts for part in _COLOURS]
    most = max([1e-9, *map(abs, worths)])
    middle, half = (_LEFT + _WIDE - 70) // 2, (_WIDE - 70 - _LEFT) // 2
    for row, (name, account) in enumerate(zip(analysis.players, analysis.accounts)):
        top = 62 + _ROW * row
        pen.text((20, top + 14), name[:14], fill="black", font=font)
        for bar, (part, colour) in enumerate(_COLOURS.items()):
            long = round(half * getattr(account, part) / most)
            ends = sorted((middle, middle + long))
            pen.rectangle((ends[0], top + 11 * bar, ends[1], top + 11 * bar + 8), fill=colour)
        pen.text(
            (_WIDE - 60, top + 14), _worth(account.result, analysis.unit), fill="black", font=font
        )
    pen.line((middle, 60, middle, 62 + _ROW * len(analysis.accounts)), fill="black")
    return image
