"""The operator's marks on apps: a small TOML file in the workspace, edited by hand.

["com.example.app"]
paid = true
note = "bought on 2024-05-01"
"""

from pathlib import Path

import msgspec

from benchloom.core.errors import RunError

FILE_NAME = "apps.toml"


class AppMarks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The operator's marks on one app; marks that are not set are null."""

    paid: bool | None = None
    legacy: bool | None = None
    unavailable: bool | None = None
    note: str | None = None

    def words(self) -> tuple[str, ...]:
        """The marks that are set."""
        return tuple(
            word for word in ("paid", "legacy", "unavailable") if getattr(self, word) is True
        )


def read_marks(path: Path) -> dict[str, AppMarks]:
    """Read the marks by app; a missing file means no marks, an unknown mark a RunError."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, AppMarks])
    except FileNotFoundError:
        return {}
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; known marks: paid, legacy, unavailable, note") from error
