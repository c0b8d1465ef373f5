"""labels: every value that counts, who set it when, and what a model had given."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.exports.formats.labels import TABLE
from pagetrail.exports.reading.values import as_text
from pagetrail.storage.attempts.event_log import SqlEventLog
from tests.exports.conftest import Exported, StageOf, rows
from tests.exports.worked_campaigns import SCENES


@pytest.mark.parametrize("scene", SCENES)
def test_values_are_those_of_the_form(scene: str, exported: Exported, stage_of: StageOf) -> None:
    """Folding the stored events and asking the form gives the rows of the file, none missing."""
    _, out = exported(scene, "labels")
    values = {
        (r["attempt"], r["field"], r["document"], r["page"], r["box"]): r["values"]
        for r in rows(out / "labels.jsonl")
    }
    stage = stage_of(scene)
    log = SqlEventLog(stage.workspace.engine)
    expected = {}
    for attempt in {row["attempt"] for row in rows(out / "attempts.jsonl")}:
        driver = stage.driver(stage.keys[int(attempt.split("-")[0]) - 1], attempt.split("-")[1])
        protocol = driver.context.protocol
        form = Form(protocol, fold(log.events(attempt)), driver.context.given)
        for spec in protocol.fields:
            for target in form.targets(spec) if spec.kind != "records" else []:
                value = form.value(spec, target)
                if value is not None:
                    key = (attempt, spec.name, target.document, target.page, target.box)
                    expected[key] = list(value) if isinstance(value, tuple) else [as_text(value)]
    assert values == expected


def test_parquet_has_the_same_rows(exported: Exported) -> None:
    """Both files hold the same values."""
    _, out = exported("relevance", "labels")
    assert pq.read_table(out / TABLE).to_pylist() == rows(out / "labels.jsonl")


def test_an_implied_value_was_set_by_nobody(exported: Exported) -> None:
    """N/A on a page graded 0 is there, marked, and without a time; a value that was set has one."""
    _, out = exported("relevance", "labels")
    values = rows(out / "labels.jsonl")
    implied = [row for row in values if row["implied"]]
    assert {(row["field"], *row["values"]) for row in implied} == {("modalities", "na")}
    assert {(row["set_at"], row["elapsed_ms"]) for row in implied} == {(None, None)}
    grade = next(r for r in values if r["field"] == "relevance" and r["attempt"] == "1-Ada")
    assert (grade["value"], grade["code"], grade["elapsed_ms"]) == ("2", 2.0, 10_000)
    assert grade["set_at"] == "2026-03-02T09:01:15.250000Z"
    multiple = next(r for r in values if r["values"] == ["table", "text"])
    assert (multiple["value"], multiple["code"], multiple["kind"]) == (None, None, "multi")


def test_work_in_progress_is_told_by_its_status(exported: Exported) -> None:
    """Values of an open attempt are there, under its status, as are skipped attempts."""
    _, out = exported("relevance", "labels")
    status = {row["attempt"]: row["status"] for row in rows(out / "attempts.jsonl")}
    assert (status["4-Ada"], status["2-Grace"]) == ("open", "skipped")
    assert [r["field"] for r in rows(out / "labels.jsonl") if r["attempt"] == "4-Ada"] == [
        "query_quality",
        "relevance",
    ]


def test_boxes_keep_the_models_value(exported: Exported) -> None:
    """A corrected element has both values and what differs; deleted ones stay in the list."""
    _, out = exported("verify", "labels")
    boxes = {r["box"]: r for r in rows(out / "boxes.jsonl") if r["attempt"] == "1-Ada"}
    assert {name: box["verdict"] for name, box in boxes.items()} == {
        "e1": "accepted",
        "e2": "corrected",
        "e3": "corrected",
        "e4": "deleted",
        "e5": "accepted",
        "b-1": "added",
    }
    text = boxes["e2"]
    assert text["rect"] == [72.0, 200.0, 300.0, 240.0]
    assert text["model"]["rect"] == [72.0, 200.0, 300.0, 260.0]
    assert (text["content"], text["model"]["content"]) == ("Otters", "Otters <b>")
    assert text["differences"] == ["rect", "content"]
    assert boxes["e4"]["deleted"] and boxes["e4"]["model"]["label"] == "Page-Header"
    assert boxes["b-1"]["model"] is None
    assert (boxes["b-1"]["page_width"], boxes["b-1"]["page_height"]) == (792, 612)


def test_rows_keep_the_models_cells(exported: Exported) -> None:
    """Rows of a table: as given, changed, deleted and added, with a model's own cells."""
    _, out = exported("verify_chart", "labels")
    rows_by_id = {row["row"]: row for row in rows(out / "rows.jsonl")}
    assert {name: row["verdict"] for name, row in rows_by_id.items()} == {
        "r1": "changed",
        "r2": "changed",
        "r3": "deleted",
        "r-1": "added",
    }
    assert rows_by_id["r2"]["values"]["value"] == "41"
    assert rows_by_id["r2"]["model"] == {"labels": "2025; Otters", "value": "4l"}
    assert rows_by_id["r-1"]["model"] is None
    assert [row["position"] for row in rows_by_id.values()] == [1, 2, 3, 4]


def test_a_row_left_as_it_was(exported: Exported) -> None:
    """A row nobody touched is ``given``: in the transcript every row was decided, none is."""
    _, out = exported("verify_transcript", "labels")
    assert {row["verdict"] for row in rows(out / "rows.jsonl")} == {"changed"}


def test_no_gold_is_in_it(exported: Exported) -> None:
    """What a task's record knows and nobody submitted is not exported."""
    for scene, secret in (("relevance", b"forty-two"), ("judge", b"model-a"), ("judge", b"some")):
        _, out = exported(scene, "labels")
        for path in out.glob("*.jsonl"):
            assert secret not in path.read_bytes()


def test_numbers_keep_their_digits() -> None:
    """A number is written with all its digits, a boolean as in conditions."""
    assert [as_text(v) for v in (1234567.25, 10**15, 0.1, True, "x")] == [
        "1234567.25",
        "1000000000000000",
        "0.1",
        "true",
        "x",
    ]
