"""The tables of a workspace: each class is the table, its rows' type, and what statements name.

The classes end in ``Row`` where the domain has a class of the same name. ``attempt_state``,
``attempt_summary`` and ``review_task`` are projections, which ``pagetrail rebuild`` makes again
from the log. Times are ISO-8601 UTC strings with microseconds (``annotation.clock.iso``), so that
they sort as text and read the same in every database and export. Lengths are PDF points
(1/72 inch).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlmodel import Field

from pagetrail.annotation.tasks.identity import question_key
from pagetrail.storage.database.base import Base, Mapped
from pagetrail.storage.database.statuses import RUNNING

_Milliseconds = BigInteger().with_variant(Integer, "sqlite")
"""64-bit on PostgreSQL: 32 bits of milliseconds overflow after 24 days."""
_IS_AID = text("type IN ('page_bookmarked', 'bookmark_removed', 'scratchpad_edited')")

_IS_EXCLUDED = text("excluded IS NOT NULL")


class Meta(Base, table=True):
    """Facts about the workspace: schema, corpus revision, secrets. One row per key."""

    __tablename__ = "meta"
    key: Mapped[str] = Field(primary_key=True)
    value: Mapped[str] = Field(sa_type=Text)


class Campaign(Base, table=True):
    """A protocol preset, its settings and its guidelines, applied to a set of tasks.

    ``claims``: who may take its batches, see ``storage.batches.claims.ClaimRule``. ``checks_of``:
    the campaign whose quality checks these are, of one ``check_kind``; see
    ``storage.batches.checks``.
    """

    __tablename__ = "campaign"
    id: Mapped[int] = Field(default=None, primary_key=True)
    name: Mapped[str] = Field(unique=True)
    protocol: Mapped[dict[str, Any]] = Field(sa_type=JSON)
    guidelines: Mapped[str] = Field(sa_type=Text)
    seed: Mapped[int]
    status: Mapped[str] = Field(default="open")
    created_at: Mapped[str]
    claims: Mapped[dict[str, Any]] = Field(sa_type=JSON, sa_column_kwargs={"server_default": "{}"})
    checks_of: Mapped[int | None] = Field(default=None)
    check_kind: Mapped[str | None] = Field(default=None)


class GuidelineVersion(Base, table=True):
    """A text that a campaign's guidelines had; the current one is also in ``campaign``.

    ``name`` is what commands call the version. ``by`` is a pseudonym, ``command line``, or
    ``original`` for the text that the campaign was created with.
    """

    __tablename__ = "guideline_version"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    name: Mapped[str]
    at: Mapped[str]
    by: Mapped[str]
    text: Mapped[str] = Field(sa_type=Text)


class PayRateRow(Base, table=True):
    """What a campaign pays, or one person in it; see ``storage.campaigns.pay_rates``.

    ``amount``: a decimal number as text, which keeps its digits.
    """

    __tablename__ = "pay_rate"
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    user_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    amount: Mapped[str]
    unit: Mapped[str]
    currency: Mapped[str]


class Batch(Base, table=True):
    """Tasks assigned together under a constellation's name; ``due_on`` is a day, YYYY-MM-DD."""

    __tablename__ = "batch"
    __table_args__ = (
        UniqueConstraint("campaign_id", "position"),
        UniqueConstraint("campaign_id", "code_name"),
    )
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    position: Mapped[int]
    code_name: Mapped[str]
    priority: Mapped[int] = Field(default=0)
    due_on: Mapped[str | None] = Field(default=None)


def _key_of_question(context: Any) -> str:
    """The default of a new task, from the record stored with it."""
    return question_key(context.get_current_parameters()["record"])


