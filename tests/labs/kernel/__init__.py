"""The same firmware on a real Linux kernel: user-mode Linux, its devices served by this machine.

``make kernel`` builds the kernel (``build.sh``), boots it and runs what is in ``__main__``.

- ``vhost``: an I2C controller for it: virtio device 34 over the vhost-user protocol.
- ``world``: one kernel as a process of this one, and what stands behind its devices.
- ``compare``, ``care``, ``match``: what is done in it, and ``scenario`` what is compared.
- ``inside/``: what runs in it: the first process, and what drives its devices.
"""
