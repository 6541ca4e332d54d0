"""A judged match as lines of a terminal, and as JSON."""

from typing import Any, Final, NamedTuple

from firmware.display.text.language import Language, decimal, say
from game.actions import Action, Announce, Give, Keep, Say
from game.coach import Account, Analysis, Judged
from game.coach.analysis import FREE, WorthUnit
from game.record import to_plain

_PARTS: Final = ("start", "luck", "skill", "others", "table", "result")


def told(action: Action, language: Language) -> str:
    """Name an action, done or possible, in a few words."""
    what = ""
    if isinstance(action, Announce):
        what = str(action.value)
    elif isinstance(action, Say):
        what = action.words.replace("_", " ")
    elif isinstance(action, Keep):
        what = " ".join(map(str, (*action.aside, *("6→1",) * action.turned)))
    elif isinstance(action, Give) and action.to is None:
        what = "-"
    name = str(to_plain(action)["action"])
    return say(f"action.{name}", language, what=what)


_CAVEATS: Final = {
    "NO_SCORE": "judged.NO_SCORE",
    "BY_LOT": "judged.BY_LOT",
    "UNSOLVED": "judged.UNSOLVED",
}
_SIGNS: Final = frozenset(("", *"+-0123456789"))


class JudgedStory(NamedTuple):
    """A table in words: its heads, and its rows with as many cells."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def lines(self) -> list[str]:
        """Return it as lines of a terminal, a head and then each row."""
        cells = (self.head, *self.rows)
        widths = [max(map(len, column)) for column in zip(*cells)]
        numbers = [all(cell[:1] in _SIGNS for cell in column) for column in zip(*self.rows)]
        aligned = [
            [
                cell.rjust(width) if is_number else cell.ljust(width)
                for cell, width, is_number in zip(row, widths, numbers or widths)
            ]
            for row in cells
        ]
        return ["  ".join(row).rstrip() for row in aligned]


def lines(analysis: Analysis, language: Language) -> list[str]:
    """Return every decision, everybody's account, and the three moments, line by line."""
    ended = [] if analysis.ended else [say("judged.OPEN_END", language), ""]
    return [
        model(analysis, language),
        unit(analysis, language),
        "",
        *decisions(analysis, language).lines(),
        "",
        *ended,
        *accounts(analysis, language).lines(),
        *legend(analysis, language),
        "",
        *moments(analysis, language),
    ]


def decisions(analysis: Analysis, language: Language) -> JudgedStory:
    """Return a row for each decision, with a better action if there was one."""
    rows, nothing = [], _worth(0.0, analysis.unit, language)
    for each in analysis.decisions:
        better: tuple[str, ...] = ("", "", "")
        cost = _worth(each.cost, analysis.unit, language)
        if cost != nothing:
            best = _worth(each.chances[each.best], analysis.unit, language)
            better = cost, told(each.best, language), best
        worth = _worth(each.chances[each.action], analysis.unit, language)
        name, done = analysis.players[each.seat], told(each.action, language)
        rows.append((str(each.line), str(each.round), name, done, worth, *better))
    return JudgedStory(tuple(say("judged.HEADS", language).split()), rows)


def accounts(analysis: Analysis, language: Language) -> JudgedStory:
    """Return a row for each player: the parts of their result that are not 0 for all."""
    parts = parts_of(analysis)
    rows = [
        (name, *(part_told(account, part, analysis.unit, language) for part in parts))
        for name, account in zip(analysis.players, analysis.accounts)
    ]
    return JudgedStory(("", *(say(f"part.{part}.name", language) for part in parts)), rows)


def legend(analysis: Analysis, language: Language) -> list[str]:
    """Explain the parts of an account, a line each."""
    return [say(f"part.{part}.means", language) for part in parts_of(analysis)]


def unit(analysis: Analysis, language: Language) -> str:
    """Name the unit of worths."""
    return say(f"worth.{analysis.unit}.unit", language)


def model(analysis: Analysis, language: Language) -> str:
    """Name the play by which the match was judged, and its distance from the best play."""
    plays, gap, caveat = analysis.model
    texts = [say(f"model.{plays}", language)]
    if gap:
        least = decimal(f"{gap:.5f}".rstrip("0"), language)
        texts.append(say("judged.GAP", language, gap=least))
    if caveat is not None:
        texts.append(say(_CAVEATS[caveat], language))
    return " ".join(texts)


def moments(analysis: Analysis, language: Language) -> list[str]:
    """Return the highlights, a line each: decisions, and the turning point.

    Bluffs and doubts only where there are any in the game.
    """
    bluff, doubt, choice = analysis.best_bluff, analysis.worst_doubt, analysis.worst_choice
    found = [
        ("judged.BLUFF", bluff, bluff.swing if bluff else 0.0),
        ("judged.DOUBT", doubt, -doubt.cost if doubt else 0.0),
        ("judged.CHOICE", choice, -choice.cost if choice else 0.0),
    ]
    if analysis.model.plays != "equilibrium":
        found = found[2:]
    said, nothing = [], _worth(0.0, analysis.unit, language)
    for head, moment, worth in found:
        text = say("judged.NONE", language)
        if moment is not None and _worth(abs(worth), analysis.unit, language) != nothing:
            name, done = analysis.players[moment.seat], told(moment.action, language)
            done = say("judged.ACTOR", language, name=name, done=done)
            change = _change(worth, analysis.unit, language)
            text = say("judged.IN_ROUND", language, round=moment.round, done=done, worth=change)
        said.append(say("judged.MOMENT", language, head=say(head, language), text=text))
    turning = say("judged.TURNING", language)
    return [
        *said,
        say("judged.MOMENT", language, head=turning, text=_turning(analysis, language)),
    ]


def _turning(analysis: Analysis, language: Language) -> str:
    turning = analysis.turning
    if turning is None:
        return say("judged.NONE", language)
    done = told(turning.action, language)
    if turning.actor is not None:
        done = say("judged.ACTOR", language, name=analysis.players[turning.actor], done=done)
    change = _change(turning.change, analysis.unit, language)
    worth = f"{analysis.players[turning.seat]} {change}"
    return say("judged.IN_ROUND", language, round=turning.round, done=done, worth=worth)


def parts_of(analysis: Analysis) -> list[str]:
    """The parts of accounts that are something for somebody, and the result."""
    return [
        part
        for part in _PARTS
        if part == "result"
        or any(abs(getattr(account, part)) > FREE for account in analysis.accounts)
    ]


def part_told(account: Account, part: str, unit: WorthUnit, language: Language) -> str:
    worth = getattr(account, part)
    text = _worth(worth, unit, language)
    signed = part not in ("start", "result") and worth > 0 and text != _worth(0.0, unit, language)
    return f"+{text}" if signed else text


def _change(worth: float, unit: WorthUnit, language: Language) -> str:
    way = "fewer" if worth > 0 else "more"
    return say(f"worth.{unit}.{way}", language, worth=_worth(abs(worth), unit, language))


def _worth(worth: float, unit: WorthUnit, language: Language) -> str:
    text = f"{100 * worth:z.1f}%" if unit == "chance" else f"{worth:z.2f}"
    return decimal(text, language)


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return all of it, actions as records have them."""
    plain = analysis._asdict() | {
        "players": list(analysis.players),
        "model": analysis.model._asdict(),
        "decisions": [_plain(each) for each in analysis.decisions],
        "accounts": [account._asdict() for account in analysis.accounts],
        "best_bluff": _line(analysis.best_bluff),
        "worst_doubt": _line(analysis.worst_doubt),
        "worst_choice": _line(analysis.worst_choice),
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
