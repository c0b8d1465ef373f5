"""Which submitted answers do not match the task's gold answers, for lists that show only those."""

from __future__ import annotations

from sqlalchemy import Engine, bindparam, select

from pagetrail.annotation.answers.item_decision import Tolerance
from pagetrail.annotation.metrics.correctness import decide
from pagetrail.annotation.protocols.sections import AnswerPart
from pagetrail.annotation.tasks.task import language_of
from pagetrail.storage.database.json_cache import as_text, record_of
from pagetrail.storage.database.portable_sql import as_json
from pagetrail.storage.database.tables import ATTEMPTS, CAMPAIGNS, RESPONSES, TASKS, USERS
from pagetrail.storage.people.system_roles import REVIEW

_PROTOCOL = select(CAMPAIGNS.c.protocol).where(CAMPAIGNS.c.name == bindparam("campaign"))


def wrong_attempts(engine: Engine, campaign: str) -> list[str]:
    """Ids of the campaign's submitted attempts whose answer is wrong, as ``decide`` judges it.

    Whoever found no answer, or says that there is none, is wrong where the task has one. Attempts
    at tasks without gold answers are neither right nor wrong.
    """
    statement = (
        select(
            ATTEMPTS.c.id,
            RESPONSES.c.outcome,
            as_json(RESPONSES.c.state)["answer_text"].as_string().label("answer"),
            as_text(TASKS.c.record).label("record"),
        )
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
        .join(CAMPAIGNS, CAMPAIGNS.c.id == TASKS.c.campaign_id)
        .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
        .where(
            CAMPAIGNS.c.name == campaign,
            RESPONSES.c.status == "submitted",
            USERS.c.role != REVIEW,
        )
    )
    with engine.connect() as connection:
        protocol = connection.execute(_PROTOCOL, {"campaign": campaign}).scalar() or {}
        tolerance = Tolerance.of(AnswerPart.model_validate(protocol.get("answer", {})))
        return [
            row.id
            for row in connection.execute(statement)
            if _is_wrong(row.outcome, row.answer or "", record_of(row.record), tolerance)
        ]


def _is_wrong(
    outcome: str | None, text: str, record: dict[str, object], tolerance: Tolerance
) -> bool:
    variants = record.get("answer_variants")
    if not isinstance(variants, list) or not variants:
        return bool(record.get("unanswerable")) and outcome == "answered"
    answer = [line.strip() for line in text.splitlines() if line.strip()]
    given = answer if outcome == "answered" else []
    return not given or (
        decide(given, variants, language=language_of(record), tolerance=tolerance).correct is False
    )
