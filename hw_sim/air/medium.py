"""The interface of a controller to the air around it."""

from typing import Any

from bumble.link import LocalLink


class Medium(LocalLink):  # type: ignore[misc]  # bumble has no type information
    """bumble's link bus, and six calls more: those that a simulated controller makes of the air.

    A controller passes itself first. Addresses are bumble's. Controllers are kept in the order of
    their making; bumble keeps a set of them, whose order hangs on addresses in memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.controllers: list[Any] = []

    def add_controller(self, controller: Any) -> None:
        """Add a controller to the air; this is bumble's ``LocalLink``."""
        self.controllers.append(controller)

    def remove_controller(self, controller: Any) -> None:
        """Remove a controller from the air; its links are not ended by that."""
        self.controllers.remove(controller)

    def controllers_of(self, seat: int) -> list[Any]:
        """The controllers of a seat: one, or none where it is switched off."""
        return [known for known in self.controllers if known.seat == seat]

    def advertised(self, advertiser: Any) -> None:
        """Let everybody who looks for this advertiser find it: it has just started."""
        raise NotImplementedError

    def listen(self, listener: Any) -> None:
        """Report every advertiser in range to a controller, again and again while it scans."""
        raise NotImplementedError

    def seek(self, initiator: Any) -> None:
        """Let an initiator find the advertiser it waits for, if both are there, after a while."""
        raise NotImplementedError

    def stop_seeking(self, initiator: Any) -> None:
        """Call off what `seek` arranged."""
        raise NotImplementedError

    def disconnect(self, controller: Any, peer_address: Any, reason: int) -> bool:
        """End a link at its next connection event, on both sides; False if there is none.

        The controller drops all packets that it has not sent yet. ``reason`` is HCI's.
        """
        raise NotImplementedError

    def fall_silent(self, controller: Any) -> None:
        """Cut all links of a controller that has been reset or switched off."""
        raise NotImplementedError
