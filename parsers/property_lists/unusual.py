"""The sign by which a fast reader passes a property list on to plistlib."""


class UnusualError(Exception):
    """The file is not an ordinary one; nothing is said about whether it is a good one."""
