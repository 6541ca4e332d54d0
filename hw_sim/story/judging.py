"""A judged match as lines of a terminal, as JSON, and as a picture."""

from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from firmware.display.text.words import Words, words
from game.actions import Action, Announce, Give, Keep, Say
from game.coach import Account, Analysis, Judged
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
_HEAD: Final = Words("Z. Runde wer: was, Chance (beste)", "line round who: what, chance (best)")
_COST: Final = Words("kostet {cost}", "costs {cost}")
_BETTER: Final = Words("besser: {best} {chance}", "better: {best} {chance}")
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
_MODELS: Final = {
    "equilibrium": Words(
        "Maßstab: beide spielen das Gleichgewicht einer Runde.",
        "Measured by: both play the equilibrium of a round.",
    ),
    "neighbour": Words(
        "Maßstab: alle spielen gegen ihren Nachbarn das Gleichgewicht zu zweit. Zu mehreren ist es "
        "keines: die beste Antwort gewinnt bis zu {gap:.2f} Strafen je Runde.",
        "Measured by: all play the equilibrium of two against their neighbour. With more it is "
        "none: the best answer gains up to {gap:.2f} penalties a round.",
    ),
    "round": Words(
        "Maßstab: alle spielen um das, was ihre Runde im Mittel bringt.",
        "Measured by: all play for what their round brings in the mean.",
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


def lines(analysis: Analysis, language: Language) -> list[str]:
    """Return every decision, everybody's account, and the three moments, line by line."""
    said = [model(analysis, language)]
    said.append(words(_COUNT, language).format(unit=words(_UNITS[analysis.unit], language)))
    said += ["", words(_HEAD, language)]
    said += [_decision(analysis, each, language) for each in analysis.decisions]
    if not analysis.ended:
        said += ["", words(_OPEN_END, language)]
    heads = [words(part, language) for part in _PARTS.values()]
    width = max(map(len, analysis.players))
    said += ["", f"{'':{width}}  " + "  ".join(f"{head:>9}" for head in heads)]
    for name, account in zip(analysis.players, analysis.accounts):
        cells = (f"{_worth(each, analysis.unit):>9}" for each in account)
        said.append(f"{name:{width}}  " + "  ".join(cells))
    return [*said, "", *moments(analysis, language)]


def model(analysis: Analysis, language: Language) -> str:
    """Say by what the match was judged, and how far that is from the best play."""
    plays, gap, plays_for_score = analysis.model
    text = words(_MODELS[plays], language).format(gap=gap)
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


def _decision(analysis: Analysis, judged: Judged, language: Language) -> str:
    chance = _worth(judged.chances[judged.action], analysis.unit)
    text = (
        f"{judged.line:4} {judged.round:3}  {analysis.players[judged.seat]}: "
        f"{told(judged.action, language)}, {chance}"
    )
    if judged.cost <= FREE:
        return text
    cost = words(_COST, language).format(cost=_worth(judged.cost, analysis.unit))
    best = words(_BETTER, language).format(
        best=told(judged.best, language),
        chance=_worth(judged.chances[judged.best], analysis.unit),
    )
    return f"{text}; {cost}, {best}"


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
    accounts: tuple[Account, ...] = analysis.accounts
    image = Image.new("RGB", (_WIDE, 70 + _ROW * len(accounts)), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(13)
    left = _LEFT
    for part, colour in _COLOURS.items():
        pen.rectangle((left, 14, left + 12, 26), fill=colour)
        pen.text((left + 18, 11), words(_PARTS[part], language), fill="black", font=font)
        left += 110
    pen.text((20, 38), words(_UNITS[analysis.unit], language), fill="black", font=font)
    most = max([1e-9, *(abs(getattr(each, part)) for each in accounts for part in _COLOURS)])
    middle, half = (_LEFT + _WIDE - 70) // 2, (_WIDE - 70 - _LEFT) // 2
    for row, (name, account) in enumerate(zip(analysis.players, accounts)):
        top = 62 + _ROW * row
        pen.text((20, top + 14), name[:14], fill="black", font=font)
        for bar, (part, colour) in enumerate(_COLOURS.items()):
            long = round(half * getattr(account, part) / most)
            ends = sorted((middle, middle + long))
            pen.rectangle((ends[0], top + 11 * bar, ends[1], top + 11 * bar + 8), fill=colour)
        pen.text(
            (_WIDE - 60, top + 14), _worth(account.result, analysis.unit), fill="black", font=font
        )
    pen.line((middle, 60, middle, 62 + _ROW * len(accounts)), fill="black")
    return image
