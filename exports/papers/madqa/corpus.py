"""MADQA's tables of the data set: 2, 4, 6, 10, and figures 2, 3, 4, 11."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean

from pagetrail.exports.papers.charts import cross_heat_map
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.papers.questions import (
    NOT_STATED,
    DocumentFacts,
    PageCounts,
    Question,
)
from pagetrail.exports.reading.attempts import works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.model import ROW_KIND, Cell, Column, RowValues, Table
from pagetrail.exports.writing.page_images import PageKey

NO_QUESTIONS = "no selected campaign has a question"
ASSIGNED = (
    "The collection states no domain or category of a document: it has that of most questions "
    "about it, whose gold pages or candidates are in it (of several such, the first by name). "
    f"{NOT_STATED}: no question about the document states one."
)
_PAGES_PER_DOCUMENT = Column("mean", "Pg/Doc", "number", "Mean number of pages per document.")


def constituents(questions: Sequence[Question], documents: Sequence[DocumentFacts]) -> Table | str:
    """Table 2: documents, pages and questions by domain."""
    if not questions:
        return NO_QUESTIONS
    n_questions = Counter(question.domain or NOT_STATED for question in questions)
    by_domain: dict[str, list[DocumentFacts]] = defaultdict(list)
    for document in documents:
        by_domain[document.domain or NOT_STATED].append(document)
    names = _by_size({*by_domain, *n_questions}, lambda name: len(by_domain[name]))
    rows: list[RowValues] = [
        {"domain": name, **_constituents(by_domain[name], n_questions[name])} for name in names
    ]
    rows.append({ROW_KIND: "pooled", "domain": "Total", **_constituents(documents, len(questions))})
    return Table.from_rows(
        key="table-2",
        title="Constituents of the data set",
        question="How many documents, pages and questions does each domain have?",
        columns=(
            Column("domain", "Domain", "text"),
            Column("documents", "Docs", "count"),
            Column("pages", "Pages", "count"),
            _PAGES_PER_DOCUMENT,
            Column("questions", "Qs", "count", "Questions that state this domain."),
            Column("per_document", "Q/Doc", "number", "Questions divided by documents."),
        ),
        rows=rows,
        notes=[ASSIGNED, _length_note(documents)],
    )


def _constituents(documents: Sequence[DocumentFacts], questions: int) -> RowValues:
    counts = PageCounts.of_documents(documents)
    return {
        "documents": counts.documents,
        "pages": counts.pages,
        "mean": value_cell(counts.mean, "no_rows"),
        "questions": questions,
        "per_document": value_cell(
            questions / counts.documents if counts.documents else None, "no_rows"
        ),
    }


def _length_note(documents: Sequence[DocumentFacts]) -> str:
    counts = PageCounts.of_documents(documents)
    if counts.mean is None:
        return "The collection has no documents."
    return (
        f"All {counts.documents:,} documents of the collection: median {counts.median:g} pages, "
        f"mean {counts.mean:.1f}, most {counts.longest:,}."
    )


def _by_size(names: Iterable[str], size: Callable[[str], int]) -> list[str]:
    """The largest first; those without a value last."""
    return sorted(names, key=lambda name: (name == NOT_STATED, -size(name), name))


def statistics(questions: Sequence[Question], documents: Sequence[DocumentFacts]) -> Table | str:
    """Table 4: the data set in numbers."""
    if not questions:
        return NO_QUESTIONS
    n = len(questions)
    counts = PageCounts.of_documents(documents)
    hops = Counter(question.hop for question in questions)
    with_gold = n - hops[None]
    stated = [question for question in questions if question.modalities]
    visual = sum(not _is_free_text(question) for question in stated)
    rows: list[RowValues] = [
        {"what": "Questions", "count": n},
        *_share_rows(
            n,
            [
                ("Unanswerable questions", sum(question.unanswerable for question in questions)),
                ("Questions with gold pages", with_gold),
            ],
        ),
        *_share_rows(
            with_gold,
            [
                ("Multi-hop questions", hops["cross_page"] + hops["cross_doc"]),
                ("Of these, pages of one document", hops["cross_page"]),
                ("Of these, pages of several documents", hops["cross_doc"]),
            ],
        ),
        *_share_rows(len(stated), [("Require layout, tables or artifacts", visual)]),
        {"what": "Documents", "count": counts.documents},
        {
            "what": "Pages",
            "count": counts.pages,
            "median": counts.median,
            "mean": counts.mean,
            "max": counts.longest,
        },
        {"what": "Words", "count": sum(document.words or 0 for document in documents)},
        {"what": "Domains", "count": len({q.domain for q in questions} - {None})},
        {"what": "Categories", "count": len({q.category for q in questions} - {None})},
        {"what": "Languages", "count": len({q.language for q in questions} - {None})},
        *_share_rows(
            n,
            [
                (f"Split {name}", size)
                for name, size in sorted(Counter(q.split for q in questions if q.split).items())
            ],
        ),
    ]
    return Table.from_rows(
        key="table-4",
        title="The data set in numbers",
        question="How large is the data set, and what is in it?",
        columns=(
            Column("what", "Metric", "text"),
            Column("count", "Count", "count"),
            Column("of", "Of", "count", "Questions for which it is known."),
            Column("share", "Share", "share"),
            Column("median", "Median", "number", "Per document."),
            Column("mean", "Mean", "number", "Per document."),
            Column("max", "Most", "count", "Per document."),
        ),
        rows=rows,
        notes=[
            "Words are separated by white space in the stored text of pages; MADQA counts tokens "
            "of a language model.",
            "Documents and pages are those of the whole collection.",
            "Layout, tables or artifacts: questions whose field modality names anything but free "
            "text (MADQA, appendix E.3).",
        ],
    )


def _share_rows(total: int, counts: Iterable[tuple[str, int]]) -> list[RowValues]:
    return [
        {
            "what": what,
            "count": count,
            "of": total,
            "share": value_cell(count / total if total else None, "no_rows"),
        }
        for what, count in counts
    ]


def categories(documents: Sequence[DocumentFacts]) -> Table | str:
    """Table 6: length of documents by category."""
    by_category: dict[str, list[DocumentFacts]] = defaultdict(list)
    for document in documents:
        by_category[document.category or NOT_STATED].append(document)
    if not set(by_category) - {NOT_STATED}:
        return "no question states a document category"
    rows = []
    for name in _by_size(by_category, lambda name: len(by_category[name])):
        counts = PageCounts.of_documents(by_category[name])
        rows.append(
            {
                "category": name,
                "documents": counts.documents,
                "pages": counts.pages,
                "mean": counts.mean,
                "median": counts.median,
                "max": counts.longest,
            }
        )
    return Table.from_rows(
        key="table-6",
        title="Documents by category",
        question="How many documents has each category, and how long are they?",
        columns=(
            Column("category", "Category", "text"),
            Column("documents", "Docs", "count"),
            Column("pages", "Pages", "count"),
            Column("mean", "Mean", "number", "Mean number of pages per document."),
            Column("median", "Med.", "number", "Median number of pages per document."),
            Column("max", "Max", "count", "Pages of the longest document."),
        ),
        rows=rows,
        notes=[ASSIGNED],
    )


_NO_MODALITY = "no question states its modality (field modality, preset author)"


def _is_free_text(question: Question) -> bool:
    return {name.lower() for name in question.modalities} <= {"free_text", "free text", "text"}


def modalities(questions: Sequence[Question]) -> Table | str:
    """Table 10: what reading the evidence takes."""
    stated = [question for question in questions if question.modalities]
    if not stated:
        return _NO_MODALITY
    n = len(stated)
    counts = Counter(name for question in stated for name in question.modalities)
    alone = Counter(q.modalities[0] for q in stated if len(q.modalities) == 1)
    rows: list[RowValues] = [
        {
            "modality": name,
            "count": counts[name],
            "share": Cell(counts[name] / n, n=n),
            "alone": alone[name],
        }
        for name in _by_size(counts, lambda name: counts[name])
    ]
    visual = sum(not _is_free_text(question) for question in stated)
    several = sum(len(question.modalities) > 1 for question in stated)
    rows += [
        {ROW_KIND: "pooled", "modality": what, "count": count, "share": Cell(count / n, n=n)}
        for what, count in (
            ("Requires layout, tables or artifacts", visual),
            ("Several modalities", several),
            ("All questions with a modality", n),
        )
    ]
    return Table.from_rows(
        key="table-10",
        title="Modalities that questions require",
        question="What does reading the evidence of questions take?",
        columns=(
            Column("modality", "Category", "text", "As the task records state it."),
            Column("count", "Count", "count", "Questions that require it."),
            Column("share", "Share", "share", "Of the questions that state a modality."),
            Column("alone", "Alone", "count", "Questions that require nothing else."),
        ),
        rows=rows,
        notes=[
            "MADQA names one primary category of each question; here a question counts in each "
            f"that it states. Questions without one are left out: {len(questions) - n:,}.",
        ],
    )


def modality_pairs(questions: Sequence[Question]) -> Figure | str:
    """Figure 4: questions that require two modalities; on the diagonal those that require one."""
    stated = [question for question in questions if question.modalities]
    if not stated:
        return _NO_MODALITY
    names = sorted({name for question in stated for name in question.modalities})
    counts: Counter[tuple[str, str]] = Counter()
    for question in stated:
        if len(question.modalities) == 1:
            counts[question.modalities[0], question.modalities[0]] += 1
        for a, b in combinations(question.modalities, 2):
            counts[a, b] += 1
            counts[b, a] += 1
    table = Table.from_rows(
        key="figure-4",
        title="Modalities that questions require together",
        question="Which modalities do questions require together?",
        columns=(
            Column("a", "Modality", "text"),
            Column("b", "With", "text"),
            Column("count", "Questions", "count"),
            Column("share", "Share", "share", "Of the questions that state a modality."),
        ),
        rows=[
            {"a": a, "b": b, "count": counts[a, b], "share": counts[a, b] / len(stated)}
            for a in names
            for b in names
        ],
        notes=[
            "On the diagonal: questions that require this modality alone. A question with three "
            "is in three pairs.",
        ],
    )
    return Figure(table, cross_heat_map("a", "b", "share", text="count"))


def sample_question(questions: Sequence[Question]) -> Table | str:
    """Figure 3: a question over several documents, the first in the campaigns' order."""
    order = ("cross_doc", "cross_page", "single")
    answered = [q for q in questions if q.hop and q.text and q.answers and not q.unanswerable]
    if not answered:
        return "no question has an answer and gold pages"
    question = min(answered, key=lambda q: order.index(q.hop or "single"))
    rows: list[RowValues] = [{"part": "Question", "text": question.text}]
    rows += [{"part": "Answer", "text": answer} for answer in question.answers]
    rows += [{"part": "Gold page", "text": name, "page": page} for name, page in question.pages]
    return Table.from_rows(
        key="figure-3",
        title="Sample question",
        question="What does a question of the data set look like?",
        columns=(
            Column("part", "Part", "text"),
            Column("text", "Text or document", "text"),
            Column("page", "Page", "count"),
        ),
        rows=rows,
        notes=[
            f"Task {question.key}: the first question over several documents, or over several "
            "pages where there is none. The paper shows its pages; export --format vidore draws "
            "them.",
        ],
    )


