"""Agreement between annotators on categories and on boxes (docs/metrics.md, Agreement and
Boxes)."""

from annotation.agreement.by_group import Breakdown, Macro, Row, breakdown
from annotation.agreement.chance import KEYS, Key
from annotation.agreement.estimate import Choices, Coefficient, Reason, coefficients
from annotation.agreement.localisation import (
    ElementPass,
    Localisation,
    PassRate,
    element_passes,
    localisations,
    pass_rate,
    token_f1,
)
from annotation.agreement.resampling import Interval, bootstrap
from annotation.agreement.scale import LEVELS, WEIGHTS, Level, Weights
from annotation.agreement.zone_means import (
    BestMatch,
    BestMeans,
    PageTable,
    UnitZones,
    ZoneBreakdown,
    ZoneMeans,
    best_match,
    best_means,
    page_table,
    unit_zones,
    zone_breakdown,
    zone_means,
)
from annotation.agreement.zones import ZoneAgreement, zone_agreement

__all__ = [
    "KEYS",
    "LEVELS",
    "WEIGHTS",
    "BestMatch",
    "BestMeans",
    "Breakdown",
    "Choices",
    "Coefficient",
    "ElementPass",
    "Interval",
    "Key",
    "Level",
    "Localisation",
    "Macro",
    "PageTable",
    "PassRate",
    "Reason",
    "Row",
    "UnitZones",
    "Weights",
    "ZoneAgreement",
    "ZoneBreakdown",
    "ZoneMeans",
    "best_match",
    "best_means",
    "bootstrap",
    "breakdown",
    "coefficients",
    "element_passes",
    "localisations",
    "page_table",
    "pass_rate",
    "token_f1",
    "unit_zones",
    "zone_agreement",
    "zone_breakdown",
    "zone_means",
]
