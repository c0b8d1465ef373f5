"""Events of the stream in which a task's gold is made.

It is an attempt that belongs to nobody and in which supervisors are the actors: they take
the task, merge the annotators' work (``gold_merged``), may edit it with the ordinary events of the
workspace, and decide (``adjudicated``). A decision names what it is based on.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.events.base import (
    MAX_REASON,
    MAX_TEXT,
    ClientId,
    ExtendedPayload,
    Identifier,
    Name,
    PageNumber,
    Payload,
)
from pagetrail.annotation.events.forms import Cells, Options
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.events.tables import MAX_CAPTION
from pagetrail.annotation.events.transcripts import TranscriptText
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.geometry.box import Rect
from pagetrail.annotation.geometry.element import Attributes, Content, OrderNumber
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.fields import FieldName, Value
from pagetrail.annotation.tables.cells import TableCell
from pagetrail.annotation.tables.grid import MAX_COLUMNS, MAX_ROWS, MAX_SLOTS

MAX_SOURCES = 200
MAX_TEXT_DECISIONS = 20_000
"""Differences between two texts, or two versions of tables."""
Reason = Annotated[str, Field(max_length=MAX_REASON)]
MAX_VARIANTS = 500
"""Accepted answers of a task's gold."""
DATASET = "dataset"
"""In a choice in place of an attempt: what the task came with was taken."""
MAX_DRAFTS = 50
"""Current drafts of one task, one per model."""
MAX_DRAFT_ITEMS = 10_000
"""Answers, pages, values and boxes that one draft proposes."""
MergeMethod = Literal[
    "side",
    "union",
    "intersection",
    "majority",
    "medoid",
    "retention",
    "variants",
    "pick",
    "none",
    "edited",
]


Confidence = Literal["high", "medium", "low"]
ErrorNames = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=60)], ...], Field(max_length=30)
]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Value):
    """An attempt that a decision is based on, as it was at that time."""

    attempt: Identifier = Field(description="id of the attempt")
    annotator: Name = Field(description="who made it")
    seq: int = Field(ge=0, description="the event with which it was submitted")


class GoldPage(_Value):
    """A page that a choice is about."""

    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")


class PageDecision(GoldPage):
    """What the reviewer decided on a single page."""

    decision: Literal["marked", "rejected", "side"] = Field(
        description="marked or rejected by the reviewer; side: as one annotator has it"
    )
    side: Identifier | None = Field(default=None, description="side: attempt that was followed")


class TextDecision(_Value):
    """What a reviewer made of one difference between two texts or versions of tables."""

    number: int = Field(ge=0, description="of the difference, in reading order, from 0")
    left: TranscriptText = Field(
        description="what the first side has, or was merged so far; of several cells, by bars"
    )
    right: TranscriptText = Field(description="what the next side has, likewise")
    decision: Literal["left", "right", "both", "edited"] = Field(
        description="left, right: as that side has it; both: one after the other; edited: as text"
    )
    text: TranscriptText = Field(default="", description="edited: what the reviewer wrote")


class Choice(_Value):
    """How one part of the gold was merged."""

    part: str = Field(max_length=100, description="outcome, answer, evidence, boxes, a field, …")
    how: MergeMethod = Field(
        description="side: as one annotator has it; union, intersection, majority: of all; "
        "medoid: as the one who agrees most with the others; retention: by the campaign's "
        "retention setting; variants: several people's answers are accepted; "
        "pick: element by element; none: left empty; edited: written by the reviewer"
    )
    side: Identifier | None = Field(
        default=None,
        description="attempt that was followed; dataset: what the task came with; draft:1 …: a "
        "model's draft; edited: the draft that was edited",
    )
    sides: tuple[Identifier, ...] = Field(
        default=(),
        max_length=MAX_VARIANTS,
        description="variants: whose answers, as side; pick: whose texts or tables",
    )
    tied: bool = Field(
        default=False, description="people's versions tie: the merge left it open, or partly so"
    )
    page_decisions: tuple[PageDecision, ...] = Field(
        default=(), description="what the reviewer decided on single pages"
    )
    open_pages: tuple[GoldPage, ...] = Field(
        default=(), description="pages that the retention rule leaves to a reviewer"
    )
    text_decisions: tuple[TextDecision, ...] = Field(
        default=(),
        max_length=MAX_TEXT_DECISIONS,
        description="transcript, tables, pick: the differences between the first two sides, then "
        "between what was merged of them and the next side",
    )


