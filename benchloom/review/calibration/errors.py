"""The error raised if a calibration is impossible."""

from benchloom.core.errors import RunError


class CalibrationError(RunError):
    """The labels cannot be used, or no label is about a judged text."""
