"""Three faces that a guest alone is shown: with them another phone takes the guest's place."""

from collections.abc import Sequence
from secrets import choice
from typing import Annotated, Final

from msgspec import Meta

from hw_sim.live.web.faces import DRAWN
from hw_sim.live.web.seating import digest_of

COUNT: Final = 3
MOST_WRONG: Final = 20
"""The most wrong faces for a guest, all evening: they find the right ones once in 86 evenings."""
MOST_WRONG_HERE: Final = 5
"""Those of them that one address may try."""
ReturnFaces = Annotated[list[str], Meta(min_length=COUNT, max_length=COUNT)]


def drawn_faces() -> list[str]:
    """Return three faces by chance, in their order: one of 1,728 ways."""
    return [choice(DRAWN) for _ in range(COUNT)]


def digest_of_faces(faces: Sequence[str]) -> str:
    """Return the digest that is kept; whoever reads the file can find the faces by trying."""
    return digest_of(" ".join(faces))
