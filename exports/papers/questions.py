"""The questions and documents that tables of data sets count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Any

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import Hop, PageRef, hop_type
from pagetrail.exports.formats.authored import authored_records
from pagetrail.exports.gold.adjudicated_gold import records_of_tasks
from pagetrail.exports.gold.page_grades import deciding_ratings, graded_queries, modalities_of
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.page_images import PageKey

NOT_STATED = "(none)"

_METHODS = ("query_generation_pipeline", "query_generator", "source_type", "method")
"""Fields of the record that say how a question was made; the first that is stated counts."""


@dataclass(frozen=True)
class Question:
    """One question of a data set.

    Attributes:
        campaign: the first campaign that has it.
        types, modalities: all that are stated, sorted.
        method: how it was made, such as synthetic or by people.
        is_asked: whether it is a question to answer, not a page to verify or an answer to judge.
        pages: the relevant pages: those that graders kept, else the gold evidence.
        graded: whether people graded pages for it.
        documents: of the relevant pages, or of the candidates where there are none.
        content: relevant page and kind of content, as graders named it.
    """

    key: str
    campaign: str
    text: str
    domain: str | None
    category: str | None
    language: str | None
    types: tuple[str, ...]
    format: str | None
    modalities: tuple[str, ...]
    split: str | None
    method: str | None
    unanswerable: bool
    answers: tuple[str, ...]
    pages: tuple[PageKey, ...]
    documents: tuple[str, ...]
    is_asked: bool = True
    graded: bool = False
    content: tuple[tuple[PageKey, str], ...] = ()

    @property
    def hop(self) -> Hop | None:
        """Hop type of the relevant pages."""
        return hop_type([PageRef(document=name, page=page) for name, page in self.pages])


def read_questions(sources: Sequence[Source], *, adjudicated: bool = False) -> list[Question]:
    """The questions of campaigns, in order; those with the same id and text are one.

    Where people write questions, what they submitted counts, not what they were asked to write
    about. Where they grade pages, the pages that the campaign's rule retains are the relevant ones.
    """
    questions: dict[tuple[str, str], Question] = {}
    for source in sources:
        for question in _of_campaign(source, adjudicated=adjudicated):
            key = (question.key, question.text)
            first = questions.setdefault(key, question)
            if question.graded and not first.graded and first.is_asked:
                questions[key] = replace(
                    first,
                    pages=question.pages,
                    documents=question.documents,
                    graded=True,
                    content=question.content,
                )
    return list(questions.values())


def _of_campaign(source: Source, *, adjudicated: bool) -> list[Question]:
    protocol, name = source.campaign.protocol, source.campaign.name
    if protocol.question.kind == "editable":
        return [_question(name, row) for row in authored_records(source, WrittenFiles())]
    record_of = records_of_tasks(source, adjudicated=adjudicated)
    is_asked = _asks_questions(protocol)
    questions = {
        task.key: replace(
            _question(name, {**record_of(task.key, task.record), "id": task.key}),
            is_asked=is_asked,
        )
        for task in source.database.tasks(source.campaign.id)
    }
    if protocol.page_field("relevance", "ordinal") is None:
        return list(questions.values())
    for query in graded_queries(source, WrittenFiles()):
        pages = tuple(page for page, score in query.scores.items() if score >= 1)
        content = tuple(
            (page, kind)
            for page in pages
            for kind in modalities_of(
                protocol, deciding_ratings(query.ratings[page], query.scores[page])
            )
        )
        questions[query.key] = replace(
            questions[query.key],
            pages=pages,
            documents=_names(pages) or questions[query.key].documents,
            graded=True,
            content=content,
        )
    return list(questions.values())


def _asks_questions(protocol: Protocol) -> bool:
    """Whether tasks are questions: neither output of a model to verify, nor predicted answers."""
    is_verified = (
        protocol.boxes.seed
        or protocol.tables.enabled
        or protocol.transcript.enabled
        or any(spec.kind == "records" and spec.seed for spec in protocol.fields)
    )
    is_judged = any(material.source == "prediction" for material in protocol.material)
    return not is_verified and not is_judged


def asked_questions(questions: Sequence[Question]) -> list[Question]:
    """Those that are questions to answer; the others only tell of their documents."""
    return [question for question in questions if question.is_asked]


def _question(campaign: str, record: Mapping[str, Any]) -> Question:
    pages = _pages(record.get("evidence"))
    variants = record.get("answer_variants") or [[]]
    return Question(
        key=str(record.get("id")),
        campaign=campaign,
        text=str(record.get("question") or ""),
        domain=_text(record.get("domain")),
        category=_text(record.get("document_category")),
        language=_text(record.get("language")),
        types=_texts(record.get("query_type")),
        format=_text(record.get("query_format")),
        modalities=_texts(record.get("modality") or record.get("modalities")),
        split=_text(record.get("split")),
        method=next((text for key in _METHODS if (text := _text(record.get(key)))), None),
        unanswerable=bool(record.get("unanswerable")),
        answers=tuple(map(str, variants[0])),
        pages=pages,
        documents=_names(pages or _pages(record.get("candidates"))),
    )


def _pages(refs: Any) -> tuple[PageKey, ...]:
    listed = refs if isinstance(refs, list) else []
    return tuple(dict.fromkeys((str(ref["document"]), int(ref["page"])) for ref in listed))


def _names(pages: Iterable[PageKey]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in pages))


def _text(value: Any) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(sorted({text for item in listed if (text := _text(item))}))


@dataclass(frozen=True)
class DocumentFacts:
    """A document of the collection.

    Attributes:
        words: of its stored text, separated by white space; None where they were not counted.
        domain, category: those of most questions about it; None without any.
    """

    name: str
    pages: int
    words: int | None
    domain: str | None
    category: str | None


def read_documents(
    source: Source, questions: Sequence[Question], *, count_words: bool = False
) -> list[DocumentFacts]:
    """All documents of the collection.

    The collection says nothing of domains, so a document has the one of most questions about it:
    whose relevant pages, or candidates, are in it. Of several such, the first by name.
    """
    words: Counter[str] = Counter()
    if count_words:
        for (name, _), text in source.pages.texts():
            words[name] += len(text.split())
    domains, categories = _values_by_document(questions)
    return [
        DocumentFacts(
            name,
            pages,
            words[name] if count_words else None,
            _most_common(domains[name]),
            _most_common(categories[name]),
        )
        for name, pages in source.pages.lengths().items()
    ]


def _values_by_document(
    questions: Sequence[Question],
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    domains: dict[str, Counter[str]] = defaultdict(Counter)
    categories: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        for name in question.documents:
            if question.domain:
                domains[name][question.domain] += 1
            if question.category:
                categories[name][question.category] += 1
    return domains, categories


def _most_common(counts: Counter[str]) -> str | None:
    return min(counts, key=lambda name: (-counts[name], name), default=None)


@dataclass(frozen=True)
class PageCounts:
    """How many documents and pages, and how long documents are."""

    documents: int
    pages: int
    mean: float | None
    median: float | None
    longest: int | None

    @classmethod
    def of_documents(cls, documents: Sequence[DocumentFacts]) -> PageCounts:
        """Of these documents; None for lengths without any."""
        lengths = [document.pages for document in documents]
        if not lengths:
            return cls(0, 0, None, None, None)
        return cls(len(lengths), sum(lengths), fmean(lengths), float(median(lengths)), max(lengths))
