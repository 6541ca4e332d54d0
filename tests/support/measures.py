"""The measures of many matches: latencies, traffic, speed; and the targets they must reach."""

from collections.abc import Iterable, Sequence

LOOK_TARGET_MS = 80.0
"""From the light that counts as lifted to the first dice on the panel, for LOOK_SHARE of looks."""
LOOK_SHARE = 0.95
HIDE_TARGET_MS = 200.0
"""From darkness to no dice on the panel, always."""


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def spread(values: Sequence[float], unit: str = "", digits: int = 1) -> str:
    """Median, 95th percentile and maximum in words."""
    if not values:
        return "none"
    p50, p95, most = quantile(values, 0.5), quantile(values, 0.95), max(values)
    return (
        f"median {p50:.{digits}f}{unit}, 95 % within {p95:.{digits}f}{unit}, "
        f"most {most:.{digits}f}{unit} (n = {len(values)})"
    )


class Summary:
    """Sums up matches, each as ``playing.numbers`` gives it."""

    def __init__(self, matches: Iterable[dict]) -> None:
        self.matches = sorted(matches, key=lambda match: (match["game"], match["seed"]))
        self.look_ms = self._all("look_us")
        self.hide_ms = self._all("hide_us")

    def _all(self, name: str) -> list[float]:
        return [us / 1000 for match in self.matches for us in match[name]]

    def _sum(self, name: str) -> float:
        return sum(match[name] for match in self.matches)

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(match["game"] for match in self.matches))

    def traffic(self, *games: str) -> float:
        """Return the bytes to the panels, as a share of one full frame for each picture.

        It is 0 without a match. A lit panel is written again in time, so the share may be more than
        1. ``games`` are the games to count; none means all.
        """
        played = [match for match in self.matches if not games or match["game"] in games]
        sent = sum(match["panel_bytes"] for match in played)
        return sent / max(1, sum(match["full_frame_bytes"] for match in played))

    @property
    def shortfalls(self) -> list[str]:
        """The targets that are missed, a line each."""
        missed = []
        if self.look_ms and quantile(self.look_ms, LOOK_SHARE) > LOOK_TARGET_MS:
            missed.append(f"light to dice within {LOOK_TARGET_MS:g} ms: {spread(self.look_ms)}")
        if max(self.hide_ms, default=0.0) > HIDE_TARGET_MS:
            missed.append(f"dark to no dice within {HIDE_TARGET_MS:g} ms: {spread(self.hide_ms)}")
        return missed

    def lines(self) -> list[str]:
        """The sums in words."""
        if not self.matches:
            return ["no match"]
        virtual_min = [match["virtual_s"] / 60 for match in self.matches]
        speeds = [match["virtual_s"] / match["wall_s"] for match in self.matches]
        return [
            f"matches            {len(self.matches)}, {self._sum('rounds')} rounds, "
            f"{self._sum('hops')} hops, {self._sum('faults')} faults",
            f"length             {spread(virtual_min, ' min')}",
            f"light to dice      {spread(self.look_ms, ' ms')}",
            f"dark to no dice    {spread(self.hide_ms, ' ms')}",
            "panel bytes        of full frames: "
            + ", ".join(f"{game} {self.traffic(game):.1%}" for game in self.games),
            f"virtual / wall     median {quantile(speeds, 0.5):.0f}, "
            f"least {min(speeds):.0f}, most {max(speeds):.0f}",
        ]
