"""The table in the browser: a web server in real time around a table in virtual time."""
