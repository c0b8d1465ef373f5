"""Events of boxes on pages. Rectangles are points on the displayed page, see ``geometry``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pagetrail.annotation.events.base import ClientId, ExtendedPayload, Name, PageNumber, Payload
from pagetrail.annotation.events.phrases import counted, page_name, quoted, wrote
from pagetrail.annotation.geometry.box import Rect
from pagetrail.annotation.geometry.element import Attributes, Content, Element, OrderNumber

Label = Annotated[str, Field(min_length=1, max_length=60)]


class BoxEdit(Payload):
    """Base of what people do with boxes; a model's elements are given, not edited."""

    lane = "box"
    is_edit = True
    is_content = True


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
        verb = "Duplicated" if self.how == "duplicated" else "Drew"
        around = " around selected words" if self.how == "selection" else ""
        return f"{verb} a box “{self.label}”{around} on {page_name(self.document, self.page)}"


class BoxMoved(BoxEdit):
    """A box was moved without changing its size."""

    type: Literal["box_moved"] = "box_moved"
    box: ClientId = Field(description="which box")
    rect: Rect = Field(description="where it is now, points")
    how: Literal["drag", "nudge"] = Field(default="drag", description="by pointer or arrow keys")

    def sentence(self) -> str:
        by_keys = " by keys" if self.how == "nudge" else ""
        return f"Moved box {self.box}{by_keys}"


class BoxResized(BoxEdit):
    """An edge or corner of a box was moved."""

    type: Literal["box_resized"] = "box_resized"
    box: ClientId = Field(description="which box")
    rect: Rect = Field(description="where it is now, points")

    def sentence(self) -> str:
        return f"Resized box {self.box}"


class BoxLabelled(BoxEdit):
    """A box got another label."""

    type: Literal["box_labelled"] = "box_labelled"
    box: ClientId = Field(description="which box")
    label: Label = Field(description="one of the protocol's box labels")

    def sentence(self) -> str:
        return f"Labelled box {self.box} “{self.label}”"


class BoxContentEdited(BoxEdit, ExtendedPayload):
    """The whole text of a box, after a pause in typing or from the page's words."""

    added_later = ("filled",)
    type: Literal["box_content_edited"] = "box_content_edited"
    box: ClientId = Field(description="which box")
    content: Content = Field(description="the whole text")
    filled: bool = Field(
        default=False, description="the words under the box on the page, put there by the screen"
    )

    def sentence(self) -> str:
        if self.filled:
            return f"Box {self.box} got the words under it, {quoted(self.content)}"
        return wrote(f"text of box {self.box}", self.content)


class BoxOrdered(BoxEdit):
    """A box got another place in the reading order."""

    type: Literal["box_ordered"] = "box_ordered"
    box: ClientId = Field(description="which box")
    order: OrderNumber | None = Field(
        description="between the numbers of the boxes before and after it; None where it has none"
    )

    def sentence(self) -> str:
        if self.order is None:
            return f"Took box {self.box} out of the reading order"
        return f"Put box {self.box} at position {self.order:g} of the reading order"


class BoxAttributesEdited(BoxEdit):
    """The attributes of a box were changed."""

    type: Literal["box_attributes_edited"] = "box_attributes_edited"
    box: ClientId = Field(description="which box")
    attributes: Attributes = Field(description="all attributes, changed or not")

    def sentence(self) -> str:
        return f"Changed the attributes of box {self.box}"


class BoxAccepted(BoxEdit):
    """A given element was accepted as it is, or its acceptance was withdrawn."""

    type: Literal["box_accepted"] = "box_accepted"
    box: ClientId = Field(description="which box")
    accepted: bool = Field(default=True, description="False withdraws the acceptance")

    def sentence(self) -> str:
        return f"{'Accepted' if self.accepted else 'No longer accepts'} box {self.box}"


class BoxDeleted(BoxEdit):
    """A box was deleted; a model's element keeps its untouched value in the log."""

    type: Literal["box_deleted"] = "box_deleted"
    box: ClientId = Field(description="which box")

    def sentence(self) -> str:
        return f"Deleted box {self.box}"


class Undone(BoxEdit):
    """The last change of a page's boxes was undone."""

    type: Literal["undone"] = "undone"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    change: ClientId = Field(
        description="client event id of the change; refused when it is not the last one"
    )

    def sentence(self) -> str:
        return f"Undid a change of boxes on {page_name(self.document, self.page)}"


class Redone(BoxEdit):
    """The change that was undone last was made again."""

    type: Literal["redone"] = "redone"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    change: ClientId = Field(description="client event id of the change")

    def sentence(self) -> str:
        return f"Redid a change of boxes on {page_name(self.document, self.page)}"


class ElementsSeeded(Payload):
    """A model's elements of one page were given to be verified, untouched."""

    type: Literal["elements_seeded"] = "elements_seeded"
    lane = "box"
    server_only = True
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    elements: tuple[Element, ...] = Field(description="as the model gave them")

    def sentence(self) -> str:
        where = page_name(self.document, self.page)
        return f"Was given {counted(self.elements, 'element')} of a model on {where}"


AnyBoxEdit = (
    BoxDrawn
    | BoxMoved
    | BoxResized
    | BoxLabelled
    | BoxContentEdited
    | BoxOrdered
    | BoxAttributesEdited
    | BoxAccepted
    | BoxDeleted
    | Undone
    | Redone
)
AnyBoxEvent = AnyBoxEdit | ElementsSeeded
