"""Frozen matches: nobody can change one, and the rules write the next one on a copy.

Each family lists the fields of its matches as a position, a dataclass with slots. Its match is a
position that is ``Frozen``. ``draft`` copies a position, so a move names only its changes.
``apply`` freezes the draft after the move. The match before never changes.
"""

from dataclasses import FrozenInstanceError, fields
from typing import Any, Self, TypeVar


class Frozen:
    """A position that nobody can write on any more; compared and hashed by its fields."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"a match is moved by apply alone: {name} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a match is moved by apply alone: {name} stays as it is")

    def __reduce__(self) -> tuple[object, ...]:
        return freeze, (self.draft(), type(self))

    def draft(self) -> Any:
        """Return a copy that is not frozen."""
        raise NotImplementedError

    def replace(self, **changes: object) -> Self:
        """Return a copy that differs in these fields."""
        after = self.draft()
        for name, value in changes.items():
            setattr(after, name, value)
        return freeze(after, type(self))


F = TypeVar("F", bound=Frozen)


def freeze(draft: Any, kind: type[F]) -> F:
    """Return the draft itself, frozen: from now on it is a ``kind``."""
    draft.__class__ = kind
    return draft  # type: ignore[no-any-return]


K = TypeVar("K", bound=type)


def drafting(kind: K) -> K:
    """Give a position its method ``draft``, which returns a copy that is no match.

    It is written out field by field, as a dataclass writes its ``__init__``: a loop over the fields
    makes ``apply`` half as slow again.
    """
    copies = "".join(f"    after.{each.name} = self.{each.name}\n" for each in fields(kind))
    made: dict[str, Any] = {"new": object.__new__, "kind": kind}
    exec(f"def draft(self):\n    after = new(kind)\n{copies}    return after\n", made)
    position: Any = kind
    position.draft = made["draft"]
    return kind
