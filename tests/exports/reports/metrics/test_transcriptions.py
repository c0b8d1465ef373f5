"""Texts, tables and charts against gold, by numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.review import Pick
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from tests.exports.adjudication import Bench
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.reports.metrics.answered import line, table, value
from tests.exports.worked_campaigns import COMPLETED, OPENED, compared_tables, page, task_field

KEY = "transcriptions-gold"
GIVEN = "0tter"


def report(stage: Stage, **options: Any) -> Report:
    """The report, with few replicates and a row for each annotator."""
    with open_source(stage.workspace, CAMPAIGN) as source:
        return metrics(
            source, MetricsOptions(**{"replicates": 20, "by_annotator": True, **options})
        )


def transcribed(root: Path, texts: dict[str, str], gold: str | None) -> Stage:
    """A page that each of these people transcribed."""
    record: dict[str, Any] = {"id": "p1", "question": "Transcribe.", "candidates": [page(1)]}
    if gold is not None:
        record["gold"] = {"transcript": gold}
    stage = make_stage(root, preset("transcribe"), [record], tuple(texts))
    for person, text in texts.items():
        edit = ev.TextEdit(at=0, removed=GIVEN, inserted=text)
        stage.did(
            "p1",
            person,
            OPENED,
            ev.TranscriptGiven(**page(1), text=GIVEN, text_sha256=text_hash(GIVEN)),
            ev.TextEdited(**page(1), edits=(edit,), source="typing"),
            COMPLETED,
        )
    return stage


def test_texts_by_the_longer_text(tmp_path: Path) -> None:
    texts = {"Ada": "The otter swims.", "Grace": "The otters swims."}
    stage = transcribed(tmp_path, texts, gold="The\notter swims.")
    cells = line(report(stage), KEY, side="Humans")
    assert cells["character_error_rate"].value == pytest.approx((0 + 1 / 17) / 2)
    assert cells["word_error_rate"].value == pytest.approx((0 + 1 / 3) / 2)
    assert (cells["character_error_rate"].n, cells["character_error_rate"].tasks) == (2, 1)


def test_tables_against_decided_gold(tmp_path: Path) -> None:
    """Grace has a wrong header in the first of two tables: one value of each record is amiss."""
    stage = compared_tables(tmp_path)
    Bench(stage).decide(1, {"tables": Pick("side", "1-Ada")})
    by_gold = report(stage, gold="adjudicated")
    names = {row.cells["side"].value for row in table(by_gold, KEY).rows}
    assert names == {"Humans", "annotator-1", "annotator-2"}
    scores = {
        column: sorted(value(by_gold, KEY, column, side=f"annotator-{n}") for n in (1, 2))
        for column in ("table_record_match", "cell_f1", "grits")
    }
    # 2 of 4 headers of either record; 4 equal cells of 6 and 6; 8 equal cells and one by 3 of 4
    assert scores["table_record_match"] == [pytest.approx((2 / 4 + 1) / 2), 1]
    assert scores["cell_f1"] == [pytest.approx((2 * 4 / 12 + 1) / 2), 1]
    assert scores["grits"] == [pytest.approx(((8 + 3 / 4) / 9 + 1) / 2), 1]
    assert value(by_gold, KEY, "grits", side="Humans") == pytest.approx(sum(scores["grits"]) / 2)


def test_a_table_that_only_the_gold_has_counts_nothing(tmp_path: Path) -> None:
    html = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    record = {
        "id": "g1",
        "question": "Verify",
        "candidates": [page(1)],
        "tables": [{"id": "one", "html": html}],
        "gold": {"tables": [{"id": "one", "html": html}, {"id": "two", "html": html}]},
    }
    stage = make_stage(tmp_path, preset("verify_table"), [record], ("Ada",))
    answers = (task_field("complete", "yes"), task_field("records", "yes"))
    stage.did("g1", "Ada", OPENED, *answers, COMPLETED)
    assert value(report(stage), KEY, "cell_f1", side="Humans") == 0.5


def test_points_agree_within_the_gold_s_tolerance(tmp_path: Path) -> None:
    """The person's tolerance of 10 does not count: 9 is no 5."""
    record = {
        "id": "c1",
        "question": "Verify",
        "candidates": [page(1)],
        "gold": {
            "fields": {
                "data_points": [
                    {"labels": "2024; Otters", "value": "42", "tolerance": "2"},
                    {"labels": "2025; Otters", "value": "5"},
                ]
            }
        },
    }
    stage = make_stage(tmp_path, preset("verify_chart"), [record], ("Ada",))
    points = [("Otters; 2024", "43", ""), ("Otters; 2025", "9", "10"), ("2026", "1", "")]
    rows = [
        ev.RowSet(
            field="data_points",
            row=f"r-{n}",
            values={"labels": labels, "value": read, "tolerance": margin, "verdict": "corrected"},
        )
        for n, (labels, read, margin) in enumerate(points, start=1)
    ]
    stage.did(
        "c1",
        "Ada",
        OPENED,
        *rows,
        task_field("readable", "yes"),
        COMPLETED,
    )
    cells = line(report(stage), KEY, side="Humans")
    assert cells["point_f1"].value == pytest.approx(2 * 1 / (2 + 3))
    assert cells["label_f1"].value == pytest.approx(2 * 2 / (2 + 3))


def test_without_gold_the_report_says_so(tmp_path: Path) -> None:
    without = report(transcribed(tmp_path, {"Ada": "The otter."}, gold=None))
    assert KEY not in [entry.key for entry in without.tables]
    notes = [note for section in without.sections for note in section.notes]
    assert any("Texts, tables and charts against gold are left out" in note for note in notes)


def test_other_campaigns_say_nothing_of_it(tmp_path: Path) -> None:
    record = {"id": "q1", "question": "What?", "answer_variants": [["42"]], "evidence": [page(1)]}
    stage = make_stage(tmp_path, preset("search"), [record], ("Ada",))
    stage.did("q1", "Ada", OPENED, ev.Submitted(outcome="not_found"))
    answered = report(stage)
    assert KEY not in [entry.key for entry in answered.tables]
    assert not [note for part in answered.sections for note in part.notes if "Texts" in note]
