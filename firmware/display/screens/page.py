"""The properties that every page has."""


class Page:
    """A page of the panel."""

    __slots__ = ()

    @property
    def concerns_player(self) -> bool:
        """Whether the page wants its player's attention, and wakes the display."""
        return True

    @property
    def ends_match(self) -> bool:
        """Whether the page shows how the match ended."""
        return False
