"""Names of players: what one is, which two are too much alike, and where one may be cut.

Every door asks `name_of`: pages, settings, links, records. All of them take the names that it
returns, and a frame has room for each.
"""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum, unique
from functools import lru_cache

NAME_BYTES = 16
"""The most bytes of a name in UTF-8: a frame of the lobby has so many for it (PROTOCOL.md)."""
JOINER, NON_JOINER = "\u200d", "\u200c"
"""Between two emoji: both are one picture. Between letters either one decides their shapes."""
EMOJI_STYLE = "\ufe0f"
"""After a symbol: it is shown as an emoji."""
TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""After an emoji of a person: the colour of the skin."""

_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_LATE_JAMO = range(0x1160, 0x1200)
_BOUND = "\u0e33\u0eb3"
"""Thai and Lao vowels that are drawn over the letter before, and are letters (UAX 29, table 1c)."""
_VIRAMA = 9
"""The combining class of signs that join two consonants to one."""
_JOINED_BEFORE, _JOINED_AFTER = (
    frozenset(
        chr(int(parts[1], 16))
        for parts in map(str.split, map(unicodedata.decomposition, map(chr, range(0xFB50, 0xFF00))))
        if parts[:1] == [form] and len(parts) == 2
    )
    for form in ("<final>", "<initial>")
)
"""Letters of Arabic scripts that join the letter before, and those that join the one after."""
_NEVER_INKED = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Letters, symbols and marks that show nothing: fillers, blanks, and variant selectors."""
_LOOKS = {
    ord(other): letter
    for letter, others in {
        "a": "ɑαа", "b": "ƅьβв", "c": "ᴄϲсⲥ", "d": "ԁ", "e": "εеҽ", "f": "ϝք", "g": "ɡցԍ",
        "h": "һհηн", "i": "ıɪɩιіӏ", "j": "ϳјյ", "k": "κкĸ", "l": "ǀⅼ|", "m": "μмϻ", "n": "ոռνп",
        "o": "ᴏοσоօჿ0", "p": "ρр", "q": "ԛգզ", "r": "гᴦʀ", "s": "ꜱѕտ", "t": "τтᴛ", "u": "ᴜʋυս",
        "v": "ᴠѵ", "w": "ɯᴡѡԝա", "x": "χхꭓ", "y": "ɣʏγуүყ", "z": "ᴢζ", "3": "зʒӡ", "6": "б",
        "ى": "یي", "ك": "ک", "ه": "ہھە", "": "ـ",
    }.items()
    for other in others
} | str.maketrans(
    "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "abcdeghjklmprstvwyzabcdefghijklmnoprstuvwxyz"
)  # fmt: skip
"""Small letters that look like a Latin one, or whose capitals do: those of Latin, Greek, Cyrillic
and Armenian in Unicode's confusables.txt (UTS 39), and ``п``, in which many see an ``n``. Also
letters of Cherokee and Lisu that look like a Latin capital, and twins of Arabic scripts."""
_UPRIGHT = "I1|ΙІӀ"
"""Signs that look like a small l, or stand for an i. A small i does not look like an l."""


@unique
class NameFault(StrEnum):
    """Why a text is no name."""

    EMPTY = "empty"
    """There is nothing to see."""
    HIDDEN = "hidden"
    """A part of it cannot be seen, or has nothing to stand on."""
    LONG = "long"
    """It has more than `NAME_BYTES`."""
    UNTIDY = "untidy"
    """It is not as `name_of` returns it."""
    ALIKE = "alike"
    """Somebody at the table is called so, or it looks so."""


class BadNameError(ValueError):
    """A text is no name; the message is one line that says what to write.

    Attributes:
        fault: why.
        fits: what would do instead: as `fitting` cuts it, or tidied; empty for nothing.
    """

    def __init__(self, name: str, fault: NameFault, fits: str = "", other: str = "") -> None:
        short = f"{fits!r} fits" if fits else "take something shorter"
        why = {
            NameFault.EMPTY: "there is nothing to see: write letters, digits or an emoji",
            NameFault.HIDDEN: "a part of it cannot be seen: write it anew, in letters that show",
            NameFault.LONG: f"too long: {len(name.encode(errors='replace'))} bytes in UTF-8, and "
            f"{NAME_BYTES} fit: {short}",
            NameFault.UNTIDY: f"letters in parts, or spare spaces: write {fits!r}",
            NameFault.ALIKE: f"it looks like {other!r}: write another one",
        }[fault]
        told = _shown(name, plain=fault in (NameFault.HIDDEN, NameFault.UNTIDY))
        super().__init__(f"name {told}: {why}")
        self.fault = fault
        self.fits = fits


def name_of(typed: str) -> str:
    """Return a typed name as it is kept: composed (NFC), one space between words.

    Raises:
        BadNameError: it is none.
    """
    fault = _fault_of(name := tidied(typed))
    if fault is not None:
        raise BadNameError(name, fault, fitting(name) if fault is NameFault.LONG else "")
    return name


@lru_cache(maxsize=512)
def check_name(name: str) -> None:
    """Raise BadNameError unless this is a name as `name_of` returns it."""
    if (known := name_of(name)) != name:
        raise BadNameError(name, NameFault.UNTIDY, known)


def tidied(typed: str) -> str:
    """Return a text composed (NFC), with one space between its words; it may be no name."""
    return unicodedata.normalize("NFC", " ".join(typed.split()))


