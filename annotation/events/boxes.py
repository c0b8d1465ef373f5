"""Events of boxes on pages. Rectangles are points on the displayed page, see ``geometry``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pagetrail.annotation.events.base import ClientId, Name, PageNumber, Payload
from pagetrail.annotation.geometry.box import Rect
from pagetrail.annotation.geometry.element import Attributes, Content, Element, Order

Label = Annotated[str, Field(min_length=1, max_length=60)]


class BoxDrawn(Payload):
    """A box was put on a page: drawn, copied from another, or made from selected words."""

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


class BoxMoved(Payload):
    """A box was moved without changing its size."""

    type: Literal["box_moved"] = "box_moved"
    box: ClientId = Field(description="which box")
    rect: Rect = Field(description="where it is now, points")
    how: Literal["drag", "nudge"] = Field(default="drag", description="by pointer or arrow keys")


class BoxResized(Payload):
    """An edge or corner of a box was moved."""

    type: Literal["box_resized"] = "box_resized"
    box: ClientId = Field(description="which box")
    rect: Rect = Field(description="where it is now, points")


class BoxLabelled(Payload):
    """A box got another label."""

    type: Literal["box_labelled"] = "box_labelled"
    box: ClientId = Field(description="which box")
    label: Label = Field(description="one of the protocol's box labels")


class BoxContentEdited(Payload):
    """The whole text of a box after a pause in typing."""

    type: Literal["box_content_edited"] = "box_content_edited"
    box: ClientId = Field(description="which box")
    content: Content = Field(description="the text as it stands")


class BoxOrdered(Payload):
    """A box got another place in the reading order."""

    type: Literal["box_ordered"] = "box_ordered"
    box: ClientId = Field(description="which box")
    order: Order | None = Field(description="the place; None where it has none")


class BoxAttributesEdited(Payload):
    """The attributes of a box were changed."""

    type: Literal["box_attributes_edited"] = "box_attributes_edited"
    box: ClientId = Field(description="which box")
    attributes: Attributes = Field(description="all attributes as they stand")


class BoxAccepted(Payload):
    """A given element was found right as it is, or that judgement was taken back."""

    type: Literal["box_accepted"] = "box_accepted"
    box: ClientId = Field(description="which box")
    accepted: bool = Field(default=True, description="False takes the acceptance back")


class BoxDeleted(Payload):
    """A box was deleted; a model's element keeps its untouched value in the log."""

    type: Literal["box_deleted"] = "box_deleted"
    box: ClientId = Field(description="which box")


class Undone(Payload):
    """The last change of a page's boxes was taken back."""

    type: Literal["undone"] = "undone"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    change: ClientId = Field(
        description="client event id of the change; refused when it is not the last one"
    )


class Redone(Payload):
    """The change that was taken back last was made again."""

    type: Literal["redone"] = "redone"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    change: ClientId = Field(description="client event id of the change")


class ElementsSeeded(Payload):
    """A model's elements of one page were given to be verified, untouched."""

    type: Literal["elements_seeded"] = "elements_seeded"
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    elements: tuple[Element, ...] = Field(description="as the model gave them")
