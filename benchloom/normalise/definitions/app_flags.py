"""The operator's flags on apps: a small TOML file in the workspace, edited by hand.

["com.example.app"]
paid = true
note = "bought on 2024-05-01"
"""

from pathlib import Path

import msgspec

from benchloom.core.errors import RunError

FILE_NAME = "apps.toml"


class AppFlags(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The operator's flags on one app; flags that are not set are null."""

    paid: bool | None = None
    legacy: bool | None = None
    unavailable: bool | None = None
    note: str | None = None

    def words(self) -> tuple[str, ...]:
        """The flags that are set."""
        return tuple(
            word for word in ("paid", "legacy", "unavailable") if getattr(self, word) is True
        )


def read_flags(path: Path) -> dict[str, AppFlags]:
    """Read the flags by app; a missing file means no flags, an unknown flag a RunError."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, AppFlags])
    except FileNotFoundError:
        return {}
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; known flags: paid, legacy, unavailable, note") from error
