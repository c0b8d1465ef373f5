"""The tables of a workspace.

Times are ISO-8601 UTC strings with microseconds (``annotation.clock.iso``), so that they sort as
text and read the same in every database and export. Lengths are PDF points (1/72 inch).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, Integer, String, Text, UniqueConstraint
from sqlmodel import Field

from pagetrail.annotation.tasks.identity import question_key
from pagetrail.storage.database.base import Base, table
from pagetrail.storage.database.document_tables import (
    Document,
    DocumentAlias,
    Page,
    RecognisedWords,
)
from pagetrail.storage.database.projection_tables import AttemptSummary, ResponseRow, ReviewTask
from pagetrail.storage.database.sign_in_tables import (
    Identity,
    Invitation,
    LoginSession,
    SignInAttempt,
    UsedLogoutToken,
)
from pagetrail.storage.database.verdict_tables import (
    OriginalContent,
    OutsideVerdict,
    RunDecision,
    RunOriginal,
)


class Meta(Base, table=True):
    """Facts about the workspace: schema, corpus revision, secrets. One row per key."""

    __tablename__ = "meta"
    key: str = Field(primary_key=True)
    value: str = Field(sa_column=Column(Text, nullable=False))


class Campaign(Base, table=True):
    """A protocol preset, its settings and its guidelines, applied to a set of tasks.

    ``claims``: who may take its batches, see ``storage.batches.claims.ClaimRule``. ``checks_of``:
    the campaign whose quality checks these are, of one ``check_kind``; see
    ``storage.batches.checks``.
    """

    __tablename__ = "campaign"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    protocol: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    guidelines: str = Field(sa_column=Column(Text, nullable=False))
    seed: int
    status: str = "open"
    created_at: str
    claims: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False, server_default="{}"))
    checks_of: int | None = None
    check_kind: str | None = None


class GuidelineVersion(Base, table=True):
    """A text that a campaign's guidelines had; the current one is also in ``campaign``.

    ``name`` is what commands call the version. ``by`` is a pseudonym, ``command line``, or
    ``original`` for the text that the campaign was created with.
    """

    __tablename__ = "guideline_version"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    name: str
    at: str
    by: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class PayRate(Base, table=True):
    """What a campaign pays, or one person in it; see ``storage.campaigns.pay_rates``."""

    __tablename__ = "pay_rate"
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    user_id: int | None = Field(default=None, foreign_key="user_account.id")
    amount: str
    unit: str
    currency: str


class Batch(Base, table=True):
    """Tasks assigned together under a constellation's name; ``due_on`` is a day, YYYY-MM-DD."""

    __tablename__ = "batch"
    __table_args__ = (
        UniqueConstraint("campaign_id", "position"),
        UniqueConstraint("campaign_id", "code_name"),
    )
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    position: int
    code_name: str
    priority: int = 0
    due_on: str | None = None


def _key_of_question(context: Any) -> str:
    """The default of a new task, from the record stored with it."""
    return question_key(context.get_current_parameters()["record"])


class Task(Base, table=True):
    """A question or other item to work on. Its ``gold`` is never sent to annotators.

    ``copy_of``: the task that a hidden gold or repeated task is a copy of. ``question_key``: by
    which the same task is found in other campaigns (``annotation.tasks.identity``); whoever changes
    the record changes it as well.
    """

    __tablename__ = "task"
    __table_args__ = (UniqueConstraint("campaign_id", "key"),)
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    batch_id: int = Field(foreign_key="batch.id", index=True)
    key: str
    position: int
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    copy_of: int | None = None
    question_key: str = Field(
        sa_column=Column(
            String, nullable=False, index=True, server_default="", default=_key_of_question
        )
    )


class User(Base, table=True):
    """A person who signs in, or the system user of an imported run (no password)."""

    __tablename__ = "user_account"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    role: str
    pseudonym: str = Field(unique=True)
    password_hash: str | None = None
    active: bool = True
    created_at: str
    languages: list[str] = Field(sa_column=Column(JSON, nullable=False, server_default="[]"))
    skills: list[str] = Field(sa_column=Column(JSON, nullable=False, server_default="[]"))
    group: str = Field(sa_column=Column(String, nullable=False, server_default=""))
    away_from: str | None = None
    away_until: str | None = None
    email: str | None = None


