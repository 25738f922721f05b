"""Measure how far checks and judges can be trusted, by comparing them with people's verdicts.

Every figure is a share with its counts and a 95 % interval, since labelled texts are few.
"""

from benchloom.review.calibration.labels import read_labels
from benchloom.review.calibration.ratings import ratings_in
from benchloom.review.calibration.thresholds import calibrate

__all__ = [
    "calibrate",
    "ratings_in",
    "read_labels",
]
