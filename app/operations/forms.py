"""How imports are offered on a campaign's screen, as data: texts, fields and their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.database.statuses import ARCHIVED, CLOSED


class Input(NamedTuple):
    """The input of a field.

    Attributes:
        kind: ``names`` are separated by commas, ``pairs`` are one per line, a ``label`` is one of
            the campaign's boxes.
        choices: value → its words, of a ``choice``.
    """

    field: str
    label: str
    help: str | None = None
    kind: Literal[
        "text", "long text", "names", "pairs", "number", "date", "toggle", "choice", "label"
    ] = "text"
    placeholder: str | None = None
    max_chars: int | None = None
    width: int | None = None
    choices: Mapping[str, str] = {}


Row = tuple[Input, ...]
"""Inputs beside each other."""


class Expander(NamedTuple):
    """Rows that are seldom needed."""

    label: str
    icon: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Form:
    """The form of an import.

    Attributes:
        key: the keys of the widgets begin with it.
        files_label, files_help: of the upload.
        button: what starts the job.
        heading: above the form; None if the view has only this form, or begins with it.
        about: what the files are and what comes of them.
        is_offered: whether campaigns of a protocol can import such files.
        closed: said instead of the form in a campaign that is ``closed_statuses``.
        above, below: the inputs above and below the upload.
        required: fields of the request that must not be empty.
    """

    key: str
    files_label: str
    button: str
    files_help: str | None = None
    heading: str | None = None
    about: str | None = None
    is_offered: Callable[[Protocol], bool] = lambda protocol: True
    closed: str | None = None
    closed_statuses: tuple[str, ...] = (CLOSED, ARCHIVED)
    above: Sequence[Row | Expander] = ()
    below: Sequence[Row | Expander] = ()
    required: tuple[str, ...] = ()


def document_input(about: str) -> Input:
    """Which document the files are about."""
    return Input("document", N_("Document"), about, placeholder=N_("As the files say"))


ANNOTATOR_INPUT = Input(
    "annotator",
    N_("Annotator"),
    N_("Of an export of several people: whose work to read."),
    placeholder=N_("All"),
)
MAPPING_INPUT = Input(
    "mapping",
    N_("Classes to read as others"),
    N_("One per line: class in the files = class of the campaign."),
    "pairs",
    placeholder=N_("Caption=Text"),
)
