"""The build of the site: a folder of static files in which a table runs in the browser.

May import: live.web and panel; firmware.display, drivers and game.names, for pages and their texts.
Begin with ``build``.
`FIRST_VISIT_BYTES` in its tests limits a first visit, `LARGE_TABLES` in ``pack`` stay outside.
"""
