"""The links of a lobby to the room of its digits, at one broker or at two."""

from collections.abc import Callable, Collection

from firmware.effects.effects import Room
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.session import Session
from firmware.table.protocol.invitations import InvitationKind, head_of


class LobbyLinks:
    """The links to a room at the relay's broker, and outside, where others come without a phone.

    Args:
        code: of the room.
        session: at the relay's broker; not started.
        outside: likewise at the other one; None: there is none.
        receive: gets every frame of the room.
    """

    def __init__(
        self,
        code: str,
        session: Session,
        outside: Session | None,
        receive: Callable[[bytes], None],
    ) -> None:
        self._inside = BrokerLink(session, receive)
        self._outside = None if outside is None else BrokerLink(outside, receive)
        self._all = [self._inside] if self._outside is None else [self._inside, self._outside]
        for link in self._all:
            link.listen_at(Room(code))

    async def start(self) -> None:
        """Begin to connect."""
        for link in self._all:
            await link.start()

    def abandon(self) -> None:
        """Leave the room."""
        for link in self._all:
            link.abandon()

    def send(
        self,
        device: bytes | None,
        frame: bytes,
        here: Collection[bytes],
        people: Collection[bytes],
    ) -> None:
        """Send a frame of the host; outside goes only what is of use to handhelds there.

        That is the notice of the table. Names go there once one of them has come.

        Args:
            device: whom it is for; None for everybody.
            frame: a clear one.
            here: the devices that hear it inside.
            people: the devices of all who have come.
        """
        self._inside.send(device, frame)
        if self._outside is None or device in here:
            return
        is_notice = head_of(frame).kind is InvitationKind.TABLE
        if device is not None or is_notice or not set(people) <= set(here):
            self._outside.send(device, frame)
