"""The task record: a question with whatever is known about its answer.

Field by field the record of MADQA, see docs/formats.md, Tasks; fields that are not known here are
kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic import ValidationInfo as Info

from pagetrail.annotation.answers.question import Question, Tolerance
from pagetrail.annotation.events.base import MAX_TEXT
from pagetrail.annotation.protocols.sections import AnswerPart
from pagetrail.annotation.readable_errors import HALF_CHARACTER, describe, short_value, storable

MAX_ID = 200
MAX_PAGE = 10_000_000
MAX_REFS = 10_000

Hop = Literal["single", "cross_page", "cross_doc"]

OLDER_NAMES = {
    "answers": "answer_variants",
    "answer_locations": "evidence",
    "category": "document_category",
}

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def clean_control(text: str) -> tuple[str, int]:
    """The text without control characters other than tab and line ends, and how many there were."""
    return _CONTROL.subn("", text)


def _page_number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"must be a page number, not {value}")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", value):
        value = int(value)
    if not isinstance(value, int):
        raise ValueError(f"must be a whole number, not {short_value(value)}")
    if value < 1:
        raise ValueError(f"page {value} does not exist: pages are counted from 1")
    if value > MAX_PAGE:
        raise ValueError("is too large for a page number")
    return value


class PageRef(BaseModel):
    """A page of a document.

    Attributes:
        document: the document's name, e.g. ``report.pdf``; ``file`` is read as well.
        page: 1-based page number; whole numbers in other spelling (``"3"``, ``3.0``) are read.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    document: str = Field(min_length=1, max_length=1_000)
    page: Annotated[int, BeforeValidator(_page_number)]

    @model_validator(mode="before")
    @classmethod
    def _names(cls, data: Any) -> Any:
        if isinstance(data, dict) and "document" not in data and "file" in data:
            return {"document" if k == "file" else k: v for k, v in data.items()}
        return data

    @property
    def key(self) -> tuple[str, int]:
        """(document, page)."""
        return self.document, self.page


def _variants(value: Any) -> Any:
    if isinstance(value, str | int | float):
        raise ValueError(f"must be a list of lists of answers, such as [[{short_value(value)}]]")
    if not isinstance(value, list):
        return value
    if value and not any(isinstance(item, list) for item in value):
        value = [value]
    return [_answers(item) if isinstance(item, list) else item for item in value if item != []]


def _answers(items: list[Any]) -> list[Any]:
    answers = []
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int | float | str):
            raise ValueError(f"an answer must be text or a number, not {short_value(item)}")
        text, _ = clean_control(str(item))
        if not text.strip():
            raise ValueError("an answer is blank")
        answers.append(text)
    return answers


def _list_or_by_system(value: Any) -> Any:
    if value is None or isinstance(value, list | dict):
        return value
    raise ValueError(
        f"must be a list, or an object with a field per system, not {short_value(value)}"
    )


def _text_or_texts(value: Any) -> Any:
    texts = value if isinstance(value, list) else [] if value is None else [value]
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise ValueError(f"must be text or a list of texts, not {short_value(wrong[0])}")
    return value


def _task_id(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 600:
            raise ValueError("is too large a number")
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"must be text or a whole number, not {short_value(value)}")
    if not value.strip():
        raise ValueError("is blank")
    if _CONTROL.search(value) or len(value.splitlines()) > 1:
        raise ValueError("holds a control character or a line break")
    return storable(value)


TaskId = Annotated[str, BeforeValidator(_task_id), Field(min_length=1, max_length=MAX_ID)]
"""A task's id; a number is read as its digits."""


