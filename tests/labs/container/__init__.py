"""A handheld set up on the real system: ``sudo make container``.

Debian Trixie, as Raspberry Pi OS is built on it, is made once in the git-ignored folder
``.container``. Every test boots it anew, with systemd and without a network, over a layer of its
own, and nothing that happens in there is seen outside. It wants Linux, root, debootstrap and
systemd-nspawn, and says in one line what is missing.

Stood in for is only what Debian does not have of a Pi: its first user, the group of its pins,
``config.txt``, the unit that brings bluetoothd back, and the package ``python3-rpi-lgpio``, of
which there is the name alone. There is no board: no bus, no pins, no adapter.
"""
