"""The exception by which a fast reader leaves an unusual property list to a slower reader."""


class UnusualError(Exception):
    """The file is not an ordinary property list; it may still be a valid one."""
