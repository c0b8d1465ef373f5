"""Agreement between annotators on ratings and boxes (docs/metrics.md, Agreement and Boxes)."""

from annotation.agreement.by_group import Breakdown, Macro, Row, breakdown
from annotation.agreement.chance import KEYS, Key
from annotation.agreement.estimate import Choices, Coefficient, Reason, coefficients
from annotation.agreement.resampling import Interval, bootstrap
from annotation.agreement.scale import LEVELS, WEIGHTS, Level, Weights
from annotation.agreement.zone_means import (
    UnitZones,
    ZoneBreakdown,
    ZoneMeans,
    unit_zones,
    zone_breakdown,
    zone_means,
)
from annotation.agreement.zones import ZoneAgreement, zone_agreement

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
    "UnitZones",
    "Weights",
    "ZoneAgreement",
    "ZoneBreakdown",
    "ZoneMeans",
    "bootstrap",
    "breakdown",
    "coefficients",
    "unit_zones",
    "zone_agreement",
    "zone_breakdown",
    "zone_means",
]
