"""Agreement between annotators: over categories, over regions, with intervals."""

from annotation.agreement.bootstrap import Interval, bootstrap
from annotation.agreement.breakdown import Breakdown, Macro, Row, breakdown
from annotation.agreement.chance import KEYS, Key
from annotation.agreement.coefficients import Choices, Coefficient, Reason, coefficients
from annotation.agreement.scale import LEVELS, WEIGHTS, Level, Weights

__all__ = [
    "KEYS",
    "LEVELS",
    "WEIGHTS",
    "Breakdown",
    "Choices",
    "Coefficient",
    "Interval",
    "Key",
    "Level",
    "Macro",
    "Reason",
    "Row",
    "Weights",
    "bootstrap",
    "breakdown",
    "coefficients",
]
