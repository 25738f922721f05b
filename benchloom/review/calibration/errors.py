"""The error of a calibration."""

from benchloom.core.errors import RunError


class CalibrationError(RunError):
    """The labels cannot be used, or none of them are about the judged texts."""
