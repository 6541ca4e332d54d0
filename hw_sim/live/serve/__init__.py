"""The sender of the built site to browsers of this network, and the way to a broker behind it.

May import: live.site, live.web, air.local_broker; firmware.
Begin with ``site_server``.
"""