class TaskRecord(BaseModel):
    """One task. Everything but ``id``, ``question`` and ``candidates`` may be gold.

    Attributes:
        id: unique in its campaign; a number is read as its digits.
        question: what is asked; text as it is, markup in it means nothing.
        answer_variants: accepted answers, each a list of strings; None where they are hidden.
        evidence: pages the answer rests on, without repetitions, in their order.
        candidates: the pages to judge or to read, for protocols with given pages.
        unanswerable: whether the collection does not hold the answer; None where not stated.
        predictions, elements: material of the protocols that judge or verify models.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: TaskId
    question: str = Field(max_length=MAX_TEXT)
    answer_variants: Annotated[list[list[str]] | None, BeforeValidator(_variants)] = None
    evidence: list[PageRef] = Field(default_factory=list, max_length=MAX_REFS)
    document_category: str | None = None
    domain: str | None = None
    unanswerable: bool | None = None
    candidates: list[PageRef] | None = Field(default=None, max_length=MAX_REFS)
    predictions: Annotated[
        list[Any] | dict[str, Any] | None, BeforeValidator(_list_or_by_system)
    ] = None
    elements: list[Any] | None = None
    query_type: Annotated[str | list[str] | None, BeforeValidator(_text_or_texts)] = None
    query_format: str | None = None
    language: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _older_names(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        renamed = dict(data)
        for old, new in OLDER_NAMES.items():
            if old in renamed and renamed.get(new) is None:
                renamed[new] = renamed.pop(old)
        return renamed

    @field_validator("question", mode="before")
    @classmethod
    def _question(cls, value: Any) -> Any:
        if not isinstance(value, str):
            raise ValueError(f"must be text, not {short_value(value)}")
        text, _ = clean_control(value)
        if not text.strip():
            raise ValueError("is blank")
        if len(text) > MAX_TEXT:
            raise ValueError(f"has {len(text):,} characters; {MAX_TEXT:,} are allowed")
        return text

    @field_validator("evidence", "candidates", mode="before")
    @classmethod
    def _refs(cls, value: Any, info: Info) -> Any:
        if value is None:
            return [] if info.field_name == "evidence" else None
        if not isinstance(value, list):
            raise ValueError(
                'must be a list such as [{"document": "report.pdf", "page": 3}], '
                f"not {short_value(value)}"
            )
        return value

    @field_validator("evidence", "candidates")
    @classmethod
    def _unique(cls, value: list[PageRef] | None) -> list[PageRef] | None:
        if value is None:
            return None
        return list({ref.key: ref for ref in reversed(value)}.values())[::-1]

    @property
    def hop(self) -> Hop | None:
        """Hop type from the gold evidence (docs/metrics.md, Evidence); None without evidence."""
        return hop_type(self.evidence)

    def to_json(self) -> dict[str, Any]:
        """All fields in the order of the schema, then the unknown ones, as plain JSON values."""
        return self.model_dump(mode="json")


def hop_type(evidence: list[PageRef]) -> Hop | None:
    """``single`` page, ``cross_page`` in one document, or ``cross_doc``; None for no page."""
    pages = {ref.key for ref in evidence}
    if not pages:
        return None
    if len(pages) == 1:
        return "single"
    return "cross_page" if len({document for document, _ in pages}) == 1 else "cross_doc"


def pages_zero(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The evidence on page 0 of a stored task, which its import left out (``evidence_left_out``).

    Some datasets use page 0 for "no page was noted"; MADQA's evaluator counts it.

    Returns:
        ``{"document", "page": 0}`` of each document, once; references without a document are none.
    """
    left_out = record.get("evidence_left_out")
    documents = map(document_of_page_zero, left_out if isinstance(left_out, list) else ())
    return [{"document": document, "page": 0} for document in dict.fromkeys(documents) if document]


def document_of_page_zero(reference: object) -> str | None:
    """The document that a reference names with page 0; None for any other reference."""
    if not isinstance(reference, dict) or not is_page_zero(reference.get("page")):
        return None
    document = reference.get("document") or reference.get("file")
    return document if isinstance(document, str) and document else None


def is_page_zero(page: object) -> bool:
    """Whether a page is number 0, in any spelling."""
    return not isinstance(page, bool) and page in (0, "0")


def given_pages(
    pages: Literal["search", "given", "gold"], record: dict[str, Any]
) -> list[tuple[str, int]] | None:
    """The (document, page) pairs that a stored task gives, without repetitions.

    Args:
        pages: the protocol's setting of that name.

    Returns:
        The candidates, or the evidence where gold pages are given; None where pages come from
        searching.
    """
    if pages == "search":
        return None
    refs = record.get("candidates" if pages == "given" else "evidence") or []
    return list(dict.fromkeys((str(ref["document"]), int(ref["page"])) for ref in refs))


def read_task(data: dict[str, Any]) -> TaskRecord:
    """The record in a row of a task file.

    Raises:
        ValueError: the row breaks the schema; the message names each field and what is wrong.
    """
    bad = surrogate_field(data)
    if bad is not None:
        raise ValueError(f"{bad}: {HALF_CHARACTER}")
    try:
        return TaskRecord.model_validate(data)
    except ValidationError as error:
        raise ValueError(describe(error)) from error


def surrogate_field(data: dict[str, Any]) -> str | None:
    """The first field, or key, that holds a lone surrogate anywhere inside; None if none does."""
    for name, value in data.items():
        if _has_surrogate(name):
            return "a field name"
        if _has_surrogate(value):
            return name
    return None


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return True
        return False
    if isinstance(value, dict):
        return any(_has_surrogate(k) or _has_surrogate(v) for k, v in value.items())
    return isinstance(value, list) and any(_has_surrogate(item) for item in value)


def language_of(record: Mapping[str, Any]) -> str | None:
    """The language that a record states, of a task that need not be valid; None without one."""
    language = record.get("language")
    return language if isinstance(language, str) else None


def question_of(record: Mapping[str, Any], answer: AnswerPart) -> Question:
    """The question of a task that need not be valid, as answers to it are compared.

    Args:
        answer: of the campaign's protocol, which states the tolerance.
    """
    text = record.get("question")
    return Question(
        text if isinstance(text, str) else "", language_of(record), Tolerance.from_answer(answer)
    )