class Task(Base, table=True):
    """A question or other item to work on. Its ``gold`` is never sent to annotators.

    ``excluded``: why it no longer counts (``storage.campaigns.excluded_tasks``); NULL if it does.
    ``excluded_by``, an account or NULL for the command line, and ``excluded_at`` are set with it.
    ``copy_of``: the task that a hidden gold or repeated task is a copy of. ``question_key``: by
    which the same task is found in other campaigns (``annotation.tasks.identity``); whoever changes
    the record changes it as well.
    """

    __tablename__ = "task"
    __table_args__ = (
        UniqueConstraint("campaign_id", "key"),
        Index(
            "ix_task_excluded",
            "campaign_id",
            sqlite_where=_IS_EXCLUDED,
            postgresql_where=_IS_EXCLUDED,
        ),
    )
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    batch_id: Mapped[int] = Field(foreign_key="batch.id", index=True)
    key: Mapped[str]
    position: Mapped[int]
    record: Mapped[dict[str, Any]] = Field(sa_type=JSON)
    copy_of: Mapped[int | None] = Field(default=None)
    question_key: Mapped[str] = Field(
        index=True, sa_column_kwargs={"server_default": "", "default": _key_of_question}
    )
    excluded: Mapped[str | None] = Field(default=None, sa_type=Text)
    excluded_by: Mapped[int | None] = Field(default=None)
    excluded_at: Mapped[str | None] = Field(default=None)


