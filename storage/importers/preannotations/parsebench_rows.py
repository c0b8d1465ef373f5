"""ParseBench's rules about charts and text, as rows of the tables in which people verify them.

A ``chart_data_point`` has a value, labels and a tolerance that is a fraction of the value, 1 %
where it has none; in the table the tolerance is in the value's unit, and empty for an exact value.
``present`` and ``absent`` are a text that a transcript must have, or must not.
Source: run-llama/ParseBench, test_cases/parse_rule_schemas.py; Zhang et al. 2026, table 12.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator

from pagetrail.annotation.attempts.preannotations import cell_text
from pagetrail.annotation.readable_errors import reason_of, shown
from pagetrail.storage.importers.files.field_types import WithoutNulls
from pagetrail.storage.importers.preannotations.raw_elements import RawElement, RawTableRow

POINT_COLUMNS = frozenset({"labels", "value", "tolerance"})
PATCH_COLUMNS = frozenset({"old", "new", "decision"})
POINT, TEXTS = "chart_data_point", ("present", "absent")
PATCH = "patch"
"""What an entry of a file's ``transcript_patches`` is read as; not a type of ParseBench's."""

_DEFAULT_TOLERANCE = 0.01


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"must be text or a number, not {shown(value)}")
    return value


def _labels(value: Any) -> Any:
    if not isinstance(value, list) or not all(
        isinstance(label, str | int | float) for label in value
    ):
        raise ValueError(f"must be a list of texts, not {shown(value)}")
    return value


def _fraction(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"must be a number of 0 or more, not {shown(value)}")
    return float(value)


class _Point(WithoutNulls):
    value: Annotated[Any, BeforeValidator(_scalar)]
    labels: Annotated[Any, BeforeValidator(_labels)] = ()
    relative_tolerance: Annotated[float, BeforeValidator(_fraction)] = _DEFAULT_TOLERANCE
    tolerance: Any = None


class _Text(WithoutNulls):
    text: Annotated[Any, BeforeValidator(_scalar)]


class _Patch(WithoutNulls):
    old: Annotated[Any, BeforeValidator(_scalar)] = ""
    new: Annotated[Any, BeforeValidator(_scalar)] = ""


def row_of(kind: str, rule: dict[str, Any], at: RawElement) -> RawTableRow:
    """The row that a rule gives; one that cannot be read says why in ``at.problem``."""
    columns = POINT_COLUMNS if kind == POINT else PATCH_COLUMNS
    counted = None if kind == PATCH else f"rules of type {kind}"
    try:
        return RawTableRow(columns, at, _cells(kind, rule), counted)
    except ValueError as error:
        bad = RawElement(at.line, at.place, at.id, problem=reason_of(error))
        return RawTableRow(columns, bad, {}, counted)


def _cells(kind: str, rule: dict[str, Any]) -> dict[str, str]:
    if kind == POINT:
        point = _Point.model_validate(rule)
        return {
            "labels": cell_text(point.labels),
            "value": cell_text(point.value),
            "tolerance": _tolerance(point),
        }
    if kind == PATCH:
        patch = _Patch.model_validate(rule)
        return {"old": cell_text(patch.old), "new": cell_text(patch.new)}
    text = cell_text(_Text.model_validate(rule).text)
    return {"old": "", "new": text} if kind == "present" else {"old": text, "new": ""}


def _tolerance(point: _Point) -> str:
    """In the value's unit, to 6 significant digits; as it was entered where the rule has that."""
    if isinstance(point.tolerance, str | int | float) and not isinstance(point.tolerance, bool):
        return cell_text(point.tolerance)
    try:
        value = abs(float(cell_text(point.value).replace(",", "")))
    except ValueError:
        return ""
    within = point.relative_tolerance * (value or 1.0)
    return f"{within:.6g}" if 0 < within < math.inf else ""
