"""The fields of a campaign's task records."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.campaigns.record_fields import number_fields, record_fields
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.tasks.importer import import_tasks


def create_campaign(workspace: Workspace, name: str, *records: dict[str, Any]) -> None:
    """A campaign with these tasks, which nobody has."""
    rows = [RawRow(number, record) for number, record in enumerate(records, start=1)]
    import_tasks(workspace, TaskFile(rows), campaign=name, protocol="search", assign=False)


def test_fields_with_a_value_in_any_task(workspace: Workspace) -> None:
    """Empty values, and fields that no task states, are none."""
    create_campaign(
        workspace,
        "Otters",
        {"id": "q1", "question": "Where?", "year": 2024, "note": "", "tags": []},
        {"id": "q2", "question": "Who?", "domain": "Otters", "source": {"site": "a"}},
    )
    create_campaign(workspace, "Seals", {"id": "q3", "question": "What?", "colour": 1})
    assert record_fields(workspace, "Otters") == ["domain", "id", "question", "source", "year"]


def test_fields_that_are_numbers(workspace: Workspace) -> None:
    """In every task that has a value; texts of digits, yes and no, and lists are none."""
    create_campaign(
        workspace,
        "Otters",
        {"id": "q1", "question": "?", "year": 2024, "code": "7", "grade": 1, "is_long": True},
        {"id": "q2", "question": "??", "year": None, "score": 0.5, "grade": "A", "parts": [1]},
    )
    create_campaign(workspace, "Seals", {"id": "q3", "question": "???", "year": "2024"})
    assert number_fields(workspace, "Otters") == ["score", "year"]


def test_an_unknown_campaign_is_refused(workspace: Workspace) -> None:
    """By its name."""
    with pytest.raises(NotFoundError, match="nowhere"):
        record_fields(workspace, "nowhere")
