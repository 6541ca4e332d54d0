"""The same firmware on a real Linux kernel: user-mode Linux, its devices served by this machine.

``make kernel`` builds the kernel (``build.sh``), boots it and runs what is in ``__main__``.

- ``vhost``: an I2C controller for it: virtio device 34 over the vhost-user protocol.
- ``machine``: one kernel as a process of this one: booted, cut, its serial lines.
- ``world``: what stands behind its devices: a simulated board, the air, and a hand.
- ``inside/``: what runs in it: the first process, the pins, the adapter.
"""
