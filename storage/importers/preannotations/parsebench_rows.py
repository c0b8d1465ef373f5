"""Converts ParseBench's rules about charts and text into table rows for verification.

A ``chart_data_point`` has a value, labels, and a tolerance as a fraction of the value (1 % by
default). In the table the tolerance is in the value's unit, and empty for an exact value.
``present`` and ``absent`` hold a text that a transcript must, or must not, contain.
Source: run-llama/ParseBench, test_cases/parse_rule_schemas.py; Zhang et al. 2026, table 12.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator

from pagetrail.annotation.attempts.preannotations import cell_text
from pagetrail.annotation.normalised_text import parse_number
from pagetrail.annotation.readable_errors import reason_of, short_value
from pagetrail.storage.importers.files.field_types import LenientModel
from pagetrail.storage.importers.preannotations.raw_elements import RawElement, RawTableRow

POINT_COLUMNS = frozenset({"labels", "value", "tolerance"})
PATCH_COLUMNS = frozenset({"old", "new", "decision"})
DATA_POINT, TEXT_RULES = "chart_data_point", ("present", "absent")
PATCH = "patch"
"""Kind of an entry of ``transcript_patches``; not a rule type of ParseBench."""

_DEFAULT_TOLERANCE = 0.01


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"must be text or a number, not {short_value(value)}")
    return value


def _labels(value: Any) -> Any:
    if not isinstance(value, list) or not all(
        isinstance(label, str | int | float) for label in value
    ):
        raise ValueError(f"must be a list of texts, not {short_value(value)}")
    return value


def _fraction(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"must be a number of 0 or more, not {short_value(value)}")
    return float(value)


class _DataPoint(LenientModel):
    value: Annotated[Any, BeforeValidator(_scalar)]
    labels: Annotated[Any, BeforeValidator(_labels)] = ()
    relative_tolerance: Annotated[float, BeforeValidator(_fraction)] = _DEFAULT_TOLERANCE
    tolerance: Any = None


class _TextRule(LenientModel):
    text: Annotated[Any, BeforeValidator(_scalar)]


class _Patch(LenientModel):
    old: Annotated[Any, BeforeValidator(_scalar)] = ""
    new: Annotated[Any, BeforeValidator(_scalar)] = ""


def to_table_row(kind: str, rule: dict[str, Any], origin: RawElement) -> RawTableRow:
    """The row for a rule; if it cannot be read, ``origin.problem`` says why."""
    columns = POINT_COLUMNS if kind == DATA_POINT else PATCH_COLUMNS
    left_out_as = None if kind == PATCH else f"rules of type {kind}"
    try:
        return RawTableRow(columns, origin, _cells(kind, rule), left_out_as)
    except ValueError as error:
        unreadable = RawElement(origin.line, origin.location, origin.id, problem=reason_of(error))
        return RawTableRow(columns, unreadable, {}, left_out_as)


def _cells(kind: str, rule: dict[str, Any]) -> dict[str, str]:
    if kind == DATA_POINT:
        point = _DataPoint.model_validate(rule)
        return {
            "labels": cell_text(point.labels),
            "value": cell_text(point.value),
            "tolerance": _tolerance(point),
        }
    if kind == PATCH:
        patch = _Patch.model_validate(rule)
        return {"old": cell_text(patch.old), "new": cell_text(patch.new)}
    text = cell_text(_TextRule.model_validate(rule).text)
    return {"old": "", "new": text} if kind == "present" else {"old": text, "new": ""}


def _tolerance(point: _DataPoint) -> str:
    """The tolerance as entered, or else in the value's unit to 6 significant digits."""
    if isinstance(point.tolerance, str | int | float) and not isinstance(point.tolerance, bool):
        return cell_text(point.tolerance)
    value = parse_number(cell_text(point.value))
    if value is None:
        return ""
    tolerance = point.relative_tolerance * (abs(value) or 1.0)
    return f"{tolerance:.6g}" if 0 < tolerance < math.inf else ""