class KeptPage(_Value):
    """A page of the gold evidence, and why it is in it."""

    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    annotators: int = Field(default=0, ge=0, description="people who marked it")
    reviewer: bool = Field(default=False, description="whether a reviewer marked it too")


class GoldTranscript(GoldPage):
    """The text of a page."""

    text: TranscriptText = Field(description="Markdown")


class GoldTable(GoldPage):
    """A table of a page."""

    id: Identifier = Field(description="as that of the annotators' table")
    caption: str = Field(default="", max_length=MAX_CAPTION, description="its title")
    n_rows: int = Field(ge=1, le=MAX_ROWS)
    n_columns: int = Field(ge=1, le=MAX_COLUMNS)
    cells: tuple[TableCell, ...] = Field(
        min_length=1, max_length=MAX_SLOTS, description="by row and column, each slot once"
    )


class GoldElement(_Value):
    """A box of the gold."""

    id: ClientId = Field(description="unique in the gold stream")
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    rect: Rect = Field(description="x0, y0, x1, y1 in points")
    label: str | None = Field(default=None, max_length=100, description="a label of the protocol")
    content: Content | None = Field(default=None, description="its text")
    order: OrderNumber | None = Field(default=None, description="as that of the box")
    attributes: Attributes = Field(default_factory=dict, description="further properties")
    source: Identifier | None = Field(default=None, description="attempt it was taken from")


class GoldValue(_Value):
    """The value of a field."""

    field: FieldName = Field(description="name of the field")
    document: Name | None = Field(default=None, description="of the page, for a page's field")
    page: PageNumber | None = Field(default=None, description="1-based, for a page's field")
    box: ClientId | None = Field(default=None, description="for a box's field")
    value: Value = Field(description="by the field's kind")


class GoldConfirmation(GoldPage):
    """A page whose field and boxes differ, confirmed by an annotator as it is in the gold."""

    field: FieldName = Field(description="name of the field")
    chosen: Options = Field(description="options that are chosen")
    drawn: Options = Field(description="options that are named like the labels of the boxes")


class GoldRow(_Value):
    """A row of a table of records."""

    field: FieldName = Field(description="name of the field")
    document: Name | None = Field(default=None, description="of the page, for a page's table")
    page: PageNumber | None = Field(default=None, description="1-based, for a page's table")
    box: ClientId | None = Field(default=None, description="for a box's table")
    row: ClientId = Field(description="unique in its field and target")
    values: Cells = Field(description="cell by column")


class GoldEvent(Payload):
    """Base of the events that only gold streams have; the server makes them."""

    server_only = True


class ReviewTaken(GoldEvent):
    """A supervisor took the task to review it; others see it as taken."""

    type: Literal["review_taken"] = "review_taken"
    over: Name | None = Field(default=None, description="from whom it was taken over")

    def sentence(self) -> str:
        if self.over:
            return gettext("Took the review over from {person}", person=self.over)
        return gettext("Took the task")


class ReviewReleased(GoldEvent):
    """The supervisor released the task."""

    type: Literal["review_released"] = "review_released"

    def sentence(self) -> str:
        return gettext("Released the task")


