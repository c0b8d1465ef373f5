"""Tables that a careless model read, and people who correct or flag them."""

from __future__ import annotations

from typing import Any, NamedTuple

from pagetrail.annotation.tables.grid import Cell, Grid
from pagetrail.app.demo.corpus import BROCHURE, BUDGET, Record
from pagetrail.app.demo.simulated_work import SimulatedTab


class DemoTable(NamedTuple):
    """A table of the demo's documents.

    Attributes:
        rows: texts as printed, the header row first.
        misread: (row, column, what the model read there).
    """

    task: str
    document: str
    page: int
    rows: list[list[str]]
    misread: list[tuple[int, int, str]]


_TABLES = [
    DemoTable(
        "funding",
        BUDGET,
        5,
        [
            ["£ thousand", "2025/26", "2024/25", "Change"],
            ["Council tax", "98,730", "93,210", "+5.9%"],
            ["Business rates", "41,560", "40,120", "+3.6%"],
            ["Government grants", "33,480", "34,610", "-3.3%"],
            ["Fees and charges", "17,240", "15,870", "+8.6%"],
            ["Use of reserves", "5,440", "4,930", "+10.3%"],
            ["Total funding", "196,450", "188,740", "+4.1%"],
        ],
        [(3, 3, "3.3%"), (5, 1, "5,540")],
    ),
    DemoTable(
        "savings",
        BUDGET,
        8,
        [
            ["Proposal", "Service", "Effect", "£ thousand"],
            ["Fortnightly collection of residual waste", "Waste and street cleaning", "B", "412"],
            [
                "Shared legal service with Isolde District",
                "Corporate and democratic services",
                "A",
                "265",
            ],
            ["Dimming of lamps between 1 and 5 a.m.", "Highways and lighting", "A", "198"],
            [
                "Mobile library replaced by book lockers",
                "Libraries and museums",
                "C",
                "143",
            ],
            ["Digital planning notices", "Planning and building control", "A", "37"],
            [
                "Letting of two floors of the annexe",
                "Corporate and democratic services",
                "B",
                "221",
            ],
            ["Family hubs under one roof", "Children and families", "B", "356"],
            ["All savings", "", "", "1,632"],
        ],
        [(5, 3, "3.7"), (2, 2, "B")],
    ),
    DemoTable(
        "prices",
        BROCHURE,
        4,
        [
            ["", "Swift", "Heron", "Pelican"],
            ["Bicycle with one battery", "£3,490", "£5,290", "£6,150"],
            ["Second battery", "–", "£690", "£690"],
            ["Rain tent", "£145", "£289", "–"],
            ["Child seat with belts", "£129", "£79", "–"],
            ["Aluminium box with lid, 410 litres", "–", "–", "£560"],
            ["Trailer coupling", "£85", "£85", "£110"],
            ["Yearly service", "£98", "£126", "£148"],
        ],
        [(2, 1, "£690"), (2, 2, "–"), (7, 3, "£148 |")],
    ),
]
_BY_TASK = {f"table-{table.task}": table for table in _TABLES}


def table_tasks() -> list[Record]:
    """A task per page, its table with what the model misread."""
    return [
        {
            "id": task,
            "question": f"Verify the table on page {table.page} of {table.document}.",
            "candidates": [{"document": table.document, "page": table.page}],
            "tables": [{"id": "t1", "html": _misread_grid(table).to_html()}],
            "model": "grid-reader-1",
        }
        for task, table in _BY_TASK.items()
    ]


def _misread_grid(table: DemoTable) -> Grid:
    texts = {(row, column): text for row, column, text in table.misread}
    return Grid.from_cells(
        Cell(row, column, texts.get((row, column), text), is_header=row == 0)
        for row, cells in enumerate(table.rows)
        for column, text in enumerate(cells)
    )


def verify_tables(
    tab: SimulatedTab, record: Record, *, flags: bool = True, submit: bool = True
) -> None:
    """Correct the first cell that is wrong; without ``submit``, stop there.

    Args:
        flags: flag the other cells that are wrong, instead of correcting them.
    """
    table = _BY_TASK[record["id"]]
    place: dict[str, Any] = {**record["candidates"][0], "table": "t1", "structure": 0}
    tab.do("opened", after_s=(0, 1), session="demo")
    tab.do("page_viewed", via="given", **record["candidates"][0])
    for number, (row, column, misread) in enumerate(table.misread):
        text = table.rows[row][column]
        if number > 0 and not submit:
            break
        if number == 0 or not flags:
            change = {"kind": "text", "row": row, "column": column, "text": text, "was": misread}
            tab.do("table_edited", after_s=(6, 20), change=change, **place)
        else:
            flag = {"kind": "text", "note": f"The page says “{text}”."}
            tab.do("cell_flagged", after_s=(8, 25), row=row, column=column, **flag, **place)
    if submit:
        for field in ("complete", "records"):
            tab.do("field_set", after_s=(2, 6), field=field, value="yes")
        tab.do("submitted", after_s=(2, 6), outcome="completed")
