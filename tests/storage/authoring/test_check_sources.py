"""What the live checks read: page texts and the questions that exist."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.authoring.check_sources import StoredPageTexts, existing_questions
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.support.factory import AttemptDriver, make_workspace

OWN_QUESTION = "Which river has most otters?"


def begin(workspace: Workspace, attempt_id: str, question: str) -> AttemptDriver:
    """Write a question with answer and evidence; it is not submitted yet."""
    context = queries.attempt(workspace.engine, attempt_id).context()
    at = AttemptDriver(SqlEventLog(workspace.engine), context)
    at.do(ev.QuestionEdited(text=question))
    at.do(ev.AnswerEdited(text="the Saône"))
    at.do(ev.CitationAdded(document="b.pdf", page=1))
    at.do(ev.FieldSet(field="hop", value="single"))
    return at


def submit(workspace: Workspace, attempt_id: str, question: str) -> AttemptDriver:
    """Write a question and submit it."""
    at = begin(workspace, attempt_id, question)
    at.do(ev.Checked(at_seq=at.state.last_seq, findings=()))
    assert at.do(ev.Submitted(outcome="answered")).refusals == {}
    return at


def questions(workspace: Workspace, attempt_id: str) -> list[str]:
    """What the question of that attempt is compared with."""
    stored = existing_questions(workspace.engine, exclude_attempt=attempt_id)
    return [question for _, question in stored]


@pytest.fixture
def writing(tmp_path: Path) -> Workspace:
    """An authoring campaign: briefs 1 to 4, each before Ada and Grace."""
    return make_workspace(tmp_path / "ws", protocol=preset("author"))


def test_page_texts(writing: Workspace) -> None:
    """The stored text; None for a blank page, a page beyond the end, and an unknown document."""
    texts = StoredPageTexts(writing.engine)
    assert texts.text("b.pdf", 2) == "otters 2"
    assert [texts.text("b.pdf", page) for page in (0, 4, -1)] == [None] * 3
    assert texts.text("c.pdf", 1) is None
    with write_transaction(writing.engine) as connection:
        connection.execute(update(Page).values(text=" \n"))
    assert texts.text("b.pdf", 2) is None


def test_briefs_are_no_questions_and_tasks_are(writing: Workspace, tmp_path: Path) -> None:
    """Another campaign's tasks count, in their order; what authors are told does not."""
    assert questions(writing, "1-Ada") == []
    tasks = tmp_path / "tasks.jsonl"
    rows = [{"id": f"q{n}", "question": f"Who is {n}? ‘é’"} for n in (2, 1)]
    tasks.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    import_tasks(writing, tasks, campaign="Given", protocol="search", overlap=1)
    assert existing_questions(writing.engine, exclude_attempt="1-Ada") == [
        ("q2", "Who is 2? ‘é’"),
        ("q1", "Who is 1? ‘é’"),
    ]


def test_what_is_handed_in_counts_for_others(writing: Workspace) -> None:
    """Drafts, one's own attempt, and another version of the same brief do not."""
    draft = begin(writing, "2-Ada", "A draft?")
    submit(writing, "1-Ada", OWN_QUESTION)
    assert questions(writing, "3-Ada") == questions(writing, "2-Grace") == [OWN_QUESTION]
    assert questions(writing, "1-Ada") == questions(writing, "1-Grace") == []
    draft.do(ev.Skipped(reason="no idea"))
    assert questions(writing, "3-Ada") == [OWN_QUESTION]


def test_a_reopened_question_does_not_count(writing: Workspace) -> None:
    """It is a draft again, until it is submitted with its new words."""
    at = submit(writing, "1-Ada", OWN_QUESTION)
    at.do(ev.Reopened())
    assert questions(writing, "2-Grace") == []
    at.do(ev.QuestionEdited(text="Another?"))
    at.do(ev.Checked(at_seq=at.state.last_seq, findings=()))
    at.do(ev.Submitted(outcome="answered"))
    assert questions(writing, "2-Grace") == ["Another?"]


def test_a_pilot_leaves_nothing_behind(tmp_path: Path) -> None:
    """Questions written to practise are not part of the collection."""
    protocol = with_overrides(preset("author"), {"pilot.enabled": True})
    workspace = make_workspace(tmp_path / "ws", protocol=protocol)
    submit(workspace, "1-Ada", OWN_QUESTION)
    assert questions(workspace, "2-Grace") == []
