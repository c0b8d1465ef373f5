"""ViDoRe V3's tables of the data set: table 6, figures 3, 4, 9 to 11, 13, and lengths."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from pagetrail.annotation.metrics.result import mean_over_tasks
from pagetrail.exports.papers.charts import count_bars, cross_heat_map
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.papers.questions import (
    NOT_STATED,
    DocumentFacts,
    PageCounts,
    Question,
)
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import Options, task_mean_cell
from pagetrail.exports.reports.model import ROW_KIND, Cell, Column, RowValues, Table

NO_TYPES = "no query states its type (field query_type)"
NO_CONTENT = "no page of the selected campaigns has kinds of content (field modalities)"
ANY_TYPE = (
    "A query of several types counts in each of them, as in the paper; shares are of these counts."
)


def corpora(questions: Sequence[Question], documents: Sequence[DocumentFacts]) -> Table | str:
    """Table 6: each data set, which is a campaign."""
    if not questions:
        return "no selected campaign has a query"
    lengths = {document.name: document for document in documents}
    rows = []
    for campaign in dict.fromkeys(question.campaign for question in questions):
        campaign_questions = [question for question in questions if question.campaign == campaign]
        names = sorted({name for question in campaign_questions for name in question.documents})
        counts = PageCounts.of_documents([lengths[name] for name in names if name in lengths])
        content = Counter(kind for question in campaign_questions for _, kind in question.content)
        rows.append(
            {
                "campaign": campaign,
                "domains": _listed(question.domain for question in campaign_questions),
                "languages": _listed(question.language for question in campaign_questions),
                "documents": counts.documents,
                "pages": counts.pages,
                "mean": value_cell(counts.mean, "no_rows"),
                "queries": len(campaign_questions),
                "content": ", ".join(kind for kind, _ in _ranked(content)[:3]) or None,
            }
        )
    return Table.from_rows(
        key="table-6",
        title="Data sets",
        question="What does each data set consist of?",
        columns=(
            Column("campaign", "Data set", "text", "A campaign."),
            Column("domains", "Domains", "text"),
            Column("languages", "Languages", "text", "Of the queries."),
            Column("documents", "Docs", "count", "Documents with relevant or candidate pages."),
            Column("pages", "Pages", "count", "All pages of these documents."),
            Column("mean", "Pg/Doc", "number", "Mean number of pages per document."),
            Column("queries", "Queries", "count"),
            Column("content", "Main modalities", "text", "The three most frequent kinds."),
        ),
        rows=rows,
        notes=["Queries of several campaigns with the same id and text are in the first of them."],
    )


def _listed(values: Iterable[str | None]) -> str | None:
    return ", ".join(sorted({value for value in values if value})) or None


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def type_by_domain(questions: Sequence[Question]) -> Figure | str:
    """Figure 3: types of queries by domain."""
    pairs = [(q.domain or NOT_STATED, kind) for q in questions for kind in q.types]
    return _distribution("figure-3", "Types of queries by domain", "Type", pairs) or NO_TYPES


def content_by_domain(questions: Sequence[Question]) -> Figure | str:
    """Figure 4: kinds of content of relevant pages by domain."""
    pairs = [(q.domain or NOT_STATED, kind) for q in questions for _, kind in q.content]
    title = "Kinds of content on relevant pages by domain"
    return _distribution("figure-4", title, "Content", pairs) or NO_CONTENT


def _distribution(
    key: str, title: str, label: str, pairs: Sequence[tuple[str, str]]
) -> Figure | None:
    counts = Counter(pairs)
    if not counts:
        return None
    totals = Counter(domain for domain, _ in pairs)
    kinds = [kind for kind, _ in _ranked(Counter(kind for _, kind in pairs))]
    notes = (
        ANY_TYPE
        if label == "Type"
        else "A page of a query counts once for each kind of content on it."
    )
    table = Table.from_rows(
        key=key,
        title=title,
        question=f"How are {title[:1].lower()}{title[1:]} distributed?",
        columns=(
            Column("domain", "Domain", "text"),
            Column("kind", label, "text"),
            Column("count", "Count", "count"),
            Column("of", "Of", "count", "All counts of the domain."),
            Column("share", "Share", "share", "Of the counts of the domain."),
        ),
        rows=[
            {
                "domain": domain,
                "kind": kind,
                "count": counts[domain, kind],
                "of": totals[domain],
                "share": counts[domain, kind] / totals[domain],
            }
            for domain in sorted(totals, key=lambda name: (name == NOT_STATED, name))
            for kind in kinds
        ],
        notes=[notes],
    )
    return Figure(table, cross_heat_map("domain", "kind", "share"))


def type_by_format(questions: Sequence[Question]) -> Figure | str:
    """Number of queries by type and format, the two dimensions of ViDoRe V3, section 3.2."""
    pairs = [(q.format or NOT_STATED, kind) for q in questions for kind in q.types]
    if not pairs:
        return NO_TYPES
    if all(form == NOT_STATED for form, _ in pairs):
        return "no query states its format (field query_format)"
    counts = Counter(pairs)
    kinds = [kind for kind, _ in _ranked(Counter(kind for _, kind in pairs))]
    formats = sorted({form for form, _ in pairs}, key=lambda name: (name == NOT_STATED, name))
    table = Table.from_rows(
        key="type-format",
        title="Queries by type and format",
        question="How many queries have each type and format?",
        columns=(
            Column("format", "Format", "text"),
            Column("type", "Type", "text"),
            Column("count", "Queries", "count"),
            Column("share", "Share", "share", "Of all counts."),
        ),
        rows=[
            {
                "format": form,
                "type": kind,
                "count": counts[form, kind],
                "share": counts[form, kind] / len(pairs),
            }
            for form in formats
            for kind in kinds
        ],
        notes=[ANY_TYPE],
    )
    return Figure(table, cross_heat_map("format", "type", "count"))


def type_combinations(questions: Sequence[Question]) -> Figure | str:
    """Figure 9: how often queries have each combination of types."""
    combinations = Counter(" + ".join(q.types) for q in questions if q.types)
    if not combinations:
        return NO_TYPES
    n = combinations.total()
    table = Table.from_rows(
        key="figure-9",
        title="Combinations of query types",
        question="Which types do queries combine?",
        columns=(
            Column("types", "Types", "text"),
            Column("count", "Queries", "count", "Queries with exactly these types."),
            Column("share", "Share", "share", "Of the queries that state a type."),
        ),
        rows=[
            {"types": types, "count": count, "share": Cell(count / n, n=n)}
            for types, count in _ranked(combinations)
        ],
        notes=["The paper draws the same numbers as an UpSet plot."],
    )
    return Figure(table, count_bars("types", "count"))


def type_by_method(questions: Sequence[Question]) -> Figure | str:
    """Figure 10: types of queries by how they were made."""
    if not any(question.method for question in questions):
        return "no query states how it was made (field query_generation_pipeline)"
    counts = Counter((q.method or NOT_STATED, kind) for q in questions for kind in q.types)
    if not counts:
        return NO_TYPES
    table = Table.from_rows(
        key="figure-10",
        title="Types of queries by generation method",
        question="Which types do the ways of making queries give?",
        columns=(
            Column("method", "Generation method", "text"),
            Column("type", "Type", "text"),
            Column("count", "Queries", "count"),
        ),
        rows=[
            {"method": method, "type": kind, "count": counts[method, kind]}
            for method in sorted({method for method, _ in counts})
            for kind in sorted({kind for _, kind in counts})
        ],
        notes=[ANY_TYPE],
    )
    return Figure(table, count_bars("type", "count", series="method"))


def pages_by_type(questions: Sequence[Question], options: Options) -> Figure | str:
    """Figure 11: mean number of relevant pages of a query, by type."""
    by_type: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for number, question in enumerate(questions):
        for kind in question.types if question.pages else ():
            by_type[kind].append((str(number), float(len(question.pages))))
    if not by_type:
        return "no query states both its type and its relevant pages"
    cells = {
        kind: task_mean_cell(mean_over_tasks(pages, "no_rows"), pages, options)
        for kind, pages in by_type.items()
    }
    table = Table.from_rows(
        key="figure-11",
        title="Relevant pages by query type",
        question="How many relevant pages do queries of each type have?",
        columns=(
            Column("type", "Query type", "text"),
            Column("queries", "Queries", "count", "With at least one relevant page."),
            Column("pages", "Relevant pages", "number", "Mean per query."),
        ),
        rows=[
            {"type": kind, "queries": len(by_type[kind]), "pages": cell}
            for kind, cell in sorted(
                cells.items(), key=lambda item: (-float(str(item[1].value)), item[0])
            )
        ],
        notes=["A query of several types counts in each of them. Intervals: queries resampled."],
    )
    return Figure(table, count_bars("type", "pages"))


def lift(questions: Sequence[Question]) -> Figure | str:
    """Figure 13: how much more often a type comes with a kind of content than overall."""
    counts = Counter(
        (kind, content) for q in questions for kind in q.types for _, content in q.content
    )
    if not counts:
        return "no query states its type and has relevant pages with kinds of content"
    n = counts.total()
    types, contents = Counter[str](), Counter[str]()
    for (kind, content), count in counts.items():
        types[kind] += count
        contents[content] += count
    table = Table.from_rows(
        key="figure-13",
        title="Lift of query types by content type",
        question="Which kinds of content do queries of each type need more often than others?",
        columns=(
            Column("content", "Content", "text"),
            Column("type", "Type", "text"),
            Column("count", "Count", "count", "Relevant pages with this content, of such queries."),
            Column("expected", "Expected", "number", "Count if both were independent."),
            Column("lift", "Lift", "number", "Count divided by what is expected."),
        ),
        rows=[
            {
                "content": content,
                "type": kind,
                "count": counts[kind, content],
                "expected": types[kind] * contents[content] / n,
                "lift": counts[kind, content] * n / (types[kind] * contents[content]),
            }
            for content, _ in _ranked(contents)
            for kind, _ in _ranked(types)
        ],
        notes=[
            f"Counts are of {n:,} combinations of a query's type, a relevant page and a kind of "
            "content on it: lift = n(type, content) · n / (n(type) · n(content)). The paper does "
            "not say whether its baseline counts queries or pages.",
        ],
    )
    return Figure(table, cross_heat_map("content", "type", "lift", middle=1))


def lengths(questions: Sequence[Question], documents: Sequence[DocumentFacts]) -> Table | str:
    """Words of queries by format, and pages of documents by domain."""
    if not questions:
        return "no selected campaign has a query"
    by_format: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        by_format[question.format or NOT_STATED].append(float(len(question.text.split())))
    by_domain: dict[str, list[float]] = defaultdict(list)
    for document in documents:
        by_domain[document.domain or NOT_STATED].append(float(document.pages))
    rows: list[RowValues] = []
    for what, groups in (("Words per query", by_format), ("Pages per document", by_domain)):
        values = [value for part in groups.values() for value in part]
        if not values:
            continue
        rows.append({ROW_KIND: "pooled", "what": what, "group": "All", **_spread(values)})
        rows += [
            {"what": what, "group": name, **_spread(groups[name])}
            for name in sorted(groups, key=lambda name: (name == NOT_STATED, name))
        ]
    return Table.from_rows(
        key="lengths",
        title="Lengths of queries and documents",
        question="How long are queries and documents?",
        columns=(
            Column("what", "Length", "text"),
            Column("group", "Group", "text", "Format of the query, domain of the document."),
            Column("n", "n", "count", "Queries or documents."),
            Column("least", "Least", "count"),
            Column("median", "Median", "number"),
            Column("mean", "Mean", "number"),
            Column("most", "Most", "count"),
        ),
        rows=rows,
        notes=[
            "Words are separated by white space. Documents are all of the collection; each has the "
            "domain of most queries about it.",
        ],
    )


def _spread(values: Sequence[float]) -> RowValues:
    return {
        "n": len(values),
        "least": int(min(values)),
        "median": float(median(values)),
        "mean": fmean(values),
        "most": int(max(values)),
    }
