"""Incomplete gold is never stored, old gold like it is found, and a decision can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts import completeness
from pagetrail.annotation.attempts.validation import events as event_validation
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.app.cli.main import app
from pagetrail.exports.gold.adjudicated_gold import gold_versions
from pagetrail.exports.reading.open_source import open_source
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import ReviewTask
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks import protocol_requirements
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.review import gold_streams, task_rows
from pagetrail.storage.review.bulk_acceptance import propose
from tests.storage.review.test_actions import RECORDS, gold_events, status
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

ADA = {"answer": Pick("side", "1-Ada"), "evidence": Pick("side", "1-Ada")}


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Two people with the same answer to the first task and other pages, and any pages agree."""
    protocol = with_overrides(
        preset("search"), {"overlap": 2, "review.pages": 0.0, "review.check_share": 0.0}
    )
    reviewed = campaign(tmp_path / "ws", protocol, RECORDS[:2])
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "42", 2)
    return reviewed


def test_neither_the_rule_nor_a_reviewer_accepts_gold_with_open_pages(reviewed: Reviewed) -> None:
    """The reviewer is told which pages are open; nothing is stored until they are decided."""
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
    assert status(reviewed, 1) == "conflict"
    for picks in ({}, {"answer": Pick("none")}):
        with pytest.raises(Refusal, match="“Evidence pages”: open on 2 pages") as refused:
            reviewed.reviews.decide(1, "Sofia", picks, "", reviewed.current_version(1), "e1")
        assert refused.value.code == "tied"
        assert gold_events(reviewed, 1) == []
    reviewed.reviews.put_together(1, "Sofia", {}, reviewed.current_version(1), "e2")
    with pytest.raises(Refusal, match="“Evidence pages”: open on 2 pages"):
        reviewed.reviews.decide(1, "Sofia", None, "", reviewed.current_version(1), "e3")
    rejected = {"evidence": Pick("retention", rejected=(("b.pdf", 1), ("b.pdf", 2)))}
    with pytest.raises(Refusal, match="No page is cited") as refused:
        reviewed.reviews.decide(1, "Sofia", rejected, "", reviewed.current_version(1), "e3")
    assert refused.value.code == "incomplete"
    decided = reviewed.reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e4").state
    assert [cited.page for cited in decided.citations] == [1]
    assert status(reviewed, 1) == "decided"


def exported(reviewed: Reviewed) -> list[int]:
    """The versions of the first task's gold that exports see."""
    with open_source(reviewed.workspace, "Random") as source:
        return [
            version.review.version
            for stream in source.gold_streams()
            for version in gold_versions(source, stream)
        ]


def test_the_last_decision_is_undone_by_whoever_made_it(reviewed: Reviewed) -> None:
    """By an event: the log keeps the decision, exports do not see it, and it is made again."""
    reviews = reviewed.reviews
    first = reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e1").state
    with pytest.raises(Refusal, match="Sofia has decided this task"):
        reviews.undo(1, "Sven", first.last_seq, "e2")
    for _ in range(2):  # sent again, it is done once
        state = reviews.undo(1, "Sofia", first.last_seq, "e3").state
    assert state.review is not None
    assert (state.review.version, state.review.holder, state.status) == (0, "Sofia", "open")
    assert state.answer == ["42"]
    assert (status(reviewed, 1), exported(reviewed)) == ("conflict", [])
    with pytest.raises(Refusal, match="not the last decision"):
        reviews.undo(1, "Sofia", first.last_seq, "e4")
    bo = {"answer": Pick("side", "1-Bo"), "evidence": Pick("side", "1-Bo")}
    reviews.decide(1, "Sofia", bo, "", reviewed.current_version(1), "e5")
    assert exported(reviewed) == [1]
    assert gold_events(reviewed, 1) == [
        "gold_merged", "adjudicated", "decision_undone", "gold_merged", "adjudicated"
    ]  # fmt: skip
    reviews.take_up(1, "Sofia", "slip", "e6")
    second = reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e7").state
    state = reviews.undo(1, "Sofia", second.last_seq, "e8").state
    assert state.review is not None
    assert (state.review.version, state.review.reopened) == (1, True)
    assert (status(reviewed, 1), exported(reviewed)) == ("conflict", [1])


def test_old_gold_that_is_incomplete_is_found(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored before that was checked: in the queue when it is looked at again, named by verify."""
    with monkeypatch.context() as before:
        for module in (completeness, event_validation, gold_streams, task_rows):
            before.setattr(module, "gold_missing", lambda _form: {})
        before.setattr(task_rows, "tied_parts", lambda *_args: [])
        reviewed.reviews.acceptance.settle(CAMPAIGN)
        assert status(reviewed, 1) == "accepted"
    workspace = reviewed.workspace
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(ReviewTask).values(stale=True))
    assert status(reviewed, 1) == "incomplete"
    (problem,) = next(check for check in verify(workspace) if check.name == "gold").problems
    assert problem == (
        "t/1 of Random is incomplete: No page is cited. Cite the pages that your answer rests on. "
        "Reopen it."
    )
    assert CliRunner().invoke(app, ["verify", str(workspace.root)]).exit_code == 1
    reviewed.reviews.take_up(1, "Sofia", "No page", "e1")
    reviewed.reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e2")
    assert status(reviewed, 1) == "decided"
    assert all(not check.problems for check in verify(workspace) if check.name == "gold")


def test_unanswerable_gold_with_a_page_is_refused_by_every_route(tmp_path: Path) -> None:
    """By rule, by a reviewer, in bulk, and on import; without the pages it is accepted."""
    protocol = with_overrides(preset("search"), {"overlap": 2, "answer.unanswerable": True})
    reviewed = campaign(tmp_path / "ws", protocol, RECORDS[:1])
    with pytest.MonkeyPatch.context() as before:  # as older versions let them submit it
        before.setattr(event_validation, "missing", lambda *_args: {})
        for name in ("Ada", "Bo"):
            reviewed.do(
                f"1-{name}",
                ev.CitationAdded(document="b.pdf", page=1),
                ev.Submitted(outcome="unanswerable"),
            )
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
    assert status(reviewed, 1) == "conflict"
    with pytest.raises(Refusal, match="cited for an unanswerable question"):
        reviewed.reviews.decide(1, "Sofia", {}, "", reviewed.current_version(1), "e1")
    (proposed,) = propose(reviewed.reviews, (1,), "Sofia")
    assert "cited for an unanswerable question" in proposed.left_out
    no_evidence = {"evidence": Pick("none")}
    reviewed.reviews.decide(1, "Sofia", no_evidence, "", reviewed.current_version(1), "e2")
    assert status(reviewed, 1) == "decided"


def test_imported_gold_that_contradicts_itself_is_refused_and_found(tmp_path: Path) -> None:
    """Unanswerable, with evidence: a bad row now; from an older version, verify names it."""
    workspace = Workspace.create(tmp_path / "ws")
    rows = tmp_path / "tasks.jsonl"
    rows.write_text(
        '{"id": "q", "question": "Who?", "unanswerable": true, "answer_variants": [["42"]]}',
        encoding="utf-8",
    )
    report = import_tasks(workspace, rows, campaign="Old", protocol="search")
    assert report.imported == 0
    assert "unanswerable: the task has answers too" in str(report.bad)
    with pytest.MonkeyPatch.context() as before:
        before.setattr(protocol_requirements, "unanswerable_problem", lambda *_args: None)
        import_tasks(workspace, rows, campaign="Old", protocol="search")
    (problem,) = next(check for check in verify(workspace) if check.name == "gold").problems
    assert problem.startswith("q of Old came with gold that contradicts itself")
