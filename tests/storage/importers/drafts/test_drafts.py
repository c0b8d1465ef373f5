"""Models' drafts of gold: imported once, superseded by the same model, refused with reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.campaigns.gold_drafts import current_drafts, drafts_of_task
from pagetrail.storage.campaigns.lifecycle import archive_campaign, close_campaign
from pagetrail.storage.corpus.changes import raise_revision
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.importers.drafts import importer
from pagetrail.storage.importers.drafts.importer import DraftReport, import_drafts
from tests.storage.task_data import write_jsonl
from tests.support.review_campaign import Reviewed, campaign

NAME = "Random"
PAGES = [{"document": "b.pdf", "page": page} for page in (1, 2, 3)]
GRADED = with_overrides(preset("relevance"), {"overlap": 2})
SEARCHED = with_overrides(
    preset("search"), {"overlap": 2, "evidence.required": False, "answer.unanswerable": True}
)
ROW = {
    "task": "t1",
    "model": "merger",
    "version": "v1",
    "answer": "Forty-two otters.",
    "page_grades": [{"document": "b.pdf", "page": 2, "grade": 2}],
    "boxes": [{"document": "b.pdf", "page": 2, "rect": [10, 20, 30, 40], "label": "Text"}],
    "reasons": "Page 2 says so.",
    "scores": {"certainty": 0.9},
    "confidence": 80,
}


@pytest.fixture
def graded(tmp_path: Path) -> Reviewed:
    """Two tasks with three pages to grade."""
    records = [{"id": f"t{n}", "question": f"Otters {n}?", "candidates": PAGES} for n in (1, 2)]
    reviewed = campaign(tmp_path / "ws", GRADED, records)
    with write_transaction(reviewed.workspace.engine) as connection:
        raise_revision(connection)
    return reviewed


@pytest.fixture
def searched(tmp_path: Path) -> Reviewed:
    """Two tasks that are answered from any pages; of the first there are two answers."""
    records = [{"id": f"t{n}", "question": f"Otters {n}?"} for n in (1, 2)]
    reviewed = campaign(tmp_path / "ws", SEARCHED, records)
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    return reviewed


def imported(
    reviewed: Reviewed, folder: Path, *rows: dict[str, Any], **options: Any
) -> DraftReport:
    """What importing the rows reports."""
    file = write_jsonl(folder / "drafts.jsonl", list(rows))
    return import_drafts(reviewed.workspace, file, campaign=NAME, **options)


def reasons(reviewed: Reviewed, folder: Path, *rows: dict[str, Any]) -> list[str]:
    """Why the rows are left out; nothing is imported."""
    report = imported(reviewed, folder, *rows, model="merger")
    assert report.imported == 0
    assert [error.line for error in report.left_out] == list(range(1, len(rows) + 1))
    return [error.reason for error in report.left_out]


def stored_drafts(reviewed: Reviewed, task: int = 1) -> list[Any]:
    """All drafts of a task."""
    with reviewed.workspace.engine.connect() as connection:
        return drafts_of_task(connection, task)


def test_notes_on_the_file_are_reported(searched: Reviewed, tmp_path: Path) -> None:
    """What a table has beside its columns is said."""
    path = tmp_path / "drafts.csv"
    path.write_text("task,model,answer,\nnone,merger,x,aside\n")
    report = import_drafts(searched.workspace, path, campaign=NAME)
    assert report.notes == ["Columns without a heading are not read: number 4."]


def test_answer_grades_boxes_reasons_and_scores_are_kept(graded: Reviewed, tmp_path: Path) -> None:
    """The grade becomes that of the campaign's scale."""
    row = {**ROW, "page_grades": None, "pages": [{**PAGES[1], "fields": {"relevance": 2}}]}
    report = imported(graded, tmp_path, row)
    assert (report.imported, report.models, report.left_out) == (1, ["merger"], [])
    (draft,) = stored_drafts(graded)
    assert (draft.key, draft.version, draft.reasons) == ("draft:1", "v1", "Page 2 says so.")
    assert draft.scores == {"certainty": 0.9, "confidence": 80}
    assert draft.record["answer_variants"] == [["Forty-two otters."]]
    assert draft.record["gold"]["pages"][0]["fields"] == {"relevance": 2}
    assert draft.record["gold"]["boxes"][0]["label"] == "Text"


