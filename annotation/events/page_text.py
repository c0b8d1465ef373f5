"""Events of working with the text of pages, which agents do not see, and with two pages at once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pagetrail.annotation.events.base import (
    MAX_TEXT,
    Name,
    PageEvent,
    PageNumber,
    Payload,
)
from pagetrail.annotation.events.phrases import page_name, quoted
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.messages import N_, gettext, ngettext

_COPIED = {
    "answer": N_("Copied {text} from {page} to the answer"),
    "calculator": N_("Copied {text} from {page} to the calculator"),
    "clipboard": N_("Copied {text} from {page}"),
    "row": N_("Copied {text} from {page} to a row"),
}

CopiedText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]


class TextCopied(PageEvent):
    """Words of a page were copied; ``answer_edited`` or ``row_set`` follows where they went."""

    type: Literal["text_copied"] = "text_copied"
    lane = "page"
    text: CopiedText = Field(description="the words, lines apart")
    to: Literal["clipboard", "answer", "calculator", "row"] = Field(description="where they went")
    rect: Box | None = Field(
        default=None, description="to a row: x0, y0, x1, y1 around them, in points"
    )

    def sentence(self) -> str:
        return gettext(_COPIED[self.to], text=quoted(self.text), page=self.page_name)


class PageTextRead(PageEvent):
    """The text of a page was given to a screen reader, where the campaign shows images only."""

    type: Literal["page_text_read"] = "page_text_read"
    lane = "page"
    server_only = True

    def sentence(self) -> str:
        return gettext("Had the text of {page} for a screen reader", page=self.page_name)


class DocumentSearched(Payload):
    """A text was looked for in the open document."""

    type: Literal["document_searched"] = "document_searched"
    lane = "search"
    server_only = True
    document: Name = Field(description="document name")
    text: CopiedText = Field(description="what was looked for, as typed")
    hits: int = Field(ge=0, description="places where it is")
    pages: int = Field(ge=0, description="pages with one or more of them")

    def sentence(self) -> str:
        return ngettext(
            "Looked for {text} in {document}: {number:,} hit",
            "Looked for {text} in {document}: {number:,} hits",
            self.hits,
            text=quoted(self.text),
            document=self.document,
        )


class PageBeside(Payload):
    """A page was put beside the one in the viewer, or put away."""

    type: Literal["page_beside"] = "page_beside"
    lane = "page"
    document: Name | None = Field(description="document name; None: no page is beside any more")
    page: PageNumber | None = Field(description="1-based page number")

    def sentence(self) -> str:
        if self.document is None or self.page is None:
            return gettext("Put the page beside away")
        return gettext("Put {page} beside", page=page_name(self.document, self.page))
