"""UniDoc-Bench's table 1, as far as it is about the data set, and its types of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pagetrail.exports.papers.questions import NOT_STATED, DocumentFacts, Question
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.model import ROW_KIND, Column, RowValues, Table


def data_set(questions: Sequence[Question], documents: Sequence[DocumentFacts]) -> list[Table]:
    """Table 1: questions, pages and evidence by domain, and all together; empty without any."""
    if not questions:
        return []
    domains = sorted({question.domain or NOT_STATED for question in questions})
    domains.sort(key=lambda name: name == NOT_STATED)
    lengths = {document.name: document.pages for document in documents}
    rows: list[RowValues] = [
        {
            "domain": name,
            **_cells([q for q in questions if (q.domain or NOT_STATED) == name], lengths),
        }
        for name in domains
    ]
    rows.append({ROW_KIND: "pooled", "domain": "All", **_cells(questions, lengths)})
    types = Counter(kind for question in questions for kind in question.types)
    named = ", ".join(f"{kind} {n:,}" for kind, n in sorted(types.items()))
    table = Table.from_rows(
        key="table-1",
        title="The data set",
        question="How large is the data set, and what does it require?",
        columns=(
            Column("domain", "Domain", "text"),
            Column("questions", "Queries", "count"),
            Column("documents", "Docs", "count", "Documents with gold or candidate pages."),
            Column("pages", "Pages", "count", "All pages of these documents."),
            Column("evidence", "Evidence", "text", "Modalities that questions state."),
            Column("several", "Multiple reference", "share", "Questions with several gold pages."),
            Column("several_documents", "Several documents", "share", "With several documents."),
        ),
        rows=rows,
        notes=[
            "Shares are of the questions with gold pages. Whether a data set suits RAG and has a "
            "unified evaluation is no count.",
            f"Types of questions: {named or 'none stated'}.",
        ],
    )
    return [table]


def _cells(questions: Sequence[Question], lengths: dict[str, int]) -> RowValues:
    names = {name for question in questions for name in question.documents if name in lengths}
    with_gold = [question for question in questions if question.pages]
    n = len(with_gold)
    several = sum(len(question.pages) > 1 for question in with_gold)
    several_documents = sum(question.hop == "cross_doc" for question in with_gold)
    modalities = {name for question in questions for name in question.modalities}
    return {
        "questions": len(questions),
        "documents": len(names),
        "pages": sum(lengths[name] for name in names),
        "evidence": ", ".join(sorted(modalities)) or None,
        "several": value_cell(several / n if n else None, "no_gold_evidence"),
        "several_documents": value_cell(several_documents / n if n else None, "no_gold_evidence"),
    }
