"""Keep the state of the device: its clock, clipboard, files, settings and apps."""

from datetime import datetime

import msgspec

from benchloom.device.everyday import Everyday
from benchloom.device.items import Content, Dictionary, File, plain
from benchloom.worlds.everyday import NOW

DETAILS: Dictionary = {
    "OS": "iOS",
    "Device Name": "Phone",
    "Device Model": "iPhone",
    "Device Type": "iPhone",
    "Device Hostname": "phone.local",
    "System Version": "18.0",
    "Screen Width": 393,
    "Screen Height": 852,
    "Current Volume": 0.5,
    "Current Brightness": 0.5,
    "Current Appearance": "Light",
}
"""A mapping from the app's names for details of the device to their values."""


class Effect(msgspec.Struct, frozen=True):
    """A change that a step of a shortcut makes to the device, or data that it would send out."""

    step: int
    kind: str
    details: dict[str, object]


class Device:
    """The state that a shortcut reads and changes; the clock does not advance."""

    def __init__(self, now: str | None = None, clipboard: Content = ()) -> None:
        self.now = datetime.fromisoformat(now or NOW)
        self.clipboard = clipboard
        self.everyday = Everyday(self.now)
        self.files: dict[str, File] = {}
        self.settings: dict[str, str] = {}
        # Parts of files by the file's digest: members of archives, frames of GIFs, the
        # contents of PDFs and the texts of barcodes.
        self.parts: dict[str, Content] = {}

    def state(self) -> dict[str, object]:
        """Return the state as JSON; `everyday` is the digest of the apps, or "" if unchanged."""
        return {
            "clipboard": plain(list(self.clipboard)),
            "everyday": self.everyday.digest(),
            "files": {path: plain(file) for path, file in sorted(self.files.items())},
            "now": self.now.isoformat(),
            "settings": dict(sorted(self.settings.items())),
        }
