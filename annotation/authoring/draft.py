"""What the checks look at: the draft of a question, and the texts of its evidence pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.authoring.tokens import Word, content_words, vocabulary, words
from pagetrail.annotation.protocols.check_results import CheckName, Finding
from pagetrail.annotation.sentences import shortened

MAX_LISTED = 20
"""Words, pages and spans that a finding names; the message says when there are more."""

_MAX_MESSAGE = 2_000
_MAX_PHRASE = 300


class Draft(BaseModel):
    """A question being written, as far as it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(description="as typed")
    answers: tuple[str, ...] = Field(description="the strings of the answer, as typed")
    evidence: tuple[tuple[str, int], ...] = Field(
        description="(document, 1-based page) of the cited pages, in their order"
    )
    unanswerable: bool = Field(
        default=False, description="meant to have no answer in the collection"
    )
    queries: tuple[str, ...] = Field(
        default=(), description="searches that the author ran, oldest first"
    )


class PageTexts(Protocol):
    """The texts of the collection's pages."""

    def text(self, document: str, page: int) -> str | None:
        """The text of a page; None or blank for a scan that was not read, or no such page."""
        ...


@dataclass(frozen=True)
class EvidencePage:
    """A cited page with its words, read when first asked for."""

    document: str
    page: int
    text: str

    @property
    def key(self) -> tuple[str, int]:
        """(document, page)."""
        return self.document, self.page

    @property
    def readable(self) -> bool:
        """Whether there is a text to compare with."""
        return bool(self.words)

    @cached_property
    def words(self) -> list[Word]:
        """The page's words in their order."""
        return words(self.text)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The word forms on the page."""
        return vocabulary(self.words)


def read_evidence(draft: Draft, pages: PageTexts) -> list[EvidencePage]:
    """The cited pages, each once, in their order."""
    return [
        EvidencePage(document, page, pages.text(document, page) or "")
        for document, page in dict.fromkeys(draft.evidence)
    ]


def answer_words(draft: Draft) -> list[Word]:
    """The words of content of all answers, each form once; offsets are within their answer."""
    answer_words = {
        word.form: word for answer in draft.answers for word in content_words(words(answer))
    }
    return list(answer_words.values())


def answer_spelling(draft: Draft) -> dict[str, str]:
    """How each word of the answers was typed first: form → as typed."""
    spelling: dict[str, str] = {}
    for answer in draft.answers:
        for word in words(answer):
            spelling.setdefault(word.form, answer[word.start : word.end])
    return spelling


def finding(
    check: CheckName,
    status: Literal["ok", "warning", "skipped"],
    message: str,
    *,
    words: Iterable[str] = (),
    spans: Sequence[tuple[int, int]] = (),
    query: str | None = None,
    pages: Sequence[tuple[str, int]] = (),
    other: str | None = None,
) -> Finding:
    """A finding that is safe to store: nothing in it is longer than a screen can show."""
    return Finding(
        check=check,
        status=status,
        message=clipped(message, _MAX_MESSAGE),
        words=tuple(clipped(word) for word in words)[:MAX_LISTED],
        spans=tuple(spans[:MAX_LISTED]),
        query=query,
        pages=tuple(pages[:MAX_LISTED]),
        other=None if other is None else clipped(other, 1_000),
    )


def clipped(text: str, characters: int = _MAX_PHRASE) -> str:
    """The text on one line, cut with an ellipsis when it is too long."""
    # Half of a surrogate pair, as JSON can smuggle in, cannot be stored.
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return shortened(line, characters)


def join_phrases(phrases: Sequence[str], quote: bool = True) -> str:
    """“a”, “b” and 3 more."""
    quoted_phrases = [
        f"“{clipped(phrase, 80)}”" if quote else clipped(phrase, 120) for phrase in phrases[:5]
    ]
    if len(phrases) > 5:
        return f"{', '.join(quoted_phrases)} and {len(phrases) - 5} more"
    return " and ".join(
        [", ".join(quoted_phrases[:-1]), quoted_phrases[-1]]
        if len(quoted_phrases) > 1
        else quoted_phrases
    )


def join_pages(pages: Sequence[tuple[str, int]]) -> str:
    """Page 4 of report.pdf and page 2 of other.pdf."""
    return join_phrases([f"page {page} of {document}" for document, page in pages], quote=False)
