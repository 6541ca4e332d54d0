"""The case as code: sizes, bodies inside, printed shells, checks that can fail, light, pictures.

May import: hardware.parts, manifold3d, numpy. Axes are the accelerometer's: x to the right, y to
the far edge, z out of the display; the origin is the middle of the near edge, at the bottom. All
lengths are in mm. Begin with ``sizes``, then ``shells``.
"""