class Assignment(Base, table=True):
    """A batch assigned to a person, with the seed of that person's task order.

    ``told_at`` is when the person's screen said that the batch is withdrawn. ``checks`` is the
    number of hidden gold and repeated tasks in it, ``reminded_of`` the deadline (YYYY-MM-DD) of
    which the person had a reminder.
    """

    __tablename__ = "assignment"
    __table_args__ = (UniqueConstraint("batch_id", "user_id"),)
    id: int | None = Field(default=None, primary_key=True)
    batch_id: int = Field(foreign_key="batch.id", index=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    seed: int
    status: str = "open"
    created_at: str
    told_at: str | None = None
    checks: int = Field(sa_column=Column(Integer, nullable=False, server_default="0"))
    reminded_of: str | None = None


class Attempt(Base, table=True):
    """Task × person × setting: the stream of events that make up a trajectory."""

    __tablename__ = "attempt"
    __table_args__ = (UniqueConstraint("task_id", "user_id", "setting"),)
    id: str = Field(primary_key=True)
    task_id: int = Field(foreign_key="task.id", index=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    assignment_id: int | None = Field(default=None, foreign_key="assignment.id", index=True)
    setting: str
    created_at: str


class Event(Base, table=True):
    """The append-only log; triggers refuse UPDATE and DELETE (see the first migration)."""

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("attempt_id", "seq", name="uq_event_seq"),
        UniqueConstraint("attempt_id", "client_event_id", name="uq_event_client"),
    )
    id: int | None = Field(default=None, primary_key=True)
    attempt_id: str = Field(foreign_key="attempt.id")
    seq: int
    type: str
    version: int
    server_ts: str
    client_ts: str | None = None
    elapsed_ms: int
    actor: str
    client_event_id: str
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class UnsentEvent(Base, table=True):
    """A change that came too late for the log; never part of the attempt."""

    __tablename__ = "unsent_event"
    __table_args__ = (UniqueConstraint("attempt_id", "client_event_id"),)
    id: int | None = Field(default=None, primary_key=True)
    attempt_id: str = Field(foreign_key="attempt.id")
    received_at: str
    client_ts: str | None = None
    client_event_id: str
    type: str
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class Qualification(Base, table=True):
    """A supervisor's decision on a person's pilot; rows are only added, the last one counts."""

    __tablename__ = "qualification"
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    decision: str
    reason: str = Field(sa_column=Column(Text, nullable=False))
    by: str
    at: str
    baseline: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class JobState(Base, table=True):
    """The last job of each kind, see ``storage.database.job_states.Job``."""

    __tablename__ = "job_state"
    kind: str = Field(primary_key=True)
    id: int
    title: str
    by: str
    started_at: str
    state: str
    message: str = Field(sa_column=Column(Text, nullable=False))
    phase: str
    done: int
    total: int
    ended_at: str | None = None
    result: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class Audit(Base, table=True):
    """Refused access and administrative actions: who, what, when."""

    __tablename__ = "audit"
    id: int | None = Field(default=None, primary_key=True)
    at: str
    actor: str
    action: str
    detail: str = Field(sa_column=Column(Text, nullable=False))


# The tables behind the models, for core statements.
META = table(Meta)
DOCUMENTS = table(Document)
DOCUMENT_ALIASES = table(DocumentAlias)
PAGES = table(Page)
RECOGNISED_WORDS = table(RecognisedWords)
CAMPAIGNS = table(Campaign)
GUIDELINE_VERSIONS = table(GuidelineVersion)
PAY_RATES = table(PayRate)
BATCHES = table(Batch)
TASKS = table(Task)
USERS = table(User)
LOGIN_SESSIONS = table(LoginSession)
SIGN_IN_ATTEMPTS = table(SignInAttempt)
USED_LOGOUT_TOKENS = table(UsedLogoutToken)
IDENTITIES = table(Identity)
INVITATIONS = table(Invitation)
ASSIGNMENTS = table(Assignment)
ATTEMPTS = table(Attempt)
EVENTS = table(Event)
UNSENT_EVENTS = table(UnsentEvent)
RESPONSES = table(ResponseRow)
SUMMARIES = table(AttemptSummary)
REVIEWS = table(ReviewTask)
QUALIFICATIONS = table(Qualification)
JOB_STATES = table(JobState)
VERDICTS = table(OutsideVerdict)
RUN_DECISIONS = table(RunDecision)
ORIGINAL_CONTENTS = table(OriginalContent)
RUN_ORIGINALS = table(RunOriginal)
AUDIT = table(Audit)
