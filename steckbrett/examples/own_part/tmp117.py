"""A TMP117 thermometer, as far as one program needs it."""

from steckbrett import Field, Register, RegisterPart

CYCLE_US = 1_000_000


class TMP117(RegisterPart):
    name = "TMP117"
    address = 0x48
    width = 2  # bytes of a register
    increments = False
    worlds = ("temperature",)  # what a test can set
    registers = (
        Register(0x00, "result", "r", reset=0x8000),
        Register(0x01, "setup", reset=0x0220, fields=(Field("ready", 13, 13),)),
        Register(0x0F, "identity", "r", reset=0x0117),
    )
    temperature = staticmethod(lambda t_us: 25.0)

    def advance(self, t_us):
        """Let happen what is due by ``t_us``."""
        if t_us >= CYCLE_US and not self.field("ready"):
            self.values[0x00] = round(self.temperature(t_us) * 128) & 0xFFFF
            self.set_field("ready", 1)

    def loaded(self, at, t_us):
        """Return what a read of register ``at`` gives."""
        if at == 0x00 and not self.field("ready"):
            self.tear(t_us, "result read before it was ready")
        return self.values[at]
