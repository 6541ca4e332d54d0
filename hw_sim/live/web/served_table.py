"""The earlier name of `PagesTable`."""

from hw_sim.live.web.pages_table import PagesTable as ServedTable

__all__ = ["ServedTable"]
