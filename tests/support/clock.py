"""A clock that tests move."""


class Clock:
    """A clock whose time is `now`, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now
