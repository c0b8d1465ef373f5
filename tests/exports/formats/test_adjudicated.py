"""Gold made in review, on its way out: every version, and what each decision rests on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.review.actions import ReviewedVersion, ReviewerRemarks, Reviews
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.worked_campaigns import ANSWERED, OPENED, REPORT, page

RECORD = {
    "id": "q1",
    "question": "How many otters were counted?",
    "answer_variants": [["41"]],
    "evidence": [page(3)],
}


def _cite(number: int) -> ev.CitationAdded:
    return ev.CitationAdded(document=REPORT, page=number)


def _stage(root: Path) -> Stage:
    """Two answered alike, a third left open; one on which the two differ; one not started."""
    protocol = with_overrides(preset("search"), {"overlap": 2, "review.check_share": 0.0})
    tasks = [
        RECORD,
        {**RECORD, "id": "q2", "answer_variants": [["42"], ["forty-two"]]},
        {**RECORD, "id": "q3"},
    ]
    stage = make_stage(root, protocol, tasks)
    for person in ("Ada", "Grace"):
        stage.did("q1", person, OPENED, _cite(1), _cite(2), ev.AnswerEdited(text="42"), ANSWERED)
    stage.did("q2", "Ada", OPENED, _cite(1), ev.AnswerEdited(text="forty-two"), ANSWERED)
    stage.did("q2", "Grace", OPENED, _cite(2), ev.AnswerEdited(text="7"), ANSWERED)
    return stage


def _reviews(stage: Stage) -> Reviews:
    log = SqlEventLog(stage.workspace.engine)
    return Reviews(
        stage.workspace, Recorder(log, Corpus(stage.workspace), stage.clock), stage.clock
    )


def _settle(reviews: Reviews) -> None:
    """As a version that did not compare with the dataset accepted the first task."""
    with patch("pagetrail.storage.review.task_rows.needs_reviewer", return_value=False):
        assert reviews.acceptance.settle(1) == 1


def _decide(reviews: Reviews, task: int, picks: dict[str, Pick], reason: str, id_: str) -> None:
    task_work = reviews.streams.task_work(task)
    reviewed_version = ReviewedVersion(
        task_work.sources(), task_work.gold.state.last_seq if task_work.gold else 0
    )
    reviews.decide(task, "Vera", picks, reason, reviewed_version, id_)


def _rows(out: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / name).open(encoding="ascii")]


def test_gold_of_rule_and_reviewer(tmp_path: Path) -> None:
    """What agreed is gold automatically; what a reviewer decided names who, why and from what."""
    stage = _stage(tmp_path / "ws")
    reviews = _reviews(stage)
    _settle(reviews)
    _decide(
        reviews,
        2,
        {"answer": Pick("side", "2-Ada"), "evidence": Pick("union")},
        "The table says so.",
        "d1",
    )
    manifest = export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "out")
    first, second = _rows(tmp_path / "out", "gold.jsonl")

    assert first["answer_variants"] == [["42"], ["41"]], "nobody said that the task's is wrong"
    assert first["adjudication"]["dataset_answers"] == "kept"
    assert first["evidence"] == [page(1), page(2)]
    assert first["previous"] == {"answer_variants": [["41"]], "evidence": [page(3)]}
    adjudication = first["adjudication"]
    assert (adjudication["version"], adjudication["by"], adjudication["automatic"]) == (
        1,
        "rule",
        True,
    )
    assert [(s["attempt"], s["annotator"], s["seq"]) for s in adjudication["sources"]] == [
        ("1-Ada", "annotator-1", 5),
        ("1-Grace", "annotator-2", 5),
    ]

    assert second["answer_variants"] == [["42"], ["forty-two"]], "it says what was accepted"
    assert second["evidence"] == [page(1), page(2)]
    adjudication = second["adjudication"]
    assert (adjudication["by"], adjudication["reason"], adjudication["automatic"]) == (
        "unknown",
        "The table says so.",
        False,
    )
    choices = {
        choice["part"]: (choice["how"], choice["side"]) for choice in adjudication["choices"]
    }
    assert choices == {
        "outcome": ("majority", None),
        "answer": ("side", "2-Ada"),
        "evidence": ("union", None),
    }
    assert [read_task(row).id for row in (first, second)] == ["q1", "q2"], "it reads as tasks"
    (left,) = manifest.left_out
    assert (left.reason, left.ids) == ("no_gold", ["q3"])
    assert manifest.counts["by_rule"] == manifest.counts["by_reviewer"] == 1


def test_gold_of_several_answers(tmp_path: Path) -> None:
    """Every accepted answer is in the gold, the task's own too, first where one is among them."""
    stage = _stage(tmp_path / "ws")
    reviews = _reviews(stage)
    picks = {"answer": Pick("variants", sides=("2-Grace", "2-Ada")), "evidence": Pick("union")}
    _decide(reviews, 2, picks, "Both are in the text.", "d1")
    for person, text in (("Ada", "seals"), ("Grace", "whales")):
        stage.did("q3", person, OPENED, _cite(1), ev.AnswerEdited(text=text), ANSWERED)
    edited_picks = {"answer": Pick("edited", texts=("otter\nseal", "otters and seals"))}
    _decide(reviews, 3, edited_picks, "", "d2")
    export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "out")
    second, third = _rows(tmp_path / "out", "gold.jsonl")
    assert second["answer_variants"] == [["42"], ["forty-two"], ["7"]]
    assert third["answer_variants"] == [["otter", "seal"], ["otters and seals"], ["41"]]
    choices = {choice["part"]: choice for choice in second["adjudication"]["choices"]}
    assert choices["answer"]["sides"] == ["2-Grace", "2-Ada"]
    old_version, other = _rows(tmp_path / "out", "versions.jsonl")
    assert (old_version["answer"], old_version["variants"]) == (["7"], [["forty-two"]])
    assert (other["answer"], other["variants"]) == (["otter", "seal"], [["otters and seals"]])
    export(stage.workspace, CAMPAIGN, "gold", tmp_path / "tasks", gold="adjudicated")
    tasks = {row["id"]: row["answer_variants"] for row in _rows(tmp_path / "tasks", "gold.jsonl")}
    assert tasks["q2"] == second["answer_variants"]
    assert tasks["q3"] == third["answer_variants"]