def test_grades_are_read_in_the_way_of_datasets(graded: Reviewed, tmp_path: Path) -> None:
    """As ``import-tasks`` reads them."""
    row = {name: value for name, value in ROW.items() if name != "boxes"}
    assert imported(graded, tmp_path, row).imported == 1
    (draft,) = stored_drafts(graded)
    assert draft.record["gold"]["pages"][0]["fields"] == {"relevance": "2"}


def test_a_second_import_changes_nothing_and_another_version_supersedes(
    searched: Reviewed, tmp_path: Path
) -> None:
    """Earlier versions are kept; importing one again does not bring it back."""
    first = {"task": "t1", "answer": "42"}
    assert imported(searched, tmp_path, first, model="a", version="1").imported == 1
    second_report = imported(searched, tmp_path, first, model="a", version="1")
    assert (second_report.imported, second_report.already_there) == (0, 1)
    other = imported(searched, tmp_path, first, model="b", version="1")
    assert (other.imported, other.superseded) == (1, 0)
    second = imported(searched, tmp_path, {"task": "t1", "answer": "43"}, model="a", version="2")
    assert (second.imported, second.superseded) == (1, 1)
    assert imported(searched, tmp_path, first, model="a", version="1").already_there == 1
    drafts = stored_drafts(searched)
    assert [(draft.model, draft.version) for draft in drafts] == [
        ("a", "1"), ("b", "1"), ("a", "2"),
    ]  # fmt: skip
    assert [draft.key for draft in current_drafts(drafts)] == ["draft:3", "draft:2"]


def test_a_merging_models_reply_is_read_as_it_is(searched: Reviewed, tmp_path: Path) -> None:
    """The fields of ViDoRe V3's prompt (figure 22); correctness goes to the annotators in order."""
    sources = {"1-Ada": 4, "1-Bo": 4}
    reply = {
        "task": "t1",
        "sources": searched.reviews.streams.task_work(1).sources(),
        "reasoning": "Page 1.",
        "information_in_pages": True,
        "answer_correctness": [True, False],
        "reformulated_answer": "42 otters",
    }
    without_answer = {"task": "t2", "information_in_pages": False, "reformulated_answer": "none"}
    assert imported(searched, tmp_path, reply, without_answer, model="qwen").left_out == []
    (draft,) = stored_drafts(searched)
    assert draft.correctness == {"1-Ada": True, "1-Bo": False}
    assert draft.record["answer_variants"] == [["42 otters"]]
    assert not draft.is_outdated(searched.reviews.streams.task_work(1).sources())
    (unanswerable,) = stored_drafts(searched, 2)
    assert unanswerable.record == {"unanswerable": True}

    outdated = {**reply, "sources": sources, "answer_correctness": [True]}
    assert imported(searched, tmp_path, outdated, model="other").imported == 1
    draft = stored_drafts(searched)[-1]
    assert draft.correctness == {}
    assert draft.is_outdated(searched.reviews.streams.task_work(1).sources())


def test_bad_rows_are_left_out_with_a_reason_each(searched: Reviewed, tmp_path: Path) -> None:
    """The others of the file are imported."""
    task = {"task": "t1"}
    left_out = reasons(
        searched,
        tmp_path,
        {"answer": "1"},
        {"task": "t9", "answer": "1"},
        task,
        {**task, "evidence": [{"document": "b.pdf", "page": 9}]},
        {**task, "evidence": [{"document": "c.pdf", "page": 1}]},
        {**task, "answer": {"text": "1"}},
        {**task, "answer": "1", "unanswerable": True},
        {**task, "answer": "1", "unanswerable": "perhaps"},
        {**task, "fields": {"colour": "red"}},
        {**task, "boxes": [{"document": "b.pdf", "page": 1, "rect": [1, 2, 3, 4], "label": "T"}]},
        {**task, "answer": "1", "scores": {"p": "high"}},
        {**task, "answer": "1", "scores": [1]},
        {**task, "answer": "1", "answer_correctness": [True]},
        {**task, "answer": "1", "answer_correctness": ["yes", "no"]},
        {**task, "answer": "1", "sources": [1]},
        {**task, "answer": "x" * 20_001},
        {**task, "gold": 3},
    )
    for reason, words in zip(
        left_out,
        (
            "has no task or",
            "has no task 't9'",
            "proposes nothing",
            "page 9 of b.pdf does not exist",
            "no document c.pdf",
            "answer: must be text",
            "unanswerable: the task has answers too",
            "unanswerable: must be true or false",
            "there is no task field 'colour'",
            "boxes of this protocol are off",
            "the score 'p'",
            "scores: must be an object",
            "has 1 value, but the task has 2 answers",
            "one per proposed answer",
            "sources: must be copied",
            "20,000 characters",
            "gold: must be an object",
        ),
        strict=True,
    ):
        assert words in reason
    mixed = imported(searched, tmp_path, {"task": "t9"}, {"task": "t1", "answer": "1"}, model="m")
    assert (mixed.imported, [error.line for error in mixed.left_out]) == (1, [1])


