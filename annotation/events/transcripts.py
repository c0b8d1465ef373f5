"""Events of transcriptions: the text of a page, edited by a person and patched by models.

Positions and lengths are in Unicode code points. Line ends are ``\\n``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagetrail.annotation.events.base import (
    MAX_REASON,
    ClientId,
    PageEvent,
    Payload,
    UndoableEdit,
    VerdictEvent,
)
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.messages import N_, gettext, ngettext

MAX_TRANSCRIPT = 200_000
"""Characters of a page's text."""
MAX_PATCHES = 2_000
"""Patches of one page and round."""
MAX_EDITS = 20_000
"""Replaced places of one event."""
MAX_MODEL = 200
"""Characters of a model's name."""

TranscriptText = Annotated[str, Field(max_length=MAX_TRANSCRIPT, pattern=r"^[^\x00\r]*$")]
TextHash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
TextPosition = Annotated[int, Field(ge=0, le=MAX_TRANSCRIPT)]
RoundNumber = Annotated[int, Field(ge=1, le=10_000)]
ModelName = Annotated[str, Field(min_length=1, max_length=MAX_MODEL)]
PatchDecision = Literal["accepted", "rejected", "open"]


class TextEdit(BaseModel):
    """A part of a text that is replaced; nothing removed is an insertion."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: TextPosition = Field(description="where it begins, in the text before the event")
    removed: TranscriptText = Field(description="what is there")
    inserted: TranscriptText = Field(description="what takes its place")

    @property
    def end(self) -> int:
        """Where the removed text ends."""
        return self.at + len(self.removed)

    @property
    def growth(self) -> int:
        """By how much the text grows; negative where it shrinks."""
        return len(self.inserted) - len(self.removed)


class ProposedPatch(TextEdit):
    """A change that a model proposes."""

    id: ClientId = Field(description="names the patch; unique in the attempt")
    at: TextPosition = Field(description="where it begins, in the text of ``text_sha256``")
    reason: str = Field(default="", max_length=MAX_REASON, description="the model's own")


class TranscriptEvent(PageEvent):
    """Base of events on the text of a page."""

    lane = "answer"


class TranscriptGiven(TranscriptEvent):
    """The text of a page was given as a model wrote it."""

    type: Literal["transcript_given"] = "transcript_given"
    server_only = True
    is_work = False
    presence = "unknown"
    text: TranscriptText = Field(description="as the model wrote it, in Markdown")
    text_sha256: TextHash = Field(description="SHA-256 of the text in UTF-8")
    model: ModelName | None = Field(default=None, description="which model, if known")

    def sentence(self) -> str:
        return ngettext(
            "Was given a text of {number:,} character for {page}",
            "Was given a text of {number:,} characters for {page}",
            len(self.text),
            page=self.page_name,
        )


class RoundStarted(Payload):
    """A model has answered what was submitted: the task is open again, in its next round."""

    type: Literal["round_started"] = "round_started"
    server_only = True
    is_work = False
    reopens = True
    presence = "away"
    page_look = "ends"
    number: RoundNumber = Field(description="which round; the first begins with the task")
    model: ModelName | None = Field(default=None, description="which model, if known")

    def sentence(self) -> str:
        if self.model is None:
            return gettext("Round {number} began", number=self.number)
        return gettext(
            "Round {number} began, with the answers of {model}",
            number=self.number,
            model=self.model,
        )


class PatchesGiven(TranscriptEvent):
    """A model's patches for the text as it was at the beginning of a round."""

    type: Literal["patches_given"] = "patches_given"
    server_only = True
    is_work = False
    presence = "unknown"
    round: RoundNumber = Field(description="which round they begin")
    text_sha256: TextHash = Field(description="SHA-256, in UTF-8, of the text they are for")
    patches: tuple[ProposedPatch, ...] = Field(
        max_length=MAX_PATCHES, description="as the model proposes them"
    )

    def sentence(self) -> str:
        return ngettext(
            "Was given {number:,} patch for {page}",
            "Was given {number:,} patches for {page}",
            len(self.patches),
            page=self.page_name,
        )


