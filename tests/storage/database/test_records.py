"""Typed records of rows."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table

from pagetrail.storage.database.records import BatchRecord, CampaignRecord, EventRecord
from pagetrail.storage.database.tables import BATCHES, CAMPAIGNS, EVENTS


@pytest.mark.parametrize(
    ("record", "table"),
    [(CampaignRecord, CAMPAIGNS), (BatchRecord, BATCHES), (EventRecord, EVENTS)],
)
def test_a_record_has_the_columns_of_its_table_in_order(record: Any, table: Table) -> None:
    assert list(record._fields) == table.c.keys()