def test_every_version_stays(tmp_path: Path) -> None:
    """Gold reopened counts until there is another version; both are written."""
    stage = _stage(tmp_path / "ws")
    reviews = _reviews(stage)
    _settle(reviews)
    reviews.take_up(1, "Vera", "The footnote says 43.", "up")
    manifest = export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "one")
    assert manifest.counts["taken_up_again"] == 1
    (row,) = _rows(tmp_path / "one", "gold.jsonl")
    assert row["adjudication"]["version"] == 1

    one_page = {"evidence": Pick("pick", pages=((REPORT, 1),))}
    _decide(reviews, 1, one_page, "One page is enough.", "d2")
    export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "two")
    (row,) = _rows(tmp_path / "two", "gold.jsonl")
    assert (row["adjudication"]["version"], row["evidence"]) == (2, [page(1)])
    old, new = _rows(tmp_path / "two", "versions.jsonl")
    assert (old["version"], old["answer"], old["automatic"]) == (1, ["42"], True)
    assert (new["version"], new["answer"], new["reason"]) == (2, ["42"], "One page is enough.")
    assert [citation["annotators"] for citation in old["evidence"]] == [2, 2]


def test_gold_streams_are_nobodys_work(tmp_path: Path) -> None:
    """No other format sees a gold stream as an attempt."""
    stage = _stage(tmp_path / "ws")
    _settle(_reviews(stage))
    before = export(stage.workspace, CAMPAIGN, "trajectories", tmp_path / "t")
    assert before.counts["campaign_attempts"] == 6
    text = "".join(path.read_text(errors="replace") for path in (tmp_path / "t").rglob("*.jsonl"))
    assert "gold_merged" not in text
    assert "citation_added" in text


def test_accepted_wording_is_added_to_the_datasets(tmp_path: Path) -> None:
    """Systems that answer as the dataset does stay right, unless a reviewer calls it wrong."""
    stage = _stage(tmp_path / "ws")
    reviews = _reviews(stage)
    picks = {"answer": Pick("side", "2-Grace"), "evidence": Pick("union")}
    for number, (said, expected) in enumerate(
        {"kept": [["7"], ["42"], ["forty-two"]], "wrong": [["7"]]}.items()
    ):
        task_work = reviews.streams.task_work(2)
        seq = task_work.gold.state.last_seq if task_work.gold else 0
        version = ReviewedVersion(task_work.sources(), seq)
        remarks = ReviewerRemarks(dataset_answers=cast(ev.DatasetAnswers, said))
        reviews.decide(2, "Vera", picks, "", version, f"d{number}", remarks)
        out = tmp_path / said
        export(stage.workspace, CAMPAIGN, "adjudicated", out)
        (row,) = _rows(out, "gold.jsonl")
        assert row["answer_variants"] == expected
        assert row["adjudication"]["dataset_answers"] == said
        reviews.take_up(2, "Vera", "Again.", f"u{number}")


@pytest.mark.parametrize(
    ("text", "kept"),
    [("4.2e1", True), ("42 or 43", True), ("43", False)],
    ids=["right", "undecided", "wrong"],
)
def test_old_decision_keeps_the_datasets_answers_unless_it_contradicts_them(
    text: str, kept: bool, tmp_path: Path
) -> None:
    """Versions before the reviewer was asked say nothing of them."""
    stage = _stage(tmp_path / "ws")
    reviews = _reviews(stage)
    with patch("pagetrail.storage.review.actions.has_answers", return_value=False):
        picks = {"answer": Pick("edited", texts=(text,)), "evidence": Pick("union")}
        _decide(reviews, 2, picks, "", "d1")
    export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "out")
    (row,) = _rows(tmp_path / "out", "gold.jsonl")
    assert row["answer_variants"] == [[text], *([["42"], ["forty-two"]] if kept else [])]
    assert "dataset_answers" not in row["adjudication"]
