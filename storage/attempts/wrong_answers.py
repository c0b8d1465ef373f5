"""Which submitted answers do not match the task's gold answers, for lists that show only those."""

from __future__ import annotations

from sqlalchemy import Engine, bindparam, select

from pagetrail.annotation.metrics.correctness import UNDECIDED, decide
from pagetrail.annotation.protocols.sections import AnswerPart
from pagetrail.annotation.tasks.task import question_of
from pagetrail.storage.database.json_cache import as_text, record_of
from pagetrail.storage.database.portable_sql import as_json
from pagetrail.storage.database.tables import Attempt, AttemptStateRow, Campaign, Task, User
from pagetrail.storage.people.system_roles import REVIEW

_PROTOCOL = select(Campaign.protocol).where(Campaign.name == bindparam("campaign"))


def wrong_attempts(engine: Engine, campaign: str) -> list[str]:
    """Ids of the campaign's submitted attempts whose answer is wrong, as ``decide`` judges it.

    Finding no answer, or claiming there is none, is wrong if the task has one. Attempts at tasks
    without gold answers, and answers that the rule leaves undecided, are neither right nor wrong.
    """
    statement = (
        select(
            Attempt.id,
            AttemptStateRow.outcome,
            as_json(AttemptStateRow.state)["answer_text"].as_string().label("answer"),
            as_text(Task.record).label("record"),
        )
        .join(AttemptStateRow, AttemptStateRow.attempt_id == Attempt.id)
        .join(Task, Task.id == Attempt.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .join(User, User.id == Attempt.user_id)
        .where(
            Campaign.name == campaign,
            AttemptStateRow.status == "submitted",
            User.role != REVIEW,
        )
    )
    with engine.connect() as connection:
        protocol = connection.execute(_PROTOCOL, {"campaign": campaign}).scalar() or {}
        answer_part = AnswerPart.model_validate(protocol.get("answer", {}))
        return [
            row.id
            for row in connection.execute(statement)
            if _is_wrong(row.outcome, row.answer or "", record_of(row.record), answer_part)
        ]


def _is_wrong(
    outcome: str | None, text: str, record: dict[str, object], answer_part: AnswerPart
) -> bool:
    variants = record.get("answer_variants")
    if not isinstance(variants, list) or not variants:
        return bool(record.get("unanswerable")) and outcome == "answered"
    answer = [line.strip() for line in text.splitlines() if line.strip()]
    given_answer = answer if outcome == "answered" else []
    if not given_answer:
        return True
    decision = decide(given_answer, variants, question=question_of(record, answer_part))
    return decision.correct is False and decision.decided_by != UNDECIDED