def fitting(name: str) -> str:
    """Return as many whole words of a name as fit a frame, or letters if not even one does.

    Empty if its first letter, or its first picture, is too long.
    """
    kept = beginning(name, NAME_BYTES)
    is_cut = name[len(kept) : len(kept) + 1] not in ("", " ")
    return (kept.rpartition(" ")[0] if is_cut else kept) or kept


def beginning(name: str, room: int) -> str:
    """Return as many letters of a name, each whole, as fit so many bytes; empty for none."""
    kept = ""
    for cluster in clusters(name):
        if len((kept + cluster).encode(errors="replace")) > room:
            break
        kept += cluster
    return kept.rstrip()


@lru_cache(maxsize=512)
def clusters(text: str) -> tuple[str, ...]:
    """Split a text into what its reader takes for one letter or picture (UAX 29)."""
    found: list[str] = []
    for character in text:
        if found and _goes_on(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return tuple(found)


def are_alike(one: str, other: str) -> bool:
    """Return whether two names are one to a reader: by case, by signs, or by other alphabets."""
    return not _looks(one).isdisjoint(_looks(other))


def check_alike(name: str, others: Iterable[str]) -> None:
    """Raise BadNameError if a name is like one of ``others``."""
    for other in others:
        if are_alike(name, other):
            raise BadNameError(name, NameFault.ALIKE, other=other)


def is_readable(name: str) -> bool:
    """Return whether a name has a visible letter, digit or symbol, and only spaces are invisible.

    Accents need a letter before them. Three invisible characters are allowed where they change what
    is seen: the joiner and the sign for emoji style in emoji, and joiner and non-joiner between
    letters, as of IDNA (RFC 5892, appendices A.1 and A.2).
    """
    if name.isascii():
        return name.isprintable() and not name.isspace() and name != ""
    seen, before = False, ""
    for place, character in enumerate(name):
        kind = unicodedata.category(character)
        if character in (JOINER, NON_JOINER):
            is_sound = _joins(name[:place], character, name[place + 1 : place + 2])
        elif character == EMOJI_STYLE or character in TONES:
            is_sound = before == "So"
        elif kind[0] == "M":
            is_sound = before != "" and character not in _NEVER_INKED
        else:
            is_sound = character not in _NEVER_INKED and character.isprintable()
            seen, before = seen or character != " ", kind.replace("Zs", "")
        if not is_sound:
            return False
    return seen


@lru_cache(maxsize=512)
def _fault_of(name: str) -> NameFault | None:
    if not name or name.isspace():
        return NameFault.EMPTY
    if not is_readable(name):
        return NameFault.HIDDEN
    return NameFault.LONG if len(name.encode()) > NAME_BYTES else None


def _joins(before: str, sign: str, after: str) -> bool:
    """Return whether a joiner or a non-joiner changes how its neighbours look."""
    last = before[-1:]
    if last and after and unicodedata.combining(last) == _VIRAMA:
        return unicodedata.category(after) == "Lo"
    if sign == JOINER:
        drawn = before.rstrip("".join((EMOJI_STYLE, *TONES)))[-1:]
        return {unicodedata.category(each or " ") for each in (drawn, after)} == {"So"}
    letter = next((each for each in reversed(before) if not unicodedata.combining(each)), "")
    return letter in _JOINED_AFTER and after in _JOINED_BEFORE


def _goes_on(cluster: str, character: str) -> bool:
    """Return whether a character belongs to the cluster before it."""
    last, code, kind = cluster[-1], ord(character), unicodedata.category(character)
    if code in _FLAG_LETTERS:
        return len(cluster) == 1 and ord(last) in _FLAG_LETTERS
    bound = unicodedata.combining(cluster.rstrip(JOINER)[-1:] or " ") == _VIRAMA
    joined = (kind == "So" and last == JOINER) or (kind == "Lo" and bound)
    added = kind[0] == "M" or character in {JOINER, NON_JOINER, *TONES, *_BOUND}
    return added or joined or code in _LATE_JAMO


@lru_cache(maxsize=512)
def _looks(name: str) -> frozenset[str]:
    """Return forms of a name: it is like another one that shares one of them."""
    plain = unicodedata.normalize("NFKC", name)
    read = (plain, *(plain.translate(dict.fromkeys(map(ord, _UPRIGHT), as_)) for as_ in "li"))
    return frozenset(map(_skeleton, read))


def _drawn(cluster: str) -> str:
    """Return a letter in parts, with the accents by which a panel tells it from others."""
    letter = unicodedata.normalize("NFC", cluster)[0]
    parts = unicodedata.normalize("NFD", letter)
    if parts[0] >= "\u0600":
        return unicodedata.normalize("NFD", cluster)
    return parts if letter < "\u0180" or "\u0370" <= letter < "\u0460" else parts[0]


def _skeleton(name: str) -> str:
    small = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.casefold()).casefold())
    letters = "".join(map(_drawn, clusters(small)))
    latin = letters.translate(_LOOKS).replace("rn", "m").replace("vv", "w")
    shown = "".join(each for each in latin if unicodedata.category(each)[0] not in "PZC")
    return shown.replace(EMOJI_STYLE, "") or latin


def _shown(name: str, *, plain: bool) -> str:
    """Return a name for a message, cut if it is very long. ``plain``: in ASCII, with numbers."""
    told = ascii(name) if plain else repr(name)
    return told if len(told) <= 80 else f"{told[:79]}…"
