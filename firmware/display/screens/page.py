"""What every page can be asked, whichever it is."""


class Page:
    """A page of the panel."""

    __slots__ = ()

    @property
    def concerns_player(self) -> bool:
        """Whether it wants its player's attention, and wakes the display."""
        return True

    @property
    def ends_match(self) -> bool:
        """Whether it tells how the match ended."""
        return False