class TranscriptEdit(TranscriptEvent, UndoableEdit):
    """Base of what people do with the text of a page."""

    is_edit = True
    is_content = True


_EDITED = {
    "paste": N_("Pasted {inserted} on {page}"),
    "recognised": N_("Inserted the words under a box, {inserted}, on {page}"),
}


class TextEdited(TranscriptEdit):
    """The text was edited; typing is grouped."""

    type: Literal["text_edited"] = "text_edited"
    edits: tuple[TextEdit, ...] = Field(
        min_length=1,
        max_length=MAX_EDITS,
        description="in ascending order, without overlap; positions are in the text before the "
        "event. Refused unless all of `removed` is there",
    )
    source: Literal["typing", "paste", "replace", "recognised", "undo"] = Field(
        default="typing",
        description="typed, pasted, by find and replace, from the words under a drawn box, or by "
        "undoing or redoing",
    )
    text_crc32: int | None = Field(
        default=None,
        ge=0,
        lt=2**32,
        description="CRC-32, in UTF-8, of the text before the event. Refused where it is another: "
        "an insertion alone would fit any text",
    )

    @model_validator(mode="after")
    def _ascending(self) -> TextEdited:
        end = 0
        for edit in self.edits:
            if edit.at < end:
                raise ValueError("edits must be in ascending order and must not overlap")
            if edit.removed == edit.inserted:
                raise ValueError("an edit must change something")
            end = edit.end
        return self

    @property
    def added_chars(self) -> int:
        """Characters that the event inserts."""
        return sum(len(edit.inserted) for edit in self.edits)

    @property
    def removed_chars(self) -> int:
        """Characters that the event removes."""
        return sum(len(edit.removed) for edit in self.edits)

    def sentence(self) -> str:
        if len(self.edits) > 1:
            return ngettext(
                "Changed the text of {page} at {number:,} place",
                "Changed the text of {page} at {number:,} places",
                len(self.edits),
                page=self.page_name,
            )
        (edit,) = self.edits
        values = {
            "removed": quoted(edit.removed),
            "inserted": quoted(edit.inserted),
            "page": self.page_name,
        }
        if not edit.inserted:
            return gettext("Removed {removed} on {page}", **values)
        if self.source in _EDITED:
            return gettext(_EDITED[self.source], **values)
        if not edit.removed:
            return gettext("Inserted {inserted} on {page}", **values)
        return gettext("Replaced {removed} by {inserted} on {page}", **values)


_DECIDED = {
    "accepted": N_("Accepted patch {patch} on {page}"),
    "rejected": N_("Rejected patch {patch} on {page}"),
    "open": N_("Withdrew the decision on patch {patch} on {page}"),
}


class PatchDecided(TranscriptEdit, VerdictEvent):
    """A patch was accepted, which changes the text, or rejected, or its decision was withdrawn."""

    type: Literal["patch_decided"] = "patch_decided"
    patch: ClientId = Field(description="which patch")
    decision: PatchDecision = Field(description="open withdraws a decision")

    def sentence(self) -> str:
        return gettext(_DECIDED[self.decision], patch=self.patch, page=self.page_name)


class PatchesDecided(TranscriptEdit, VerdictEvent):
    """Several patches were decided alike, at once."""

    type: Literal["patches_decided"] = "patches_decided"
    patches: tuple[ClientId, ...] = Field(
        min_length=1,
        max_length=MAX_PATCHES,
        description="which patches, in the order in which they are decided; one that another of "
        "them makes inapplicable becomes stale",
    )
    decision: PatchDecision = Field(description="open withdraws the decisions")

    def sentence(self) -> str:
        values: dict[str, Any] = {"page": self.page_name}
        number = len(self.patches)
        if self.decision == "accepted":
            return ngettext(
                "Accepted {number:,} patch on {page}",
                "Accepted {number:,} patches on {page}",
                number,
                **values,
            )
        if self.decision == "rejected":
            return ngettext(
                "Rejected {number:,} patch on {page}",
                "Rejected {number:,} patches on {page}",
                number,
                **values,
            )
        return ngettext(
            "Withdrew the decision on {number:,} patch on {page}",
            "Withdrew the decisions on {number:,} patches on {page}",
            number,
            **values,
        )