def test_a_model_is_named_and_drafts_a_task_once_per_file(
    searched: Reviewed, tmp_path: Path
) -> None:
    """A row without a model, and a second one of the same model."""
    rows = [{"task": "t1", "answer": "1"}, {"task": "t1", "answer": "2", "model": "m"}]
    report = imported(searched, tmp_path, *rows, {**rows[1], "answer": "3"}, {**rows[1], "id": 4})
    assert report.imported == 1
    assert [error.line for error in report.left_out] == [1, 3, 4]
    assert "has no model" in report.left_out[0].reason
    assert "line 2 has a draft of this task by m already" in report.left_out[1].reason


def test_pages_outside_a_task_and_parts_not_asked_for_are_refused(
    graded: Reviewed, tmp_path: Path
) -> None:
    """What nobody could have submitted is no draft."""
    other_page = {**PAGES[0], "page": 3}
    left_out = reasons(
        graded,
        tmp_path,
        {"task": "t1", "evidence": [other_page]},
        {"task": "t1", "pages": [{**other_page, "fields": {"relevance": 7}}]},
        {"task": "t1", "page_grades": [{"document": "b.pdf", "page": 1, "grade": 5}]},
    )
    assert left_out[0] == "evidence: this campaign asks for no evidence"
    assert "gold.pages[0].fields.relevance" in left_out[1]
    assert "the grade 5 does not exist" in left_out[2]


def test_tasks_take_drafts_of_a_limited_number_of_models(
    searched: Reviewed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more is left out; another version of a known model is not."""
    monkeypatch.setattr(importer.ev, "MAX_DRAFTS", 2)
    rows = [{"task": "t1", "answer": "1", "model": model} for model in "abc"]
    report = imported(searched, tmp_path, *rows)
    assert (report.imported, len(report.left_out)) == (2, 1)
    assert "2 models already" in report.left_out[0].reason
    assert imported(searched, tmp_path, {**rows[0], "answer": "2"}).superseded == 1


def test_files_and_campaigns_that_cannot_be_used(searched: Reviewed, tmp_path: Path) -> None:
    """Another kind of file is recognised; closed campaigns take drafts, archived ones do not."""
    verdicts = write_jsonl(tmp_path / "empty.txt", [{"task": "t1"}])
    with pytest.raises(InputFileError):
        import_drafts(searched.workspace, verdicts, campaign=NAME)
    file = write_jsonl(tmp_path / "d.jsonl", [{"task": "t1", "answer": "1", "model": "m"}])
    with pytest.raises(NotFoundError):
        import_drafts(searched.workspace, file, campaign="other")
    close_campaign(searched.workspace, None, NAME)
    assert import_drafts(searched.workspace, file, campaign=NAME).imported == 1
    archive_campaign(searched.workspace, None, NAME, unfinished=True)
    with pytest.raises(ConflictError, match="archived"):
        import_drafts(searched.workspace, file, campaign=NAME)


def test_drafts_are_in_no_attempt_and_no_task(searched: Reviewed, tmp_path: Path) -> None:
    """An import stores no event and changes no task's record."""
    before = searched.reviews.streams.task_work(1)
    imported(searched, tmp_path, {"task": "t1", "answer": "secret"}, model="m")
    after = searched.reviews.streams.task_work(1)
    assert before == after
    assert "secret" not in repr(after)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("fields", value) for value in (True, 1, "x", [[[]]], ["a"])],
        *[("pages", value) for value in (True, 1, "x", [[]], {"a": {}}, [{"fields": 1}])],
        *[("boxes", value) for value in (True, 1, "x", [1], {"a": {}})],
        ("gold", {"fields": 1}),
    ],
)
def test_malformed_gold_costs_its_row_only(
    searched: Reviewed, tmp_path: Path, name: str, value: Any
) -> None:
    """Whatever JSON it is: the reason names the place, and the other row is imported."""
    malformed = {"task": "t1", "model": "m", "answer": "42", name: value}
    report = imported(searched, tmp_path, malformed, {"task": "t2", "model": "m", "answer": "42"})
    assert (report.imported, [error.line for error in report.left_out]) == (1, [1])
    assert report.left_out[0].reason.startswith("gold.")
