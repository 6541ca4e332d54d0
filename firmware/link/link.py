"""The interface of everything that carries frames between handhelds."""

from typing import Protocol

from firmware.effects.places import Place


class Link(Protocol):
    """Sends and receives frames. Frames can be lost; the protocol above sends them again."""

    @property
    def is_broadcast(self) -> bool:
        """Whether a frame to one device reaches all."""

    async def start(self) -> None:
        """Switch on, and be reachable. Raises RadioError or InfraredError."""

    async def stop(self) -> None:
        """Drop waiting frames, close every connection and switch off."""

    def abandon(self) -> None:
        """Stop at once, without a frame or callback, as at a power cut."""

    @property
    def is_well(self) -> bool:
        """Whether the medium has answered within the last minute."""

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame, now or as soon as there is a way. Never waits.

        Args:
            device: six bytes, the receiver; None: all neighbours.
            frame: sealed, or a clear one of the lobby; 1 to MAX_FRAME bytes.

        Raises:
            ValueError: a frame of the wrong length, or an unreachable device.
        """

    def reaches(self, device: bytes | None, frame: bytes) -> bool | None:
        """Return whether there is a way to a device, or to the seat that the frame names.

        False: the link would have to search first. None: unknown, every handheld in sight receives
        it.
        """

    def listen_at(self, place: Place | None) -> None:
        """Take a place from now on; announcements at another one end.

        Announcements of neighbours are received, except at a `TableAddress` and at None.
        """