class GoldMerged(GoldEvent):
    """The annotators' work was merged; the merge replaces the whole draft."""

    type: Literal["gold_merged"] = "gold_merged"
    sources: tuple[Source, ...] = Field(max_length=MAX_SOURCES, description="the people's work")
    choices: tuple[Choice, ...] = Field(max_length=200, description="how, part by part")
    outcome: Outcome | None = Field(
        description="as in submitted; None where nobody submitted anything, or it is tied"
    )
    answer_text: str = Field(default="", max_length=MAX_TEXT, description="one answer per line")
    variants: tuple[Annotated[str, Field(max_length=MAX_TEXT)], ...] = Field(
        default=(), max_length=MAX_VARIANTS, description="further accepted answers, likewise"
    )
    question_text: str | None = Field(
        default=None, max_length=MAX_TEXT, description="where questions are written"
    )
    evidence: tuple[KeptPage, ...] = Field(default=(), description="pages the answer rests on")
    fields: tuple[GoldValue, ...] = Field(default=(), description="values of fields")
    boxes: tuple[GoldElement, ...] = Field(default=(), description="boxes")
    rows: tuple[GoldRow, ...] = Field(default=(), description="rows of tables")
    transcript: GoldTranscript | None = Field(
        default=None, description="the text of the page; None while it is open"
    )
    tables: tuple[GoldTable, ...] | None = Field(
        default=None, description="the tables of the task's pages; None while they are open"
    )
    confirmed: tuple[GoldConfirmation, ...] = Field(
        default=(), description="what an annotator confirmed and the gold has likewise"
    )
    checks: tuple[Finding, ...] | None = Field(
        default=None,
        description="what the live checks said of question, answer and evidence; None where nobody "
        "submitted just these",
    )

    def sentence(self) -> str:
        return ngettext(
            "Merged the work of {number:,} person",
            "Merged the work of {number:,} people",
            len(self.sources),
        )


DraftVisibility = Literal["shown", "hidden", "revealed"]
DraftUse = Literal["unchanged", "edited", "rejected"]
DraftItemKind = Literal["answer", "page", "field", "box", "text", "table"]


class DraftItem(_Value):
    """Something that a model's draft proposed, and what the gold made of it."""

    kind: DraftItemKind = Field(description="answer, with its outcome; page of the evidence; …")
    part: str = Field(
        max_length=100,
        description="answer, evidence, boxes, transcript, tables, or the field",
    )
    document: Name | None = Field(
        default=None, description="of a page, its field or text, a box, or a table"
    )
    page: PageNumber | None = Field(default=None, description="1-based, likewise")
    box: ClientId | None = Field(default=None, description="id of the box in the draft")
    table: Identifier | None = Field(default=None, description="id of the table")
    use: DraftUse = Field(
        description="unchanged: the gold has it; edited: it was taken and then changed; rejected: "
        "neither, or the whole draft was rejected"
    )
    taken: bool = Field(
        default=False, description="whether the reviewer took it from the draft itself"
    )


class DraftDecision(_Value):
    """What a decision made of a model's draft."""

    draft: Identifier = Field(description="draft:1 …")
    model: Name = Field(description="the model that made it")
    version: str = Field(default="", max_length=100, description="of the model's drafts")
    visibility: DraftVisibility = Field(
        description="shown: before the decision; hidden: not yet shown; revealed: shown after an "
        "earlier decision that was made without it"
    )
    rejected: bool = Field(default=False, description="whether the reviewer rejected all of it")
    items: tuple[DraftItem, ...] = Field(
        default=(), max_length=MAX_DRAFT_ITEMS, description="what it proposed"
    )


DatasetAnswers = Literal["kept", "wrong"]
"""Whether the answers that a task came with stay accepted next to those of the gold."""


class Adjudicated(ExtendedPayload, GoldEvent):
    """The draft became gold."""

    added_later = ("drafts", "dataset_answers")
    type: Literal["adjudicated"] = "adjudicated"
    version: int = Field(ge=1, description="1, 2, 3 … within the task")
    reason: Reason = Field(default="", description="reason for the decision")
    sources: tuple[Source, ...] = Field(max_length=MAX_SOURCES, description="the people's work")
    automatic: bool = Field(default=False, description="accepted automatically, without a reviewer")
    checked: bool = Field(
        default=False, description="an automatic acceptance that a reviewer has confirmed"
    )
    errors: ErrorNames = Field(default=(), description="kinds of error in the people's work")
    confidence: Confidence | None = Field(default=None, description="how sure the reviewer is")
    drafts: tuple[DraftDecision, ...] = Field(
        default=(), max_length=MAX_DRAFTS, description="what a reviewer made of models' drafts"
    )
    dataset_answers: DatasetAnswers | None = Field(
        default=None,
        description="kept: the answers that the task came with stay accepted; wrong: the gold's "
        "replace them; null in decisions of older versions: kept unless the gold contradicts them",
    )

    def sentence(self) -> str:
        sentence = gettext(
            N_("Accepted automatically, version {version} of the gold")
            if self.automatic
            else N_("Decided, version {version} of the gold; the dataset’s answers are wrong")
            if self.dataset_answers == "wrong"
            else N_("Decided, version {version} of the gold"),
            version=self.version,
        )
        return f"{sentence}: {quoted(self.reason)}" if self.reason else sentence


