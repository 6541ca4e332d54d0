"""The files from which a phone loads a handheld of its own: a part of the built site."""

import asyncio
import gzip
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from aiohttp import web

NAMES: Final = (
    *("own_worker.js", "noble.js", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("app.zip", "library.zip"),
)
"""The files of the site that are one handheld. The first names the release, and is asked for anew;
the others are asked for in a folder of that name, and kept by browsers for good."""
_KINDS: Final = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'"
)
"""A worker has the policy that it came with: this one alone may compile."""


class OwnFiles:
    """Answers with files of a folder, packed once.

    Args:
        folder: of the built site; None: there is none, and nothing is found.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._packed: dict[str, asyncio.Task[bytes]] = {}

    async def answer(self, request: web.Request) -> web.Response:
        """Answer with a file.

        Raises:
            HTTPNotFound: there is none of that name.
        """
        name = request.match_info["name"]
        if self._folder is None or name not in NAMES:
            raise web.HTTPNotFound(text="There is no handheld for phones here.\n")
        if name not in self._packed:
            packing = asyncio.to_thread(_packed, self._folder / name)
            self._packed[name] = asyncio.create_task(packing)
        body = await asyncio.shield(self._packed[name])
        kind = _KINDS.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        headers = {"Content-Encoding": "gzip", "Content-Security-Policy": _POLICY}
        if name != NAMES[0]:
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return web.Response(body=body, content_type=kind, headers=headers)


def _packed(path: Path) -> bytes:
    there = path.with_name(f"{path.name}.packed")
    return there.read_bytes() if there.exists() else gzip.compress(path.read_bytes(), 6, mtime=0)
