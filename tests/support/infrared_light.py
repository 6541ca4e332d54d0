"""How long the light is on at a simulated table."""

MOST_A_HOP_S = 7.0
"""The light of three seats for each hop and the throw that comes before the first, on average."""


class LightWatch:
    """Sees all light at a table; ``light_us`` is how long transmissions took."""

    def __init__(self) -> None:
        self.light_us = 0

    def a_hop_s(self, hops: int) -> float:
        """For how long the light was on, for each hop and the turn before the first."""
        return self.light_us / 1e6 / (hops + 1)

    def watch(self, table) -> None:
        """Watch a table that does not run yet."""
        table.infrared.observers.append(self._sent)

    def _sent(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        _, _, lengths_us = sent
        self.light_us += sum(lengths_us)
