"""Everything that the doctor can find wrong, and what to do about it, in both languages.

Whole because it is one table of texts.
"""

from enum import Enum
from typing import Final

from firmware.display.text.words import Words
from firmware.link.bluetooth.adapter import AdapterTrouble

_STRAPS: Final = Words(
    "SDO an GND und CS an 3,3 V legen, VCC prüfen.", "Tie SDO to GND and CS to 3.3 V, check VCC."
)
_LINES: Final = Words(
    "Ausschalten, Module einzeln abziehen, bis er frei ist; auf Kurzschluss prüfen.",
    "Switch off, unplug the modules one by one until it is free; look for a short.",
)


class Diagnosis(Enum):
    """What can be wrong: what it is, and what to do about it.

    Places in braces are filled from the finding. Whole because it is one table of texts.
    """

    def __init__(self, what: Words, do: Words) -> None:
        self.what = what
        self.do = do

    NOT_64_BIT = (
        Words("{machine} ist kein 64-Bit-System", "{machine} is no 64-bit system"),
        Words("Das 64-Bit-Pi-OS auf die Karte schreiben.", "Write the 64-bit Pi OS to the card."),
    )
    OLD_KERNEL = (
        Words("Kernel {found} ist älter als {needed}", "kernel {found} is older than {needed}"),
        Words("sudo apt full-upgrade, neu starten.", "sudo apt full-upgrade, then restart."),
    )
    OLD_PYTHON = (
        Words("Python {found} ist älter als {needed}", "Python {found} is older than {needed}"),
        Words("Pi OS ab Bookworm verwenden.", "Use Pi OS Bookworm or newer."),
    )
    PACKAGE_MISSING = (
        Words("{package} fehlt", "{package} is missing"),
        Words(
            "Neu einrichten: sudo install/setup-pi.",
            "Set the handheld up again: sudo install/setup-pi.",
        ),
    )
    PACKAGE_VERSION = (
        Words("{package} {found} statt {needed}", "{package} {found} instead of {needed}"),
        Words(
            "In der virtuellen Umgebung: pip install '{package}{needed}'.",
            "In the virtual environment: pip install '{package}{needed}'.",
        ),
    )
    TWO_GPIO_PACKAGES = (
        Words(
            "RPi.GPIO und rpi-lgpio sind beide da und überschreiben einander",
            "RPi.GPIO and rpi-lgpio are both there and overwrite each other",
        ),
        Words(
            "Beide entfernen, dann nur python3-rpi-lgpio aus apt einrichten.",
            "Remove both, then install only python3-rpi-lgpio from apt.",
        ),
    )
    NO_GPIO_PACKAGE = (
        Words("weder RPi.GPIO noch rpi-lgpio ist da", "neither RPi.GPIO nor rpi-lgpio is there"),
        Words(
            "sudo apt install python3-rpi-lgpio, Umgebung mit --system-site-packages anlegen.",
            "sudo apt install python3-rpi-lgpio, make the environment with --system-site-packages.",
        ),
    )
    GPIO_PACKAGE_FOR_PI_5 = (
        Words("RPi.GPIO läuft auf dem Pi 5 nicht", "RPi.GPIO does not run on a Pi 5"),
        Words(
            "RPi.GPIO entfernen und python3-rpi-lgpio aus apt einrichten.",
            "Remove RPi.GPIO and install python3-rpi-lgpio from apt.",
        ),
    )
    NOT_IN_GROUP = (
        Words("{user} ist nicht in {groups}", "{user} is not in {groups}"),
        Words(
            "sudo usermod -aG {groups} {user}, dann neu anmelden.",
            "sudo usermod -aG {groups} {user}, then log in again.",
        ),
    )
    SECRETS_OPEN = (
        Words("jeder darf in {paths} lesen", "anybody may look into {paths}"),
        Words("sudo chmod o= {paths}.", "sudo chmod o= {paths}."),
    )
    UNDER_VOLTAGE = (
        Words("die Spannung ist zu niedrig", "the supply voltage is too low"),
        Words(
            "Netzteil mit 5 V und 2,5 A und ein kurzes, dickes Kabel nehmen.",
            "Use a supply of 5 V and 2.5 A with a short, thick cable.",
        ),
    )
    NO_BUS = (
        Words("/dev/i2c-1 gibt es nicht", "there is no /dev/i2c-1"),
        Words(
            "dtparam=i2c_arm=on,i2c_arm_baudrate=400000 in config.txt, modprobe i2c-dev, "
            "neu starten.",
            "Put dtparam=i2c_arm=on,i2c_arm_baudrate=400000 into config.txt, modprobe i2c-dev, "
            "restart.",
        ),
    )
    BUS_REFUSED = (
        Words("kein Zugriff auf /dev/i2c-1", "no access to /dev/i2c-1"),
        Words(
            "sudo usermod -aG i2c $USER, dann neu anmelden.",
            "sudo usermod -aG i2c $USER, then log in again.",
        ),
    )
    BUS_STUCK = (
        Words(
            "SDA und SCL liegen fest, oder ihnen fehlen die Pull-ups",
            "SDA and SCL are held, or have no pull-ups",
        ),
        Words(
            "3,3 V an den Modulen prüfen. " + _LINES.de, "Check 3.3 V at the modules. " + _LINES.en
        ),
    )
    SDA_STUCK = (Words("SDA (Stift 3) liegt auf 0 V", "SDA (header 3) is held at 0 V"), _LINES)
    SCL_STUCK = (Words("SCL (Stift 5) liegt auf 0 V", "SCL (header 5) is held at 0 V"), _LINES)
    BUS_EMPTY = (
        Words("kein einziges Teil antwortet", "not one part answers"),
        Words(
            "3,3 V (Stift 1) und GND (Stift 6) prüfen; sind SDA und SCL vertauscht?",
            "Check 3.3 V (header 1) and GND (header 6); are SDA and SCL swapped?",
        ),
    )
    BUS_UNRELIABLE = (
        Words(
            "{failed} von {tried} Übertragungen gingen schief",
            "{failed} of {tried} transfers failed",
        ),
        Words(
            "Kurze Leitungen (20 cm), feste Stecker, GND zu jedem Modul.",
            "Use short wires (20 cm), firm plugs, and GND to every module.",
        ),
    )
    BUS_SLOW = (
        Words("{khz} kHz statt 400", "{khz} kHz instead of 400"),
        Words(
            "i2c_arm_baudrate=400000 in config.txt schreiben und neu starten.",
            "Write i2c_arm_baudrate=400000 into config.txt and restart.",
        ),
    )
    BUS_FOLLOWS_CORE = (
        Words(
            "{khz} kHz, obwohl 400 verlangt sind: er folgt dem Takt des Prozessors",
            "{khz} kHz where 400 were asked for: it follows the core clock",
        ),
        Words(
            "sudo install/setup-pi schreibt core_freq in config.txt; neu starten.",
            "sudo install/setup-pi writes core_freq into config.txt; restart.",
        ),
    )
    BUS_FAST = (
        Words("{khz} kHz, die Teile dürfen 400", "{khz} kHz, the parts take 400"),
        Words(
            "i2c_arm_baudrate=400000 in config.txt schreiben und neu starten.",
            "Write i2c_arm_baudrate=400000 into config.txt and restart.",
        ),
    )
    NO_ACCELEROMETER = (Words("keine Antwort an 0x53", "no answer at 0x53"), _STRAPS)
    ACCELEROMETER_STRAPPED = (
        Words("antwortet an 0x1D statt 0x53", "answers at 0x1D instead of 0x53"),
        _STRAPS,
    )
    WRONG_ACCELEROMETER = (
        Words(
            "an 0x53 antwortet ein anderer Chip (DEVID 0x{found:02X} statt 0xE5)",
            "another chip answers at 0x53 (DEVID 0x{found:02X} instead of 0xE5)",
        ),
        Words("Ein Modul mit ADXL345 oder ADXL343 nehmen.", "Use an ADXL345 or ADXL343 module."),
    )
    PARTS_SWAPPED = (
        Words(
            "die Teile an {one} und {other} sind vertauscht",
            "the parts at {one} and {other} are swapped",
        ),
        Words("Die Adressbrücken der Module prüfen.", "Check the address jumpers of the modules."),
    )
    NO_SAMPLES = (
        Words("{rate} Messwerte je Sekunde statt 100", "{rate} samples a second instead of 100"),
        Words("VCC prüfen und das Modul tauschen.", "Check VCC, and swap the module for another."),
    )
    NO_GRAVITY = (
        Words("misst {g} g in Ruhe statt 1", "measures {g} g at rest instead of 1"),
        Words(
            "Das Gerät ruhig hinlegen und noch einmal prüfen; sonst das Modul tauschen.",
            "Put the handheld down, look again; else swap the module.",
        ),
    )
    INTERRUPT_SILENT = (
        Words("INT1 rührt sich nicht", "INT1 does not move"),
        Words(
            "INT1 des Bewegungssensors mit BCM 17 (Stift 11) verbinden, nicht INT2.",
            "Connect the accelerometer's INT1 to BCM 17 (header 11), not INT2.",
        ),
    )
    INTERRUPT_STUCK = (
        Words("INT1 bleibt auf 3,3 V", "INT1 stays at 3.3 V"),
        Words(
            "BCM 17 (Stift 11) auf einen Kurzschluss nach 3,3 V prüfen.",
            "Look for a short from BCM 17 (header 11) to 3.3 V.",
        ),
    )
    NO_DISPLAY = (
        Words("keine Antwort an 0x3C", "no answer at 0x3C"),
        Words(
            "VCC, GND, SDA und SCL der Anzeige prüfen.", "Check VCC, GND, SDA and SCL of the panel."
        ),
    )
    DISPLAY_STRAPPED = (
        Words("antwortet an 0x3D statt 0x3C", "answers at 0x3D instead of 0x3C"),
        Words("Die Adressbrücke auf 0x78 setzen.", "Set the address jumper to 0x78."),
    )
    SH1106_DISPLAY = (
        Words("ein SH1106 statt eines SSD1306", "an SH1106 instead of an SSD1306"),
        Words(
            "Ein Modul mit SSD1306 oder SSD1315 nehmen; SH1106 sitzt meist in 1,3 Zoll.",
            "Use an SSD1306 or SSD1315 module; the SH1106 usually sits in 1.3 inch ones.",
        ),
    )
    NO_LIGHT_SENSOR = (
        Words("keine Antwort an 0x10", "no answer at 0x10"),
        Words(
            "VCC, GND, SDA und SCL des Lichtsensors prüfen.",
            "Check VCC, GND, SDA and SCL of the light sensor.",
        ),
    )
    WRONG_LIGHT_SENSOR = (
        Words(
            "an 0x10 antwortet ein anderer Chip (ID 0x{found:04X} statt 0x__81)",
            "another chip answers at 0x10 (id 0x{found:04X} instead of 0x__81)",
        ),
        Words("Ein Modul mit VEML7700 nehmen.", "Use a VEML7700 module."),
    )
    BH1750_LIGHT_SENSOR = (
        Words(
            "ein BH1750 an 0x{address:02X} statt eines VEML7700 an 0x10",
            "a BH1750 at 0x{address:02X} instead of a VEML7700 at 0x10",
        ),
        Words(
            'Besser ein VEML7700-Modul: der BH1750 merkt das Heben später. Sonst light = "bh1750" '
            "in die Einstellungen schreiben.",
            "Better use a VEML7700 module: the BH1750 notices a lift later. Else write light = "
            '"bh1750" into the settings.',
        ),
    )
    BH1750_STRAPPED = (
        Words("der BH1750 antwortet an 0x5C statt 0x23", "the BH1750 answers at 0x5C, not 0x23"),
        Words("ADDR an GND legen oder offen lassen.", "Tie ADDR to GND or leave it open."),
    )
    VEML7700_LIGHT_SENSOR = (
        Words(
            "ein VEML7700 an 0x10, aber die Einstellungen nennen einen BH1750",
            "a VEML7700 at 0x10, but the settings name a BH1750",
        ),
        Words(
            'light = "bh1750" aus den Einstellungen nehmen.',
            'Take light = "bh1750" out of the settings.',
        ),
    )
    NO_BH1750 = (
        Words("kein Lichtsensor an 0x23", "no light sensor at 0x23"),
        Words(
            "VCC, GND, SDA und SCL des BH1750 prüfen.", "Check VCC, GND, SDA and SCL of the BH1750."
        ),
    )
    TOO_DARK = (
        Words("nur {lux} lx: zu dunkel", "only {lux} lx: too dark"),
        Words(
            "Licht machen; ist die Öffnung des Sensors frei?",
            "Switch on a light; is the sensor's opening free?",
        ),
    )
    LIGHT_NEVER_CHANGES = (
        Words("bleibt bei {lux} lx, auch zugedeckt", "stays at {lux} lx, even covered"),
        Words(
            "Den Lichtsensor zudecken, nicht die Anzeige; sonst das Modul tauschen.",
            "Cover the light sensor, not the display; else swap the module.",
        ),
    )
    COVER_LEAKS = (
        Words(
            "zugedeckt noch {dark} lx von {open} lx", "covered it still sees {dark} lx of {open} lx"
        ),
        Words(
            "Die Öffnung kleiner machen (5 mm, Filzring) und den Daumen ganz darauf legen.",
            "Make the opening smaller (5 mm, felt ring), and close it with the whole thumb.",
        ),
    )
    COVER_LOOSE = (
        Words(
            "unter dem Daumen bleiben {share} % des Lichts: eine Lampe kann als Heben gelten",
            "{share} % of the light comes in under the thumb: a lamp can pass for a lift",
        ),
        Words(
            "Die Öffnung kleiner machen (5 mm, Filzring): 2 % sind gut.",
            "Make the opening smaller (5 mm, felt ring): 2 % is good.",
        ),
    )
    PINS_REFUSED = (
        Words("kein Zugriff ({error})", "no access ({error})"),
        Words(
            "sudo usermod -aG gpio $USER, dann neu anmelden.",
            "sudo usermod -aG gpio $USER, then log in again.",
        ),
    )
    PINS_BUSY = (
        Words("ein anderes Programm hält die Pins", "another program holds the pins"),
        Words(
            "Es beenden: sudo systemctl stop maexchen. gpioinfo sagt, wer es ist.",
            "End it: sudo systemctl stop maexchen. gpioinfo says who it is.",
        ),
    )
    EDGES_FAIL = (
        Words(
            "Flanken lassen sich nicht überwachen; die Pins werden abgefragt",
            "edges cannot be watched; the pins are polled",
        ),
        Words(
            "RPi.GPIO durch python3-rpi-lgpio ersetzen (Kernel ab 6.6).",
            "Replace RPi.GPIO by python3-rpi-lgpio (kernels from 6.6).",
        ),
    )
    TOUCH_STUCK = (
        Words("meldet ohne Finger eine Berührung", "reports a touch without a finger"),
        Words(
            "Finger weg, Brücken A und B offen lassen, BCM 22 (Stift 15) auf Kurzschluss prüfen.",
            "Take fingers off, leave pads A and B open, look for a short at BCM 22 (header 15).",
        ),
    )
    TOUCH_UNSTEADY = (
        Words(
            "{changes} Wechsel in {seconds} s ohne Finger",
            "{changes} changes in {seconds} s without a finger",
        ),
        Words(
            "GND und VCC prüfen, die Leitung kürzen, nichts Metallisches hinter das Feld.",
            "Check GND and VCC, shorten the wire, keep metal away from behind the pad.",
        ),
    )
    TOUCH_SILENT = (
        Words("meldet keine Berührung", "reports no touch"),
        Words(
            "OUT mit BCM 22 (Stift 15) verbinden, VCC und GND prüfen, Brücken A und B offen.",
            "Connect OUT to BCM 22 (header 15), check VCC and GND, leave pads A and B open.",
        ),
    )
    ADAPTER_MISSING = (AdapterTrouble.MISSING.what, AdapterTrouble.MISSING.do)
    ADAPTER_OWNED = (AdapterTrouble.OWNED.what, AdapterTrouble.OWNED.do)
    ADAPTER_REFUSED = (AdapterTrouble.REFUSED.what, AdapterTrouble.REFUSED.do)
    ADAPTER_BLOCKED = (AdapterTrouble.BLOCKED.what, AdapterTrouble.BLOCKED.do)
    ADAPTER_FAILING = (AdapterTrouble.FAILING.what, AdapterTrouble.FAILING.do)
    INFRARED_FAILS = (
        Words("nicht zu verwenden: {error}", "cannot be used: {error}"),
        Words(
            "Zeilen gpio-ir und pwm-ir-tx in config.txt (sudo install/setup-pi), neu starten.",
            "Lines gpio-ir and pwm-ir-tx in config.txt (sudo install/setup-pi), then restart.",
        ),
    )
    INFRARED_UNHEARD = (
        Words("das eigene Licht wird nicht gehört", "the own light is not heard"),
        Words(
            "LED richtig herum? Mit einer Handykamera ansehen; OUT an BCM 23 (Stift 16).",
            "Is the LED the right way round? Look at it with a phone's camera; OUT to BCM 23 "
            "(header 16).",
        ),
    )
    INFRARED_KERNEL = (
        Words(
            "das eigene Licht kommt nicht an; pwm-ir-tx von Linux {kernel} sendet falsch",
            "the own light does not come back; pwm-ir-tx of Linux {kernel} sends it wrongly",
        ),
        Words(
            'link = "bluetooth" in die Einstellungen; oder in config.txt dtoverlay=gpio-ir-tx,'
            "gpio_pin=18 statt pwm-ir-tx, neu starten.",
            'link = "bluetooth" in the settings; or in config.txt dtoverlay=gpio-ir-tx,'
            "gpio_pin=18 instead of pwm-ir-tx, restart.",
        ),
    )
    INFRARED_LOSSY = (
        Words("nur {heard} von {sent} Marken gehört", "only {heard} of {sent} marks heard"),
        Words(
            "100 Ω und 4,7 µF am Empfänger, 33 Ω an der LED prüfen; Fenster abwischen.",
            "Check 100 Ω and 4.7 µF at the receiver and 33 Ω at the LED; wipe the window.",
        ),
    )
    INFRARED_NOISE = (
        Words("{marks} fremde Marken in einer halben Sekunde", "{marks} marks that nobody sent"),
        Words(
            "Weg von Sonne, Leuchtstoff- und Energiesparlampen; 4,7 µF am Empfänger prüfen.",
            "Away from the sun and fluorescent lamps; check 4.7 µF at the receiver.",
        ),
    )
    INFRARED_JITTER = (
        Words(
            "Flanken schwanken um ±{jitter} µs ({histogram})",
            "edges jitter by ±{jitter} µs ({histogram})",
        ),
        Words(
            "Andere Programme beenden; wenn es bleibt, den Kernel wechseln (pwm-ir-tx).",
            "End other programs; if it stays, use another kernel (pwm-ir-tx).",
        ),
    )
