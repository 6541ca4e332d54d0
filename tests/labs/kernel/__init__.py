"""A match on a real Linux kernel: user-mode Linux, its devices served by this machine.

``make kernel`` builds the kernel (``build.sh``), boots it for each handheld and plays one match.

- ``vhost``: an I2C controller for it: virtio device 34 over the vhost-user protocol.
- ``machine``: one kernel, and the board behind its devices.
- ``player``: who reads a board's panel and moves the board.
- ``inside/``: what runs in it: the first process, and what drives its adapter.
"""
