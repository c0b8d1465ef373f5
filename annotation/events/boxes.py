"""Events of boxes on pages. Rectangles are points on the displayed page, see ``geometry``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Literal

from pydantic import Field

from pagetrail.annotation.events.base import (
    BulkVerdictEvent,
    ClientId,
    ExtendedPayload,
    Name,
    PageEvent,
    PageNumber,
    Payload,
    VerdictEvent,
)
from pagetrail.annotation.events.phrases import page_name, quoted, written_text
from pagetrail.annotation.geometry.box import Rect
from pagetrail.annotation.geometry.element import Attributes, Content, Element, OrderNumber
from pagetrail.annotation.messages import N_, gettext, ngettext

Label = Annotated[str, Field(min_length=1, max_length=60)]


class BoxEvent(Payload):
    """Base of all events that change the boxes of a page."""

    lane = "box"


class BoxEdit(BoxEvent):
    """Base of what people do with boxes; a model's elements are given, not edited."""

    is_edit = True
    is_content = True


class BoxChange(BoxEdit):
    """Base of changes of one box."""

    box: ClientId = Field(description="which box")

    @abstractmethod
    def new_values(self) -> dict[str, Any]:
        """New values of the box, by its attributes."""


class BoxDrawn(BoxEdit, ExtendedPayload):
    """A box was put on a page: drawn, copied from another, or made from selected words."""

    added_later = ("order",)
    type: Literal["box_drawn"] = "box_drawn"
    box: ClientId = Field(description="names the box from now on; unique in the attempt")
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    rect: Rect = Field(description="x0, y0, x1, y1 in points")
    label: Label = Field(description="one of the protocol's box labels")
    how: Literal["drawn", "duplicated", "selection"] = Field(
        default="drawn", description="by dragging, as a copy, or around selected words"
    )
    copy_of: ClientId | None = Field(default=None, description="the box that was copied")
    order: OrderNumber | None = Field(
        default=None,
        description="where the screen put it in the reading order, by its place on the page",
    )

    def sentence(self) -> str:
        sentence = {
            "duplicated": N_("Duplicated a box “{label}” on {page}"),
            "selection": N_("Drew a box “{label}” around selected words on {page}"),
        }.get(self.how, N_("Drew a box “{label}” on {page}"))
        return gettext(sentence, label=self.label, page=page_name(self.document, self.page))


class BoxMoved(BoxChange):
    """A box was moved without changing its size."""

    type: Literal["box_moved"] = "box_moved"
    rect: Rect = Field(description="where it is now, points")
    how: Literal["drag", "nudge"] = Field(default="drag", description="by pointer or arrow keys")

    def sentence(self) -> str:
        if self.how == "nudge":
            return gettext("Moved box {box} by keys", box=self.box)
        return gettext("Moved box {box}", box=self.box)

    def new_values(self) -> dict[str, Any]:
        return {"rect": self.rect}


class BoxResized(BoxChange):
    """An edge or corner of a box was moved."""

    type: Literal["box_resized"] = "box_resized"
    rect: Rect = Field(description="where it is now, points")

    def sentence(self) -> str:
        return gettext("Resized box {box}", box=self.box)

    def new_values(self) -> dict[str, Any]:
        return {"rect": self.rect}


class BoxLabelled(BoxChange, VerdictEvent):
    """A box got another label."""

    type: Literal["box_labelled"] = "box_labelled"
    label: Label = Field(description="one of the protocol's box labels")

    def sentence(self) -> str:
        return gettext("Labelled box {box} “{label}”", box=self.box, label=self.label)

    def new_values(self) -> dict[str, Any]:
        return {"label": self.label}


class BoxContentEdited(BoxChange, ExtendedPayload):
    """The whole text of a box, after a pause in typing or from the page's words."""

    added_later = ("filled",)
    type: Literal["box_content_edited"] = "box_content_edited"
    content: Content = Field(description="the whole text")
    filled: bool = Field(
        default=False, description="the words under the box on the page, put there by the screen"
    )

    def sentence(self) -> str:
        if self.filled:
            return gettext(
                "Box {box} got the words under it, {text}",
                box=self.box,
                text=quoted(self.content),
            )
        return written_text(
            N_("Wrote the text of box {box} {text}"),
            N_("Emptied the text of box {box}"),
            self.content,
            box=self.box,
        )

    def new_values(self) -> dict[str, Any]:
        return {"content": self.content}


class BoxOrdered(BoxChange):
    """A box got another place in the reading order."""

    type: Literal["box_ordered"] = "box_ordered"
    order: OrderNumber | None = Field(
        description="between the numbers of the boxes before and after it; None where it has none"
    )

    def sentence(self) -> str:
        if self.order is None:
            return gettext("Took box {box} out of the reading order", box=self.box)
        return gettext(
            "Put box {box} at position {position} of the reading order",
            box=self.box,
            position=f"{self.order:g}",
        )

    def new_values(self) -> dict[str, Any]:
        return {"order": self.order}


class BoxAttributesEdited(BoxChange):
    """The attributes of a box were changed."""

    type: Literal["box_attributes_edited"] = "box_attributes_edited"
    attributes: Attributes = Field(description="all attributes, changed or not")

    def sentence(self) -> str:
        return gettext("Changed the attributes of box {box}", box=self.box)

    def new_values(self) -> dict[str, Any]:
        return {"attributes": self.attributes}


class BoxAccepted(BoxChange, BulkVerdictEvent):
    """A given element was accepted as it is, or its acceptance was withdrawn."""

    type: Literal["box_accepted"] = "box_accepted"
    accepted: bool = Field(default=True, description="False withdraws the acceptance")

    def sentence(self) -> str:
        if self.accepted:
            return gettext("Accepted box {box}", box=self.box)
        return gettext("No longer accepts box {box}", box=self.box)

    def new_values(self) -> dict[str, Any]:
        return {"accepted": self.accepted}


class BoxDeleted(BoxChange, VerdictEvent):
    """A box was deleted; a model's element keeps its untouched value in the log."""

    type: Literal["box_deleted"] = "box_deleted"

    def sentence(self) -> str:
        return gettext("Deleted box {box}", box=self.box)

    def new_values(self) -> dict[str, Any]:
        return {"deleted": True}


class Undone(BoxEdit, PageEvent):
    """The last change of a page's boxes was undone."""

    type: Literal["undone"] = "undone"
    change: ClientId = Field(
        description="client event id of the change; refused when it is not the last one"
    )

    def sentence(self) -> str:
        return gettext("Undid a change of boxes on {page}", page=self.page_name)


class Redone(BoxEdit, PageEvent):
    """The change that was undone last was made again."""

    type: Literal["redone"] = "redone"
    change: ClientId = Field(description="client event id of the change")

    def sentence(self) -> str:
        return gettext("Redid a change of boxes on {page}", page=self.page_name)


class ElementsSeeded(BoxEvent, PageEvent):
    """A model's elements of one page were given to be verified, untouched."""

    type: Literal["elements_seeded"] = "elements_seeded"
    server_only = True
    elements: tuple[Element, ...] = Field(description="as the model gave them")

    def sentence(self) -> str:
        return ngettext(
            "Was given {number:,} element of a model on {page}",
            "Was given {number:,} elements of a model on {page}",
            len(self.elements),
            page=self.page_name,
        )
