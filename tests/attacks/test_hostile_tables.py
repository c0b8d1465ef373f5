"""Tables that are too large, and events about cells that are not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.tables.cells import MAX_TEXT
from pagetrail.app.services.composition import Services
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from tests.app.signed_in import attempts_of, send
from tests.attacks.served_routes import served_routes

HostileImport = tuple[TestClient, Services, ImportReport]
"""A browser of an annotator, what answers it, and what the import reported."""

CAMPAIGN = "Tables"
PLACE = {"document": "report.pdf", "page": 1}
SMALL = "<table><tr><th>A<th>B<tr><td>1<td>2</table>"
FAR = 10**30
CHANGES: list[Any] = [
    *(
        {"kind": "text", "row": row, "column": column, "text": "x", "was": "1"}
        for row, column in [
            (-1, 0),
            (1, -1),
            (2, 0),
            (1, 2),
            (FAR, 0),
            (1.5, 0),
            (None, 0),
        ]
    ),
    {"kind": "text", "row": 1, "column": 0, "text": "x" * (MAX_TEXT + 1), "was": "1"},
    {"kind": "header", "cells": [[1, 0], [FAR, 0]], "header": True},
    {"kind": "header", "cells": [[1, 0]] * 60_000, "header": True},
    {"kind": "insert", "axis": "row", "at": 3},
    {"kind": "insert", "axis": "row", "at": 0, "count": FAR},
    {"kind": "insert", "axis": "diagonal", "at": 0},
    {"kind": "insert", "axis": "row", "at": 1, "extended": [{"row": 0, "column": 0, "lead": 100}]},
    {"kind": "insert", "axis": "row", "at": 1, "cells": [{"row": 1, "column": 0, "rowspan": 2000}]},
    {"kind": "delete", "axis": "column", "at": 0, "count": 2},
    {"kind": "delete", "axis": "column", "at": -1},
    *(
        {"kind": "cells", "row": 0, "column": 0, "rowspan": 2, "colspan": 2, "cells": cells}
        for cells in (
            [],
            [{"row": 0, "column": 0, "rowspan": 2000, "colspan": 500}],
            [{"row": 0, "column": 0, "rowspan": 2}],
            [{"row": 0, "column": 0, "rowspan": 2, "colspan": 2}, {"row": 1, "column": 1}],
            [{"row": 5, "column": 5}],
        )
    ),
    {"kind": "flag"},
    {},
    [],
    None,
]


@pytest.fixture
def tables(root: Path) -> Iterator[HostileImport]:
    """Three hostile tables, one that is too large, and a good one are imported."""
    rows = [
        {"tables": [{"html": f"<table>{('<tr>' + '<td>1' * 100) * 1_000}</table>"}]},
        {"tables": [{"html": f"<table><tr><td>{'x' * 100_000}</table>"}]},
        {"tables": [{"html": "<table><tr>" + "<td rowspan=65534 colspan=1000>x" * 100}]},
        {"tables": [{"html": "<table><tr><td>" * 20_000}]},
        {"tables": [{"id": "t1", "html": SMALL}]},
    ]
    with served_routes(root) as (client, services):
        path = root.parent / "tasks.jsonl"
        task = {"question": "Verify.", "candidates": [PLACE]}
        lines = [json.dumps({"id": f"t{n}", **task, **row}) for n, row in enumerate(rows)]
        path.write_text("\n".join(lines), encoding="utf-8")
        report = import_tasks(
            services.workspace, path, campaign=CAMPAIGN, protocol="verify_table", skip_bad=True
        )
        yield client, services, report


def test_tables_beyond_the_limits_are_reported_by_row(
    tables: HostileImport,
) -> None:
    """The rest of the file is imported; a text that is too long is shortened, and that is said."""
    *_, report = tables
    (bad,) = report.bad
    assert (bad.line, bad.id) == (1, "t0")
    assert "at most 2,000 rows, 500 columns and 50,000 cells are read" in bad.reason
    assert report.imported == 4
    lines = [warning.partition(":")[0] for warning in report.warnings]
    assert lines == ["Line 2 (t1)", "Line 3 (t2)", "Line 4 (t3)"]
    assert "more than 20,000 characters were cut" in report.warnings[0]


def test_events_about_impossible_cells_change_nothing(
    tables: HostileImport,
) -> None:
    """Each is refused, none breaks the server, and the table stays as it was given."""
    client, services, _ = tables
    screens = {
        attempt: client.get(f"/pagetrail/attempts/{attempt}").json()
        for attempt in attempts_of(services, "alma", CAMPAIGN)
    }
    attempt, screen = next(
        (attempt, screen)
        for attempt, screen in screens.items()
        if screen["state"]["tables"]["tables"][0]["n_columns"] == 2
    )
    tables_before = screen["state"]["tables"]
    place = {**PLACE, "table": "t1"}
    flagged = [{"row": 9, "column": 9}, {"row": -1, "column": 0}, {"row": 1}, {"column": FAR}]
    events = [("table_edited", {**place, "structure": 0, "change": change}) for change in CHANGES]
    events += [
        ("table_edited", {**place, "structure": structure, "change": CHANGES[0] | {"row": 1}})
        for structure in (-1, 1, FAR)
    ]
    events += [
        ("cell_flagged", {**place, "structure": 0, "kind": "text", "note": "x", **cell})
        for cell in flagged
    ]
    events += [
        ("cell_confirmed", {**place, "structure": 0, "cells": cells})
        for cells in ([[9, 9]], [[-1, 0]], [[1]], [[FAR, FAR]])
    ]
    events.append(("tables_given", {**PLACE, "tables": [], "round": 9}))
    for number, (kind, fields) in enumerate(events):
        reply = send(client, attempt, screen["token"], (f"e{number}", kind, fields))
        assert reply.status_code < 500, (kind, fields)
        later = client.get(f"/pagetrail/attempts/{attempt}").json()
        assert later["state"]["tables"] == tables_before, (kind, fields)
