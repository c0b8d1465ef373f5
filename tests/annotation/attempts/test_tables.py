"""Tables in an attempt: what is refused, what is missing, undoing, and the next round."""

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.preannotations import given_table
from pagetrail.annotation.protocols.protocol import Protocol, parse, with_overrides
from pagetrail.annotation.tables.cells import (
    CellFlag,
    CellText,
    LayoutChange,
    LinesDeleted,
    LinesInserted,
)
from pagetrail.annotation.tables.grid import Grid
from tests.annotation.given_pages import TOML, given_driver, record_all, refused
from tests.support.factory import AttemptDriver

HTML = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
PAGE: dict[str, Any] = {"document": "b.pdf", "page": 1}
RECORD = {"candidates": [PAGE], "tables": [{"id": "t1", "html": HTML}], "model": "m-1"}
PROTOCOL = parse(f"{TOML}tables.enabled = true\n", source="own.toml")


def driver(protocol: Protocol = PROTOCOL) -> AttemptDriver:
    return given_driver(protocol, RECORD, pages=(("b.pdf", 1),))


def edited(change: LayoutChange, structure: int = 0, **fields: Any) -> ev.TableEdited:
    work: dict[str, Any] = {"table": "t1", "structure": structure, **PAGE, **fields}
    return ev.TableEdited(change=change, **work)


def text(row: int, column: int, was: str, new: str) -> CellText:
    return CellText(row=row, column=column, text=new, was=was)


def texts(at_work: AttemptDriver) -> list[list[str]]:
    return at_work.state.tables.tables[0].grid.texts()


def test_the_tables_of_the_record_are_given_first():
    (table,) = driver().state.tables.tables

    assert (table.id, table.document, table.page, table.structure) == ("t1", "b.pdf", 1, 0)
    assert driver().state.tables.model == "m-1"


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (edited(text(1, 0, "1", "4"), table="t9"), "unknown_table"),
        (edited(text(1, 0, "1", "4"), page=2), "page_not_given"),
        (edited(text(1, 0, "3", "4")), "table_differs"),
        (edited(text(1, 0, "1", "4"), structure=1), "table_differs"),
        (edited(text(7, 0, "1", "4")), "table_differs"),
        (edited(LinesDeleted(axis="row", at=0, count=2)), "table_differs"),
        (edited(LinesInserted(axis="row", at=3)), "table_differs"),
    ],
)
def test_what_does_not_fit_the_table_is_refused(payload, code):
    refusal = refused(driver(), payload)

    assert (refusal.code, refusal.field) == (code, "tables")


def test_a_campaign_can_leave_all_changes_to_a_model():
    flags_only = driver(with_overrides(PROTOCOL, {"tables.edit": False}))

    assert refused(flags_only, edited(text(1, 0, "1", "4"))).code == "no_table_edit"
    record_all(flags_only, ev.CellFlagged(table="t1", structure=0, kind="text", **PAGE))
    assert flags_only.state.tables.tables[0].flag == CellFlag(kind="text")


def test_a_change_made_before_another_tab_inserted_a_row_is_refused():
    at_work = record_all(driver(), edited(LinesInserted(axis="row", at=1)))

    assert refused(at_work, edited(text(1, 0, "", "4"))).code == "table_differs"
    record_all(at_work, edited(text(1, 0, "", "4"), structure=1))
    assert texts(at_work) == [["A", "B"], ["4", ""], ["1", "2"]]


def test_changes_are_undone_in_the_task_s_one_history():
    at_work = record_all(
        driver(),
        edited(text(1, 0, "1", "4")),
        edited(LinesDeleted(axis="column", at=1)),
    )
    step = at_work.state.undo[-1]
    assert step.table_change is not None and step.table_change.kind == "insert"

    record_all(at_work, edited(step.table_change, structure=1, undoes=step.id))
    assert texts(at_work) == [["A", "B"], ["4", "2"]]
    step = at_work.state.undo[-1]
    change = step.table_change
    assert isinstance(change, CellText)
    record_all(at_work, edited(change, structure=2, undoes=step.id))
    assert texts(at_work) == [["A", "B"], ["1", "2"]]
    assert (len(at_work.state.undo), len(at_work.state.redo)) == (0, 2)


def test_a_flag_that_says_the_same_is_no_step():
    flag = ev.CellFlagged(table="t1", structure=0, row=1, column=0, kind="text", **PAGE)
    at_work = record_all(driver(), flag, flag)

    assert len(at_work.state.undo) == 1
    assert at_work.state.tables.n_flags == 1


def next_round(at_work: AttemptDriver, rows: list[list[str]]) -> AttemptDriver:
    before = at_work.state.tables.tables[0]
    given = given_table("t1", Grid.from_texts(rows, n_header_rows=1), before)
    return record_all(
        at_work,
        ev.Submitted(outcome="completed"),
        ev.RoundStarted(number=2),
        ev.TablesGiven(**PAGE, round=2, tables=(given,)),
    )


def test_only_what_a_model_changed_asks_for_confirmation():
    flag = ev.CellFlagged(table="t1", structure=0, row=1, column=0, kind="text", **PAGE)
    at_work = next_round(record_all(driver(), flag), [["A", "B"], ["4", "2"]])
    form = Form(PROTOCOL, at_work.state)

    assert at_work.state.status == "open"
    assert at_work.state.undo == ()
    assert missing(form, "completed") == {
        "tables": "Not confirmed yet: 1 change by the model. Confirm, correct or flag each."
    }
    confirm = ev.CellConfirmed(table="t1", structure=0, cells=((1, 0),), **PAGE)
    record_all(at_work, confirm)
    assert missing(Form(PROTOCOL, at_work.state), "completed") == {}


def test_a_removed_row_asks_for_confirmation_of_the_table():
    at_work = next_round(driver(), [["A", "B"]])

    assert at_work.state.tables.tables[0].n_unconfirmed == 1
    record_all(at_work, ev.CellConfirmed(table="t1", structure=0, removed=True, **PAGE))
    assert at_work.state.tables.tables[0].n_unconfirmed == 0


def test_a_round_that_is_not_the_next_is_refused():
    at_work = record_all(driver(), ev.Submitted(outcome="completed"))

    assert refused(at_work, ev.RoundStarted(number=3)).code == "wrong_round"
