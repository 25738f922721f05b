"""How far checks and judges can be trusted: their agreement, and their faults beside people's word.

Every figure is a share with its counts and a 95 % interval, since labelled texts are few.
"""

from benchloom.calibration.calibrating import Calibration, calibrate
from benchloom.calibration.errors import CalibrationError
from benchloom.calibration.labels import read_labels
from benchloom.calibration.ratings import Rating, ratings_in

__all__ = [
    "Calibration",
    "CalibrationError",
    "Rating",
    "calibrate",
    "ratings_in",
    "read_labels",
]
