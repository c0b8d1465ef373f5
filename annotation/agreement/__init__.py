"""Agreement between annotators on ratings and boxes (docs/metrics.md, Agreement and Boxes)."""

from pagetrail.annotation.agreement.by_group import Breakdown, Macro, Row, breakdown
from pagetrail.annotation.agreement.coefficient import COEFFICIENTS, Coefficient, Reason
from pagetrail.annotation.agreement.estimation import Choices, CoefficientEstimate, coefficients
from pagetrail.annotation.agreement.system_zones import (
    MARKED,
    SystemZone,
    best_annotator,
    system_zone,
)
from pagetrail.annotation.agreement.unit_bootstrap import BootstrappedCoefficient, bootstrap
from pagetrail.annotation.agreement.weights import LEVELS, WEIGHTS, Level, Weights
from pagetrail.annotation.agreement.zone_means import (
    UnitZones,
    ZoneBreakdown,
    ZoneMeans,
    unit_zones,
    zone_breakdown,
    zone_means,
)
from pagetrail.annotation.agreement.zones import ZoneAgreement, zone_agreement

__all__ = [
    "COEFFICIENTS",
    "LEVELS",
    "MARKED",
    "WEIGHTS",
    "BootstrappedCoefficient",
    "Breakdown",
    "Choices",
    "Coefficient",
    "CoefficientEstimate",
    "Level",
    "Macro",
    "Reason",
    "Row",
    "SystemZone",
    "UnitZones",
    "Weights",
    "ZoneAgreement",
    "ZoneBreakdown",
    "ZoneMeans",
    "best_annotator",
    "bootstrap",
    "breakdown",
    "coefficients",
    "system_zone",
    "unit_zones",
    "zone_agreement",
    "zone_breakdown",
    "zone_means",
]
