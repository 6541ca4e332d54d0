"""Frozen matches: nobody can change one, and the rules write the next one on a copy.

Each family lists the fields of its matches as a position, a dataclass with slots. Its match is a
position that is ``Frozen``. ``draft`` copies a position, so a move names only its changes.
``apply`` freezes the draft after the move. The match before never changes.
"""

from dataclasses import FrozenInstanceError, fields
from typing import Any, Self, TypeVar

P = TypeVar("P")


def drafted(kind: type[P]) -> type[P]:
    """Give a dataclass a ``draft`` that copies all its fields; for a decorator.

    The copy is written out, as ``dataclass`` writes its methods: a loop takes four times as long.
    """
    copies = "".join(f"\n after.{field.name} = self.{field.name}" for field in fields(kind))  # type: ignore[arg-type]
    space: dict[str, Any] = {"new": object.__new__, "kind": kind}
    exec(f"def draft(self):\n after = new(kind){copies}\n return after", space)
    kind.draft = space["draft"]  # type: ignore[attr-defined]
    return kind


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
