"""What carries frames between handhelds, whatever the medium: every link has this shape."""

from typing import Protocol

from firmware.effects.places import Place


class Link(Protocol):
    """Frames to and from other devices. Frames can be lost; the protocol above sends them again."""

    @property
    def is_heard_by_all(self) -> bool:
        """Whether what is sent to one device reaches all who are there."""

    async def start(self) -> None:
        """Switch on, and be reachable. Raises RadioError or InfraredError."""

    async def stop(self) -> None:
        """Drop frames that wait, close every connection and switch off."""

    def abandon(self) -> None:
        """Stop at once, without a frame or callback, as when the power is cut."""

    @property
    def is_well(self) -> bool:
        """Whether what carries the frames has answered within the last minute."""

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame, now or as soon as there is a way. Never waits.

        Args:
            device: six bytes, the device it is for; None: everybody near.
            frame: sealed, or a clear one of the lobby; 1 to MAX_FRAME bytes.

        Raises:
            ValueError: a frame of the wrong length, or a device that cannot be reached by it.
        """

    def reaches(self, device: bytes | None, frame: bytes) -> bool | None:
        """Whether there is a way now to a device, or to the seat that the frame names.

        False: one would have to be found first; None: nobody knows, who is in sight hears it.
        """

    def attend(self, place: Place | None) -> None:
        """Be reached at a place from now on; what is announced at another one ends.

        Tables that are announced near are received but at a `Chair`, and at None.
        """
