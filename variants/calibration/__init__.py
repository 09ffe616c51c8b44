"""What a variant is calibrated on: named sets, a user's own requests, and what they are like."""

from variants.calibration.likeness import Likeness, Traffic, compare, describe
from variants.calibration.request import Request, read_requests
from variants.calibration.sets import SETS, CalibrationSet, files_of, requests_of, set_sha256
from variants.calibration.use import CalibrationUse, use_of

__all__ = [
    "SETS",
    "CalibrationSet",
    "CalibrationUse",
    "Likeness",
    "Request",
    "Traffic",
    "compare",
    "describe",
    "files_of",
    "read_requests",
    "requests_of",
    "set_sha256",
    "use_of",
]