class User(Base, table=True):
    """A person who signs in, or the system user of an imported run (no password).

    ``former_names``: those that texts of the audit log still have, for when the person is
    anonymised.
    """

    __tablename__ = "user_account"
    id: Mapped[int] = Field(default=None, primary_key=True)
    name: Mapped[str] = Field(unique=True)
    role: Mapped[str]
    pseudonym: Mapped[str] = Field(unique=True)
    password_hash: Mapped[str | None] = Field(default=None)
    active: Mapped[bool] = Field(default=True)
    created_at: Mapped[str]
    languages: Mapped[list[str]] = Field(sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    skills: Mapped[list[str]] = Field(sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    group: Mapped[str] = Field(sa_column_kwargs={"server_default": ""})
    away_from: Mapped[str | None] = Field(default=None)
    away_until: Mapped[str | None] = Field(default=None)
    email: Mapped[str | None] = Field(default=None)
    preferences: Mapped[dict[str, Any]] = Field(
        sa_type=JSON, sa_column_kwargs={"server_default": "{}"}
    )
    former_names: Mapped[list[str]] = Field(sa_type=JSON, sa_column_kwargs={"server_default": "[]"})


class Assignment(Base, table=True):
    """A batch assigned to a person, with the seed of that person's task order.

    ``withdrawal_shown_at``: when the person's screen said that the batch is withdrawn. ``checks``:
    the number of hidden gold and repeated tasks in it. ``reminded_of``: the deadline (YYYY-MM-DD)
    of which the person had a reminder.
    """

    __tablename__ = "assignment"
    __table_args__ = (UniqueConstraint("batch_id", "user_id"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    batch_id: Mapped[int] = Field(foreign_key="batch.id", index=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    seed: Mapped[int]
    status: Mapped[str] = Field(default="open")
    created_at: Mapped[str]
    withdrawal_shown_at: Mapped[str | None] = Field(default=None)
    checks: Mapped[int] = Field(sa_column_kwargs={"server_default": "0"})
    reminded_of: Mapped[str | None] = Field(default=None)


class Attempt(Base, table=True):
    """Task × person × setting: the stream of events that make up a trajectory."""

    __tablename__ = "attempt"
    __table_args__ = (UniqueConstraint("task_id", "user_id", "setting"),)
    id: Mapped[str] = Field(primary_key=True)
    task_id: Mapped[int] = Field(foreign_key="task.id", index=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    assignment_id: Mapped[int | None] = Field(default=None, foreign_key="assignment.id", index=True)
    setting: Mapped[str]
    created_at: Mapped[str]


class EventRow(Base, table=True):
    """The append-only log; triggers refuse UPDATE and DELETE (see the first migration).

    ``actor``: who has no account; "" with an ``actor_id``. People in payloads are ids as well
    (``storage.people.people_by_id``).
    ``document_version``: the version of the payload's document that was seen; NULL for the first.
    """

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("attempt_id", "seq", name="uq_event_seq"),
        UniqueConstraint("attempt_id", "client_event_id", name="uq_event_client"),
        Index("ix_event_aids", "attempt_id", sqlite_where=_IS_AID, postgresql_where=_IS_AID),
    )
    id: Mapped[int] = Field(default=None, primary_key=True)
    attempt_id: Mapped[str] = Field(foreign_key="attempt.id")
    seq: Mapped[int]
    type: Mapped[str]
    version: Mapped[int]
    server_ts: Mapped[str]
    client_ts: Mapped[str | None] = Field(default=None)
    elapsed_ms: Mapped[int] = Field(sa_type=_Milliseconds)
    actor_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    actor: Mapped[str]
    client_event_id: Mapped[str]
    payload: Mapped[dict[str, Any]] = Field(sa_type=JSON)
    document_version: Mapped[int | None] = Field(default=None)


class UnsentEventRow(Base, table=True):
    """A change that came too late for the log; never part of the attempt."""

    __tablename__ = "unsent_event"
    __table_args__ = (UniqueConstraint("attempt_id", "client_event_id"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    attempt_id: Mapped[str] = Field(foreign_key="attempt.id")
    received_at: Mapped[str]
    client_ts: Mapped[str | None] = Field(default=None)
    client_event_id: Mapped[str]
    type: Mapped[str]
    payload: Mapped[dict[str, Any]] = Field(sa_type=JSON)


class QualificationRow(Base, table=True):
    """A supervisor's decision on a person's pilot; rows are only added, the last one counts.

    ``decision``: ``admit``, ``retrain``, ``reset`` or ``baseline``, see
    ``storage.qualification.records``. ``baseline``: the person's results in the pilot that later
    work is compared with, and the batches that a retraining sets aside; or empty.
    """

    __tablename__ = "qualification"
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    decision: Mapped[str]
    reason: Mapped[str] = Field(sa_type=Text)
    by: Mapped[str]
    at: Mapped[str]
    baseline: Mapped[dict[str, Any]] = Field(sa_type=JSON)


class Job(Base, table=True):
    """The last job of its kind.

    Attributes:
        id: counts up within a kind.
        title: what it does, for people.
        by: who started it.
        state: ``running``, ``paused``, ``done``, ``failed`` or ``cancelled``.
        message: a sentence about how it ended.
        phase: its current phase.
        done, total: steps of the phase; ``total`` is 0 if unknown.
        result: what its process returned.
    """

    __tablename__ = "job_state"
    kind: Mapped[str] = Field(primary_key=True)
    id: Mapped[int]
    title: Mapped[str]
    by: Mapped[str]
    started_at: Mapped[str]
    state: Mapped[str] = Field(default="running")
    message: Mapped[str] = Field(default="", sa_type=Text)
    phase: Mapped[str] = Field(default="")
    done: Mapped[int] = Field(default=0)
    total: Mapped[int] = Field(default=0)
    ended_at: Mapped[str | None] = Field(default=None)
    result: Mapped[dict[str, Any]] = Field(default_factory=dict, sa_type=JSON)

    @property
    def has_ended(self) -> bool:
        return self.state not in RUNNING

    def changed(self, **values: Any) -> Job:
        """A copy with other values; jobs are shared between threads and never modified."""
        return Job(**{**self.model_dump(), **values})


class Audit(Base, table=True):
    """Refused access and administrative actions: who, what, when; see ``storage.people.audit``.

    ``actor``: who has no account, such as the command line; "" with an ``actor_id``. ``people``:
    whom the placeholders in ``detail`` stand for, in their order; NULL where a version before
    schema 0110 wrote names into the text that are not known to be people.
    """

    __tablename__ = "audit"
    id: Mapped[int] = Field(default=None, primary_key=True)
    at: Mapped[str]
    actor_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    actor: Mapped[str]
    action: Mapped[str]
    detail: Mapped[str] = Field(sa_type=Text)
    people: Mapped[list[int] | None] = Field(default=None, sa_type=JSON(none_as_null=True))


class Document(Base, table=True):
    """One PDF of the collection; its name is its file name, unique in the workspace.

    ``version`` counts the files that it has had; earlier ones are ``EarlierDocument``.
    """

    __tablename__ = "document"
    id: Mapped[int] = Field(default=None, primary_key=True)
    sha256: Mapped[str] = Field(unique=True, index=True)
    name: Mapped[str] = Field(unique=True, index=True)
    n_pages: Mapped[int]
    size_bytes: Mapped[int]
    extractor: Mapped[str]
    ingested_at: Mapped[str]
    version: Mapped[int] = Field(default=1, sa_column_kwargs={"server_default": "1"})


class EarlierDocument(Base, table=True):
    """A version of a document before its file was replaced; rows are only added.

    A document whose file came back has one content in several versions.
    """

    __tablename__ = "earlier_document"
    __table_args__ = (UniqueConstraint("document_id", "version"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    document_id: Mapped[int] = Field(foreign_key="document.id")
    version: Mapped[int]
    sha256: Mapped[str] = Field(index=True)
    n_pages: Mapped[int]
    size_bytes: Mapped[int]
    extractor: Mapped[str]
    ingested_at: Mapped[str]
    replaced_at: Mapped[str]


class EarlierPage(Base, table=True):
    """A page of an ``EarlierDocument``, with columns as of ``Page``.

    ``words``: as of ``RecognisedWords``; NULL if none were recognised.
    """

    __tablename__ = "earlier_page"
    earlier_document_id: Mapped[int] = Field(primary_key=True, foreign_key="earlier_document.id")
    number: Mapped[int] = Field(primary_key=True)
    width: Mapped[float]
    height: Mapped[float]
    rotation: Mapped[int]
    crop_x0: Mapped[float]
    crop_y0: Mapped[float]
    text_source: Mapped[str]
    text: Mapped[str] = Field(sa_type=Text)
    words: Mapped[str | None] = Field(default=None, sa_type=Text)


class Page(Base, table=True):
    """One page as displayed: crop box applied, /Rotate applied, origin top-left.

    ``crop_x0``, ``crop_y0``: left and upper edge of the crop box within the media box.
    ``text_source``: who read the text. ``order``: position in the imported text file, which is the
    order of the search index; NULL for pages that are not in one.
    """

    __tablename__ = "page"
    __table_args__ = (UniqueConstraint("document_id", "number"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    document_id: Mapped[int] = Field(foreign_key="document.id", index=True)
    number: Mapped[int]
    width: Mapped[float]
    height: Mapped[float]
    rotation: Mapped[int]
    crop_x0: Mapped[float]
    crop_y0: Mapped[float]
    text_source: Mapped[str]
    text: Mapped[str] = Field(sa_type=Text)
    order: Mapped[int | None] = Field(default=None, index=True)


class DocumentAlias(Base, table=True):
    """Another name under which a document's file came; never the name of a document."""

    __tablename__ = "document_alias"
    name: Mapped[str] = Field(primary_key=True)
    document_id: Mapped[int] = Field(foreign_key="document.id")


class RecognisedWords(Base, table=True):
    """The words that text recognition read on a page, as JSON: of each x0, y0, x1, y1 in points and
    the text."""

    __tablename__ = "recognised_words"
    page_id: Mapped[int] = Field(primary_key=True, foreign_key="page.id")
    words: Mapped[str] = Field(sa_type=Text)


class LoginSession(Base, table=True):
    """A signed-in browser. Only the SHA-256 of the cookie's token is stored.

    ``service_session`` is the session of the service that somebody signed in with (``sid``), ""
    where it names none; NULL after signing in with a password.
    """

    __tablename__ = "login_session"
    token_sha256: Mapped[str] = Field(primary_key=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    created_at: Mapped[str]
    expires_at: Mapped[str]
    service_session: Mapped[str | None] = Field(default=None)


class IdentityRow(Base, table=True):
    """An account of a sign-in service (OpenID Connect) with which a person signs in."""

    __tablename__ = "identity"
    issuer: Mapped[str] = Field(primary_key=True)
    subject: Mapped[str] = Field(primary_key=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    created_at: Mapped[str]


class InvitationRow(Base, table=True):
    """A link with which somebody makes an account. Only the SHA-256 of its token is stored.

    ``by_id`` is who made it; none for the command line.
    """

    __tablename__ = "invitation"
    id: Mapped[int] = Field(default=None, primary_key=True)
    token_sha256: Mapped[str] = Field(sa_column_kwargs={"unique": True})
    role: Mapped[str]
    note: Mapped[str]
    group: Mapped[str]
    by_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    created_at: Mapped[str]
    expires_at: Mapped[str]


class SignInAttempt(Base, table=True):
    """An attempt to sign in that has not succeeded (yet), under one of the limits it counts for."""

    __tablename__ = "sign_in_attempt"
    id: Mapped[int] = Field(default=None, primary_key=True)
    digest: Mapped[str] = Field(index=True)
    at: Mapped[str]


class UsedLogoutToken(Base, table=True):
    """A sign-in service's request to end sessions, which counts once. Only a SHA-256 is stored."""

    __tablename__ = "used_logout_token"
    digest: Mapped[str] = Field(primary_key=True)
    used_at: Mapped[str]


class AttemptStateRow(Base, table=True):
    """Projection: the fold of one attempt's events. ``pagetrail rebuild`` makes it again.

    ``log_chars`` is the length of its events' payloads as JSON, for the limit on it.
    """

    __tablename__ = "attempt_state"
    __table_args__ = (Index("ix_attempt_state_status", "status"),)
    attempt_id: Mapped[str] = Field(primary_key=True, foreign_key="attempt.id")
    last_seq: Mapped[int]
    status: Mapped[str]
    outcome: Mapped[str | None] = Field(default=None)
    flagged: Mapped[bool] = Field(default=False)
    n_searches: Mapped[int] = Field(default=0)
    n_citations: Mapped[int] = Field(default=0)
    updated_at: Mapped[str]
    log_chars: Mapped[int] = Field(default=0)
    state: Mapped[str] = Field(sa_type=Text)


class AttemptSummary(Base, table=True):
    """Projection: the data of a submitted attempt that dashboards and agreement need.

    ``ratings`` has the answers as ``storage.review.projection`` reads them, so that agreement over
    a campaign does not parse whole states.
    """

    __tablename__ = "attempt_summary"
    attempt_id: Mapped[str] = Field(primary_key=True, foreign_key="attempt.id")
    task_id: Mapped[int] = Field(foreign_key="task.id", index=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id", index=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    submission_seq: Mapped[int]
    last_seq: Mapped[int]
    status: Mapped[str]
    outcome: Mapped[str | None] = Field(default=None)
    submitted_at: Mapped[str]
    wall_ms: Mapped[int] = Field(sa_type=_Milliseconds)
    active_ms: Mapped[int] = Field(sa_type=_Milliseconds)
    n_searches: Mapped[int]
    first_query_hit: Mapped[bool | None] = Field(default=None)
    ratings: Mapped[str] = Field(sa_type=Text)


class ReviewTask(Base, table=True):
    """Projection: how a task's annotators differ, and the decision on its gold.

    ``stale`` is set in the transaction that changes an attempt of the task; everything else is
    computed from the attempts' states and the task's gold stream afterwards.

    ``status``: as of ``annotation.review.status``. ``score``: how much the annotators differ, in
    [0, 1]; the queue is sorted by it. ``drawn``: whether the task is in the random sample to be
    checked. ``parts``: as JSON, the parts of the task with their differences (``PartDifference``).
    ``sources``: as JSON, attempt → number of the event that submitted it. ``handled``: as JSON, the
    attempts whose flag or skip a supervisor has resolved. ``contradicts_dataset``: all annotators
    agree, on something else than the dataset.
    """

    __tablename__ = "review_task"
    __table_args__ = (Index("ix_review_task_queue", "campaign_id", "status", "score"),)
    task_id: Mapped[int] = Field(primary_key=True, foreign_key="task.id")
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    stale: Mapped[bool] = Field(default=True)
    status: Mapped[str] = Field(default="waiting")
    score: Mapped[float] = Field(default=0.0)
    n_submissions: Mapped[int] = Field(default=0)
    flagged: Mapped[bool] = Field(default=False)
    drawn: Mapped[bool] = Field(default=False)
    gold_version: Mapped[int] = Field(default=0)
    decided_by_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    decided_at: Mapped[str | None] = Field(default=None)
    automatic: Mapped[bool] = Field(default=False)
    holder_id: Mapped[int | None] = Field(default=None, foreign_key="user_account.id")
    held_at: Mapped[str | None] = Field(default=None)
    parts: Mapped[str] = Field(default="[]", sa_type=Text)
    sources: Mapped[str] = Field(default="[]", sa_type=Text)
    handled: Mapped[str] = Field(
        default="[]", sa_type=Text, sa_column_kwargs={"server_default": "[]"}
    )
    contradicts_dataset: Mapped[bool] = Field(
        default=False, sa_column_kwargs={"server_default": false()}
    )


class Sample(Base, table=True):
    """The random sample in which tasks of a campaign were drawn; see ``storage.campaigns.samples``.

    ``source``: the campaign drawn from, "" for pages of the collection. ``population``: digest of
    all units with their strata. ``strata``: list of [values of ``fields``, number of units].
    """

    __tablename__ = "sample"
    __table_args__ = (UniqueConstraint("campaign_id"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id")
    kind: Mapped[str]
    source: Mapped[str]
    fields: Mapped[list[str]] = Field(sa_type=JSON)
    verdicts: Mapped[str]
    seed: Mapped[int]
    population: Mapped[str]
    strata: Mapped[list[Any]] = Field(sa_type=JSON)
    created_at: Mapped[str]


class SampledTask(Base, table=True):
    """A drawn task: its key in the campaign, the position of its stratum, and the number of its
    draw, from 1; rows are only added."""

    __tablename__ = "sampled_task"
    __table_args__ = (UniqueConstraint("sample_id", "task"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    sample_id: Mapped[int] = Field(foreign_key="sample.id", index=True)
    task: Mapped[str]
    stratum: Mapped[int]
    draw: Mapped[int]
    drawn_at: Mapped[str]


class OutsideVerdict(Base, table=True):
    """One verdict of the ``VerdictSet`` ``name``: 1 right, 0.5 partly, 0 wrong; only added.

    ``system``: who answered: a system's name or a person's pseudonym. ``answer``: that was judged;
    None: whatever was submitted. ``confidence`` and ``rationale``: of whoever judged, as the file
    has them; None: not given.
    """

    __tablename__ = "verdict"
    __table_args__ = (UniqueConstraint("campaign_id", "name", "task", "system"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    name: Mapped[str]
    task: Mapped[str]
    system: Mapped[str]
    answer: Mapped[str | None] = Field(default=None, sa_type=Text)
    value: Mapped[float]
    at: Mapped[str]
    confidence: Mapped[float | None] = Field(default=None)
    rationale: Mapped[str | None] = Field(default=None, sa_type=Text)


class VerdictSet(Base, table=True):
    """An imported set of verdicts and its judge; None: not stated.

    ``judge``: the set's name unless stated. ``prompt``: its text or a hash of it. ``round``: of
    developing the prompt. ``run``: of several with the same prompt. ``judged_on``: an ISO date.
    """

    __tablename__ = "verdict_set"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    name: Mapped[str]
    judge: Mapped[str]
    model: Mapped[str | None] = Field(default=None)
    prompt: Mapped[str | None] = Field(default=None, sa_type=Text)
    version: Mapped[str | None] = Field(default=None)
    round: Mapped[int | None] = Field(default=None)
    run: Mapped[int | None] = Field(default=None)
    judged_on: Mapped[str | None] = Field(default=None)
    at: Mapped[str]


class PageScores(Base, table=True):
    """A model's scores of a task's pages (``storage.campaigns.page_scores``).

    Apart from the task's record, so that nothing that shows tasks can show them. ``scores``: list
    of [document, page, score, selection]. ``inclusion_probability``: with which each page below the
    cut was drawn to be graded.
    """

    __tablename__ = "page_scores"
    task_id: Mapped[int] = Field(foreign_key="task.id", primary_key=True)
    inclusion_probability: Mapped[float]
    scores: Mapped[list[Any]] = Field(sa_type=JSON)


class GoldDraft(Base, table=True):
    """A model's draft of a task's gold; only added. A model's last draft of a task is current.

    ``version``: of the model's drafts, in the user's own words; may be empty. ``record``: the
    proposed gold, in the schema of tasks. ``correctness``: attempt → whether the model calls its
    answer correct. ``sources``: attempt → the event that submitted it, of the work that the model
    read; empty: not stated. ``digest``: of all of this, without ``at``.
    """

    __tablename__ = "gold_draft"
    __table_args__ = (UniqueConstraint("task_id", "model", "digest"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    task_id: Mapped[int] = Field(foreign_key="task.id", index=True)
    model: Mapped[str]
    version: Mapped[str]
    record: Mapped[dict[str, Any]] = Field(sa_type=JSON)
    reasons: Mapped[str] = Field(sa_type=Text)
    scores: Mapped[dict[str, float]] = Field(sa_type=JSON)
    correctness: Mapped[dict[str, bool]] = Field(sa_type=JSON)
    sources: Mapped[dict[str, int]] = Field(sa_type=JSON)
    digest: Mapped[str]
    at: Mapped[str]


class RunDecision(Base, table=True):
    """Whether a system's run of a campaign is withdrawn; rows are only added, the last counts."""

    __tablename__ = "run_decision"
    id: Mapped[int] = Field(default=None, primary_key=True)
    campaign_id: Mapped[int] = Field(foreign_key="campaign.id", index=True)
    user_id: Mapped[int] = Field(foreign_key="user_account.id")
    withdrawn: Mapped[bool]
    reason: Mapped[str] = Field(sa_type=Text)
    at: Mapped[str]


class OriginalContent(Base, table=True):
    """The bytes of a row, a sample or a log's header, compressed.

    See ``storage.attempts.run_originals``.
    ``sha256`` and ``size`` are of the bytes before they were compressed.
    """

    __tablename__ = "original_content"
    sha256: Mapped[str] = Field(primary_key=True)
    size: Mapped[int]
    content: Mapped[bytes] = Field(sa_type=LargeBinary)


class RunOriginal(Base, table=True):
    """What an attempt of an imported run was read from; several may share one content.

    ``part``: ``row``, or ``header`` for what a log says of all its samples. ``deleted_at``: when
    the content was deleted, which only happens to withdrawn runs.
    """

    __tablename__ = "run_original"
    __table_args__ = (UniqueConstraint("attempt_id", "part"),)
    id: Mapped[int] = Field(default=None, primary_key=True)
    attempt_id: Mapped[str] = Field(foreign_key="attempt.id")
    part: Mapped[str]
    sha256: Mapped[str] = Field(index=True)
    deleted_at: Mapped[str | None] = Field(default=None)
