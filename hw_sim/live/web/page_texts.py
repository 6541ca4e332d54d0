"""The pages' own texts as a script, made from the language files."""

import json

from firmware.display.oled.font import known_letters
from firmware.display.text.language import LANGUAGES, book, name_of, section
from game.names import NAME_BYTES


def texts_script() -> bytes:
    """Return ``texts.js``: every language's name, counts of the singular, and texts by name.

    Besides, it has the most bytes of a name, and the letters of the display.
    """
    languages = {
        language: {
            "name": name_of(language),
            "one": sorted(book(language).singular),
            "texts": section("page", language),
            "screen": section("screen", language),
            "values": section("value", language),
            "words": section("Words", language),
        }
        for language in LANGUAGES
    }
    script = f"export const LANGUAGES = {json.dumps(languages, ensure_ascii=False)};\n"
    letters = json.dumps(known_letters(), ensure_ascii=False)
    script += f"export const NAME_BYTES = {NAME_BYTES}, DISPLAY_LETTERS = {letters};\n"
    return script.encode()