Elements = Mapping[PageKey, Sequence[Counter[str]]]
"""Page → the number of elements of each class, of each attempt."""


def read_elements(sources: Sequence[Source]) -> dict[PageKey, list[Counter[str]]]:
    """The boxes of campaigns that ask for the elements of whole pages.

    Those that ask for boxes under a condition, such as on relevant pages, say nothing of layout.
    """
    elements: dict[PageKey, list[Counter[str]]] = defaultdict(list)
    for source in sources:
        boxes = source.campaign.protocol.boxes
        if not boxes.enabled or boxes.when is not None:
            continue
        for attempt in works_by_people(source, WrittenFiles()):
            for page in attempt.form.pages():
                drawn = attempt.state.boxes.on(*page)
                elements[page].append(Counter(box.label or NOT_STATED for box in drawn))
    return dict(elements)


def layout_density(
    elements: Elements, documents: Sequence[DocumentFacts], *, by_category: bool
) -> Figure | str:
    """Figure 2 (by domain) or 11 (by category): elements per page, and their z-scores."""
    if not elements:
        return "no selected campaign asks for the elements of whole pages (preset verify)"
    group_of = {
        document.name: document.category if by_category else document.domain
        for document in documents
    }
    pages: dict[str, list[PageKey]] = defaultdict(list)
    for page in sorted(elements):
        pages[group_of.get(page[0]) or NOT_STATED].append(page)
    labels = sorted({name for counts in elements.values() for part in counts for name in part})
    names = _by_size(pages, lambda name: len(pages[name]))
    rows: list[RowValues] = []
    for label in labels:
        numbers = {
            name: sum(fmean(counts[label] for counts in elements[page]) for page in pages[name])
            for name in names
        }
        density = {name: numbers[name] / len(pages[name]) for name in names}
        mean = fmean(density.values())
        spread = sqrt(fmean((value - mean) ** 2 for value in density.values()))
        rows += [
            {
                "group": name,
                "element": label,
                "pages": len(pages[name]),
                "elements": numbers[name],
                "density": density[name],
                "z": value_cell((density[name] - mean) / spread, None)
                if spread > 1e-12
                else Cell(reason="no_spread"),
            }
            for name in names
        ]
    if not rows:
        return "people left no element on any page"
    rows.sort(key=lambda row: names.index(str(row["group"])))
    group = "Category" if by_category else "Domain"
    table = Table.from_rows(
        key="figure-11" if by_category else "figure-2",
        title=f"Layout elements per page, by {group.lower()}",
        question=f"Which layout elements are frequent in each {group.lower()}?",
        columns=(
            Column("group", group, "text"),
            Column("element", "Element", "text", "Class of boxes, as people left it."),
            Column("pages", "Pages", "count", "Pages with a submitted attempt."),
            Column("elements", "Elements", "number", "Mean of the attempts per page, summed."),
            Column("density", "Per page", "number", "Elements divided by pages."),
            Column("z", "z", "number", "Deviation from the mean of the groups in standard units."),
        ),
        rows=rows,
        notes=[
            "MADQA, appendix B.2, equations 7 and 8; the standard deviation divides by the number "
            f"of groups. MADQA counts elements that a model found, here people's. {ASSIGNED}",
        ],
    )
    return Figure(table, cross_heat_map("group", "element", "z", text="density", middle=0))
