"""The data behind the live checks of a question: page texts and existing questions."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Engine, select

from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Campaign,
    Document,
    Page,
    Task,
)

_TEXT = select(Page.text).join(Document, Document.id == Page.document_id)


class StoredPageTexts:
    """Implements ``annotation.authoring.PageTexts`` over the workspace's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def text(self, document: str, page: int) -> str | None:
        """The stored text of a page; None for a scan without OCR or a page that does not exist.

        Args:
            document: document name.
            page: 1-based page number.
        """
        statement = _TEXT.where(Document.name == document, Page.number == page)
        with self._engine.connect() as connection:
            page_text = connection.execute(statement).scalar()
        return page_text if page_text and page_text.strip() else None


def existing_questions(engine: Engine, *, exclude_attempt: str) -> list[tuple[str, str]]:
    """The questions of the workspace that a new one must not repeat.

    They are the questions of all tasks, except where a task's text is the brief of an authoring
    campaign, and the questions that authors have submitted. Drafts, pilot questions and the other
    authors' questions on the same task do not count: nobody is to see them, and authors on one
    brief are meant to write independently.

    Args:
        exclude_attempt: the attempt whose question is checked.

    Returns:
        (task key or attempt id, question), tasks first, each in order of creation.
    """
    with engine.connect() as connection:
        protocols = {
            row.id: stored_protocol(row.protocol)
            for row in connection.execute(select(Campaign.id, Campaign.protocol))
        }
        authoring_ids = {id_ for id_, p in protocols.items() if p.question.kind == "editable"}
        production_ids = {id_ for id_ in authoring_ids if not protocols[id_].pilot.enabled}
        questions = [
            *_task_questions(connection, set(protocols) - authoring_ids),
            *_submitted_questions(connection, production_ids, exclude_attempt),
        ]
    return [(id_, question) for id_, question in questions if question.strip()]


def _task_questions(connection: Connection, campaigns: set[int]) -> list[tuple[str, str]]:
    statement = (
        select(Task.key, Task.record["question"].as_string().label("question"))
        .where(Task.campaign_id.in_(campaigns))
        .order_by(Task.id)
    )
    return [(row.key, row.question or "") for row in connection.execute(statement)]


def _submitted_questions(
    connection: Connection, campaigns: set[int], attempt: str
) -> list[tuple[str, str]]:
    own_task = select(Attempt.task_id).where(Attempt.id == attempt).scalar_subquery()
    statement = (
        select(Attempt.id, AttemptStateRow.state)
        .join(Attempt, Attempt.id == AttemptStateRow.attempt_id)
        .join(Task, Task.id == Attempt.task_id)
        .where(
            Task.campaign_id.in_(campaigns),
            AttemptStateRow.status == "submitted",
            Task.id.is_distinct_from(own_task),
        )
        .order_by(Attempt.created_at, Attempt.id)
    )
    questions = []
    for row in connection.execute(statement):
        # Not the whole model: there are thousands of states, and only one value of each is needed.
        state: dict[str, Any] = json.loads(row.state)
        questions.append((str(row.id), str(state.get("question_text") or "")))
    return questions
