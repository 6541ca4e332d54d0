"""HTML pages of a watched table and of a league; names are text, never markup."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from urllib.parse import quote

from firmware.audience.rating import RatedMatch, standings
from firmware.audience.store import LeagueMatch
from firmware.audience.words import Teller
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.language import Language, say
from game.record import read, replay


def _file(name: str) -> str:
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")


STYLE = _file("style.css")
WATCH_SCRIPT = _file("watch.js")
_PAGE = _file("page.html")


def watch_page(language: Language) -> str:
    """Return the page of a watched table; its script fills it."""
    body = (
        f'<p id="standings" role="status">{escape(say("audience.WAITS", language))}</p>'
        '<ol id="told" role="log"></ol><script src="watch.js"></script>'
    )
    return _page(say("audience.WATCHED", language), body, language)


def league_page(
    results: Sequence[RatedMatch],
    matches: Sequence[LeagueMatch],
    game: str | None,
    language: Language,
) -> str:
    """Return the page of standings, of all games or of one, and the matches, newest first."""
    games = sorted({match.game for match in matches})
    links = [f'<a href=".">{escape(say("audience.ALL", language))}</a>']
    links += [f'<a href="?game={quote(each)}">{_game(each, language)}</a>' for each in games]
    rows = (
        (_player(each.player), f"{each.rating:.2f}", str(each.matches), str(each.lost))
        for each in standings(results)
    )
    title = say("audience.LEAGUE", language)
    if game is not None:
        title = f"{title}: {say(GAME_NAMES[game], language)}"
    body = (
        f"<p>{' · '.join(links)}</p>"
        f"<h2>{escape(say('audience.STANDINGS', language))}</h2>"
        f"{_table('audience.HEADS', rows, language)}"
        '<p><a href="export.csv">CSV</a></p>'
        f"<h2>{escape(say('audience.MATCHES', language))}</h2>"
        + _table(
            "audience.OF_MATCHES", (_match(each, language) for each in reversed(matches)), language
        )
    )
    return _page(title, body, language)


def player_page(name: str, results: Sequence[RatedMatch], language: Language) -> str | None:
    """Return the page of a player's matches and ratings, newest first; None without a match."""
    own = [each for each in results if each.player == name]
    if not own:
        return None
    rows = (
        (
            f'<a href="../match/{each.match.number}">{each.match.number}</a>',
            _time(each.match),
            _game(each.match.game, language),
            ", ".join(_player(other, "") for other in each.others),
            str(each.rank),
            f"{each.mu - 3 * each.sigma:.2f} ({each.mu:.1f} ± {each.sigma:.1f})",
        )
        for each in reversed(own)
    )
    return _page(
        name, _back(language) + _table("audience.HISTORY", rows, language), language, "../"
    )


def match_page(number: int, record: str, language: Language) -> str:
    """Return the page of a match, without covered dice, as its seats published it.

    Raises RecordError for an invalid record.
    """
    teller, told = Teller(language), list[str]()
    for step in replay(read(record)):
        told += teller.happened(step)
    items = "".join(f"<li>{escape(line)}</li>" for line in told)
    title = say("audience.MATCH", language, number=number)
    return _page(title, f'{_back(language)}<ol id="told">{items}</ol>', language, "../")


def _match(match: LeagueMatch, language: Language) -> tuple[str, ...]:
    ranks = " ".join(map(str, match.ranks or ())) or say("audience.UNRATED", language)
    apart = say("audience.APART", language) if match.apart else ""
    return (
        f'<a href="match/{match.number}">{match.number}</a>',
        _time(match),
        _game(match.game, language),
        ", ".join(map(_player, match.players)),
        escape(say("audience.DISPUTED", language) if match.disputed else apart or ranks),
    )


def _time(match: LeagueMatch) -> str:
    """When a match was taken in, to the minute."""
    return escape(match.at[:16].replace("T", " "))


def _game(game: str, language: Language) -> str:
    return escape(say(GAME_NAMES[game], language))


def _back(language: Language) -> str:
    """The way back to the league."""
    return f'<p><a href="..">{escape(say("audience.LEAGUE", language))}</a></p>'


def _player(name: str, folder: str = "player/") -> str:
    return f'<a href="{folder}{quote(name, safe="")}">{escape(name)}</a>'


def _table(heads: str, rows: Iterable[Sequence[str]], language: Language) -> str:
    """A table; ``heads`` is the key of its heads, its cells are HTML."""
    head = "".join(f"<th>{escape(each)}</th>" for each in say(heads, language).split())
    told = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    if not told:
        return f"<p>{escape(say('audience.NONE', language))}</p>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{told}</tbody></table>"


def _page(title: str, body: str, language: Language, root: str = "") -> str:
    return _PAGE.format(language=language, title=escape(title), body=body, root=root)
