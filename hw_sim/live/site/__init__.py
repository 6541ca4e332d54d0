"""The build of the site: a folder of static files in which a table runs in the browser.

May import: live.web for the pages' texts. Begin with ``build``.
"""
