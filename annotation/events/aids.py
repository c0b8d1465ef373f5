"""Events of the aids that a campaign may allow: bookmarks and scratchpad of a batch, calculator."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.arithmetic import MAX_EXPRESSION
from pagetrail.annotation.events.base import (
    Name,
    PageEvent,
    PageNumber,
    Payload,
    UndoableEdit,
)
from pagetrail.annotation.events.phrases import written_text
from pagetrail.annotation.messages import N_, gettext, ngettext

MAX_BOOKMARKS = 100
"""Bookmarks of a batch."""
MAX_SCRATCHPAD = 5_000
"""Characters of a batch's scratchpad."""

MAX_RESULT = 250
"""Characters of its result."""
_PRINTED = str.maketrans({"-": "−", "*": "×", "/": "÷"})

ScratchpadText = Annotated[str, Field(max_length=MAX_SCRATCHPAD)]


class BookmarkEvent(PageEvent, UndoableEdit):
    """Base of events on a bookmark."""

    lane = "page"
    is_content = True


class PageBookmarked(BookmarkEvent):
    """A page was bookmarked for all tasks of the batch."""

    type: Literal["page_bookmarked"] = "page_bookmarked"

    def sentence(self) -> str:
        return gettext("Bookmarked {page}", page=self.page_name)


class BookmarkRemoved(BookmarkEvent):
    """A bookmark of the batch was removed, whichever task it was set in."""

    type: Literal["bookmark_removed"] = "bookmark_removed"

    def sentence(self) -> str:
        return gettext("Removed the bookmark of {page}", page=self.page_name)


class ScratchpadEdited(UndoableEdit):
    """The whole text of the batch's scratchpad after a pause in typing."""

    type: Literal["scratchpad_edited"] = "scratchpad_edited"
    lane = "answer"
    is_content = True
    text: ScratchpadText = Field(description="everything in the scratchpad")

    def sentence(self) -> str:
        return written_text(
            N_("Wrote on the scratchpad: {text}"), N_("Emptied the scratchpad"), self.text
        )


class CarriedBookmark(BaseModel):
    """A page that was bookmarked in another task."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    document: Name
    page: PageNumber


class BatchAidsCarried(Payload):
    """Bookmarks and scratchpad as other tasks of the batch left them came on screen."""

    type: Literal["batch_aids_carried"] = "batch_aids_carried"
    server_only = True
    is_work = False
    presence = "unknown"
    bookmarks: tuple[CarriedBookmark, ...] = Field(
        max_length=MAX_BOOKMARKS, description="all bookmarks of the batch (`document`, `page`)"
    )
    scratchpad: ScratchpadText = Field(description="everything in the scratchpad")

    def sentence(self) -> str:
        bookmarks = ngettext("{number} bookmark", "{number} bookmarks", len(self.bookmarks))
        return ngettext(
            "Brought {bookmarks} and a scratchpad of {number:,} character from other tasks",
            "Brought {bookmarks} and a scratchpad of {number:,} characters from other tasks",
            len(self.scratchpad),
            bookmarks=bookmarks,
        )


class Calculated(Payload):
    """Something was computed with the calculator."""

    type: Literal["calculated"] = "calculated"
    lane = "answer"
    is_content = True
    expression: str = Field(
        min_length=1,
        max_length=MAX_EXPRESSION,
        pattern=r"^[0-9.+\-*/()%]+$",
        description="digits with a decimal point, `+ - * / ( )`, and `%` for hundredths, whatever "
        "notation was typed",
    )
    result: str = Field(
        min_length=1,
        max_length=MAX_RESULT,
        pattern=r"^-?[0-9]+(\.[0-9]+)?$",
        description="its value, rounded to 10 decimals",
    )

    def sentence(self) -> str:
        return gettext(
            "Calculated {expression} = {result}",
            expression=self.expression.translate(_PRINTED),
            result=self.result.translate(_PRINTED),
        )
