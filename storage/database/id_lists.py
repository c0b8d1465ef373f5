"""Conditions on lists of ids that are longer than a statement has room for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, select


def among(column: ColumnElement[Any], ids: Sequence[str]) -> ColumnElement[bool]:
    """Whether a column holds one of these ids, however many they are."""
    each = func.json_each(json.dumps(ids)).table_valued("value", name="listed")
    return column.in_(select(each.c.value))
