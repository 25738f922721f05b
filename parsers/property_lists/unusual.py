"""The sign by which a fast reader passes a property list on to plistlib."""


class UnusualError(Exception):
    """The file is not an ordinary property list; it may still be a valid one."""
