"""Faults of what is compared."""

from benchloom.core.errors import RunError


class CalibrationError(RunError):
    """Labels that cannot be used, or none about the texts that were judged."""
