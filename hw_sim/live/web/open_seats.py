"""Claims on seats: a browser that sits down gets a token, and only its holder may play the seat."""

import json
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe

from hw_sim.live.web.private_files import replace_file


class OpenSeats:
    """The seats of people that are taken, kept in a file as digests of their tokens.

    Args:
        path: the file; it need not exist. One that cannot be understood counts as none.
        people: how many of the first seats are people's.
    """

    def __init__(self, path: Path, people: int) -> None:
        self._path = path
        self._people = people
        self._digests: dict[int, str] = {}
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            self._digests = {int(seat): str(digest) for seat, digest in kept.items()}
        except (OSError, ValueError, AttributeError, RecursionError):
            pass

    def free(self) -> list[int]:
        """Seats of people that nobody has."""
        return [seat for seat in range(self._people) if seat not in self._digests]

    def holds(self, seat: int, token: str | None) -> bool:
        """Whether this is the token of a seat; None never is."""
        known = self._digests.get(seat)
        return known is not None and token is not None and compare_digest(known, digest_of(token))

    def take(self, seat: int) -> str:
        """Take a free seat; returns its token, which is not kept here.

        Raises:
            ValueError: it is not free.
            OSError: it cannot be written down; then it is still free.
        """
        if seat not in self.free():
            raise ValueError(f"seat {seat} is not free")
        token = token_urlsafe(32)
        self._keep({**self._digests, seat: digest_of(token)})
        return token

    def leave(self, seat: int) -> None:
        """Free a seat.

        Raises:
            OSError: it cannot be written down; then it is still taken.
        """
        self._keep({other: digest for other, digest in self._digests.items() if other != seat})

    def _keep(self, digests: dict[int, str]) -> None:
        replace_file(self._path, json.dumps(digests))
        self._digests = digests


def digest_of(token: str) -> str:
    """Return the digest that is kept instead of a token."""
    return sha256(token.encode()).hexdigest()
