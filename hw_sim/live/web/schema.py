"""The messages between a page and the table as a JSON Schema (2020-12), for others' clients.

``python -m hw_sim.live.web.schema`` prints it; ``make schema`` writes ``docs/pages.schema.json``.
"""

import json
from typing import Any, Final

import msgspec

from hw_sim.live.web.incoming import AnyIncoming
from hw_sim.live.web.outgoing import AnyOutgoing

_END: Final = (r"\\Z", "$")
"""The end of a text, as Python and as ECMA-262 write it."""


def schema() -> dict[str, Any]:
    """Return the schema of messages from a page (``message``) and to a page (``news``)."""
    (message, news), parts = msgspec.json.schema_components(
        (AnyIncoming, AnyOutgoing), ref_template="#/$defs/{name}"
    )
    parts_json = json.dumps({**parts, "message": message, "news": news}).replace(*_END)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages between a page and the table",
        "$defs": json.loads(parts_json),
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))