class GoldReopened(GoldEvent):
    """The gold was reopened; its last version remains valid until there is another."""

    type: Literal["gold_reopened"] = "gold_reopened"
    reason: Reason = Field(min_length=1, description="why")

    def sentence(self) -> str:
        return gettext("Reopened the gold: {reason}", reason=quoted(self.reason))


class Decision(_Value):
    """A decision that became gold."""

    seq: int = Field(ge=1, description="its event in the gold stream")
    version: int = Field(ge=1, description="of the gold")
    by: Name = Field(description="who decided")
    at: str = Field(max_length=40, description="when, ISO-8601 UTC")
    reason: Reason = Field(default="", description="reason for the decision")
    automatic: bool = Field(default=False, description="accepted automatically")
    checked: bool = Field(default=False, description="an automatic acceptance that was confirmed")
    errors: ErrorNames = Field(default=(), description="kinds of error in the people's work")
    confidence: Confidence | None = Field(default=None, description="how sure the reviewer is")
    sources: tuple[Source, ...] = Field(max_length=MAX_SOURCES, description="the people's work")
    reopened: bool = Field(default=False, description="whether it had been reopened")


class DecisionUndone(GoldEvent):
    """Whoever decided undoes it: the gold is what it was before the decision."""

    type: Literal["decision_undone"] = "decision_undone"
    decision: int = Field(ge=1, description="the event that is undone, ``adjudicated``")
    before: Decision | None = Field(
        default=None, description="the decision that is current again; None where there was no gold"
    )

    def sentence(self) -> str:
        if self.before is None:
            return gettext("Undid the decision: it is no gold")
        return gettext(
            "Undid the decision: version {version} is current again", version=self.before.version
        )


CheckDecision = Literal["confirmed", "corrected", "dropped"]


class GoldChecked(GoldEvent):
    """A supervisor checked gold that was suspect, or drawn for the control sample."""

    type: Literal["gold_checked"] = "gold_checked"
    decision: CheckDecision = Field(
        description="confirmed: the gold is right; corrected: another version replaces it; "
        "dropped: the task is left out of results"
    )
    version: int = Field(
        ge=0, description="of the gold: checked or, if corrected, the new one; 0: the dataset's"
    )
    reason: Reason = Field(default="", description="why; always given for a dropped task")

    def sentence(self) -> str:
        match self.decision:
            case "confirmed":
                return gettext("Checked the gold: confirmed")
            case "corrected":
                return gettext(
                    "Checked the gold: corrected, version {version}", version=self.version
                )
            case "dropped":
                return gettext("Checked the gold: dropped, {reason}", reason=quoted(self.reason))


class ProblemHandled(GoldEvent):
    """A supervisor has dealt with what somebody flagged or skipped, or has not after all."""

    type: Literal["problem_handled"] = "problem_handled"
    attempt: Identifier = Field(description="id of the attempt that was flagged or skipped")
    seq: int = Field(ge=1, description="its event that did so; a later one asks again")
    handled: bool = Field(default=True, description="False: it asks for a supervisor again")

    def sentence(self) -> str:
        if self.handled:
            return gettext("Marked a flag or skip as handled")
        return gettext("Marked a flag or skip as not handled")


class DraftRejected(GoldEvent):
    """A reviewer rejected a model's draft as a whole, or no longer does."""

    type: Literal["draft_rejected"] = "draft_rejected"
    draft: Identifier = Field(description="draft:1 …")
    model: Name = Field(description="the model that made it")
    version: str = Field(default="", max_length=100, description="of the model's drafts")
    rejected: bool = Field(default=True, description="False: it can be taken from again")
    reason: Reason = Field(default="", description="why")

    def sentence(self) -> str:
        if not self.rejected:
            return gettext("Withdrew the rejection of the draft of {model}", model=self.model)
        sentence = gettext("Rejected the draft of {model}", model=self.model)
        return f"{sentence}: {quoted(self.reason)}" if self.reason else sentence
