"""ParseBench's tables 1 to 4 and figure 6, as far as they describe the data set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.papers.charts import count_bars
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reading.attempts import works_by_people
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.model import ROW_KIND, Column, RowValues, Table
from pagetrail.exports.writing.page_images import PageKey

NOT_STATED = "(none)"
_METRICS = {
    "Tables": "GTRM",
    "Layout": "Element Pass Rate",
    "Charts": "Data Point Match Rate",
    "Text": "Content Faithfulness, Semantic Formatting",
}
_RULED = ("Layout", "Charts")
"""Data sets whose rules are the elements or data points that people keep."""
_CATEGORIES = ("document_category", "category", "domain")
CHART_FIELDS = {
    "chart_type": "Chart type",
    "value_labels": "Value labels",
    "series_type": "Series type",
    "data_density": "Data density",
    "inflection_points": "Inflection points",
    "chart_count": "Charts on the page",
}
"""Field of a task → the characteristic of figure 6 that it states."""


@dataclass
class VerifiedDataSet:
    """What one campaign contributes.

    Attributes:
        dimension: a key of ``_METRICS``; None if it verifies none.
        pages: of tasks with a submitted attempt → category.
        rules: task → number of testable rules that each of its attempts keeps.
        characteristics: (field of ``CHART_FIELDS``, its value) → tasks of charts that state it.
    """

    campaign: str
    dimension: str | None
    pages: dict[PageKey, str] = field(default_factory=dict)
    rules: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    characteristics: dict[tuple[str, str], set[str]] = field(
        default_factory=lambda: defaultdict(set)
    )

    @property
    def documents(self) -> set[str]:
        """The documents of the pages."""
        return {name for name, _ in self.pages}

    @property
    def n_rules(self) -> float:
        """Mean over the attempts at each task, summed over tasks."""
        return sum(map(fmean, self.rules.values()))


def read_data_set(source: Source) -> VerifiedDataSet:
    """The pages of people's submitted attempts, with what they verified on them."""
    protocol = source.campaign.protocol
    data_set = VerifiedDataSet(source.campaign.name, _dimension(protocol))
    if data_set.dimension is None:
        return data_set
    tables = [spec for spec in protocol.fields if spec.kind == "records" and spec.seed]
    for attempt in works_by_people(source, WrittenFiles()):
        record = attempt.head.record
        category = next((str(record[key]) for key in _CATEGORIES if record.get(key)), NOT_STATED)
        for page in attempt.form.pages():
            data_set.pages.setdefault(page, category)
        if data_set.dimension == "Charts":
            for name in CHART_FIELDS:
                for value in _stated_values(record.get(name)):
                    data_set.characteristics[name, value].add(attempt.head.task)
        if data_set.dimension == "Layout":
            n_rules = sum(not box.deleted for box in attempt.state.boxes.boxes)
        else:
            n_rules = sum(not row.deleted for spec in tables for row in attempt.form.rows(spec))
        data_set.rules[attempt.head.task].append(n_rules)
    return data_set


def _stated_values(value: object) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in _stated_values(item)]
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    return [str(value)] if value not in (None, "") else []


def _dimension(protocol: Protocol) -> str | None:
    """What a campaign verifies: elements, tables, data points, or transcripts with patches."""
    if protocol.boxes.seed:
        return "Layout"
    if protocol.tables.enabled:
        return "Tables"
    seeds = [spec.seed for spec in protocol.fields if spec.kind == "records" and spec.seed]
    if "patches" in seeds:
        return "Text"
    return "Charts" if seeds else None


def dimensions(data_sets: Sequence[VerifiedDataSet]) -> Table:
    """Table 2: pages, documents and rules of each data set."""
    parts = [part for part in data_sets if part.dimension is not None and part.pages]
    rows: list[RowValues] = [
        {
            "campaign": part.campaign,
            "dimension": part.dimension,
            "metric": _METRICS[part.dimension or ""],
            "pages": len(part.pages),
            "documents": len(part.documents),
            "rules": part.n_rules if part.dimension in _RULED else None,
        }
        for part in parts
    ]
    if rows:
        rows.append(
            {
                ROW_KIND: "pooled",
                "campaign": "Total",
                "pages": len({page for part in parts for page in part.pages}),
                "documents": len({name for part in parts for name in part.documents}),
                "rules": sum(part.n_rules for part in parts if part.dimension in _RULED),
            }
        )
    return Table.from_rows(
        key="table-2",
        title="Statistics of the data sets",
        question="How many pages, documents and test rules does each data set have?",
        columns=(
            Column("campaign", "Campaign", "text"),
            Column("dimension", "Dataset", "text"),
            Column("metric", "Metric", "text", "ParseBench's metric for it."),
            Column("pages", "Pages", "count", "Pages of tasks with a submitted attempt."),
            Column("documents", "Docs", "count", "Documents with such a page."),
            Column("rules", "Rules", "number", "Elements or data points that people left."),
        ),
        rows=rows,
        notes=[
            "Where several people verified a task, its rules are the mean over them. Tables have "
            "no rules, and ParseBench makes those of transcripts with its own program, so neither "
            "is counted here. The total counts each page and document once.",
        ],
    )


def scale(data_sets: Sequence[VerifiedDataSet]) -> Table:
    """Table 1, the row of this benchmark: its pages, and the capabilities it covers."""
    covered = {part.dimension for part in data_sets if part.pages}
    pages = {page for part in data_sets for page in part.pages}
    row: RowValues = {
        "pages": len(pages),
        "documents": len({name for name, _ in pages}),
        "tables": "yes" if "Tables" in covered else "no",
        "charts": "yes" if "Charts" in covered else "no",
        "content": "yes" if "Text" in covered else "no",
        "formatting": "yes" if "Text" in covered else "no",
        "grounding": "yes" if "Layout" in covered else "no",
    }
    return Table.from_rows(
        key="table-1",
        title="Scale and capabilities",
        question="How large is the benchmark, and which capabilities does it cover?",
        columns=(
            Column("pages", "Scale (pages)", "count"),
            Column("documents", "Docs", "count"),
            Column("tables", "Tables", "text"),
            Column("charts", "Charts", "text"),
            Column("content", "Content", "text"),
            Column("formatting", "Formatting", "text"),
            Column("grounding", "Grounding", "text"),
        ),
        rows=[row] if pages else [],
        notes=["The row of the selected campaigns; other benchmarks are not in the workspace."],
    )


def categories(data_sets: Sequence[VerifiedDataSet]) -> Table:
    """Tables 3 and 4: documents and pages by category, of each data set."""
    rows: list[RowValues] = []
    for part in data_sets:
        counts = Counter(part.pages.values())
        if not set(counts) - {NOT_STATED}:
            continue
        for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            documents = {page[0] for page, category in part.pages.items() if category == name}
            rows.append(
                {
                    "campaign": part.campaign,
                    "dimension": part.dimension,
                    "category": name,
                    "documents": len(documents),
                    "pages": n,
                    "share": n / counts.total(),
                }
            )
    return Table.from_rows(
        key="table-3",
        title="Documents and pages by category",
        question="Where do the pages of each data set come from?",
        columns=(
            Column("campaign", "Campaign", "text"),
            Column("dimension", "Dataset", "text"),
            Column("category", "Category", "text", "Document category of the task, else domain."),
            Column("documents", "Docs", "count"),
            Column("pages", "Pages", "count"),
            Column("share", "Share", "share", "Of the pages of the data set."),
        ),
        rows=rows,
        notes=["ParseBench's table 3 is of tables, its table 4 of texts."],
    )


def chart_characteristics(data_sets: Sequence[VerifiedDataSet]) -> Figure | None:
    """Figure 6: how many tasks of charts have each characteristic; None if none states any."""
    tasks: dict[tuple[str, str], int] = Counter()
    n_stated: Counter[str] = Counter()
    for part in data_sets:
        for (name, value), keys in part.characteristics.items():
            tasks[name, value] += len(keys)
        for name in CHART_FIELDS:
            stated = [keys for (other, _), keys in part.characteristics.items() if other == name]
            n_stated[name] += len(set().union(*stated))
    if not tasks:
        return None
    order = list(CHART_FIELDS)
    rows: list[RowValues] = [
        {
            "bar": f"{CHART_FIELDS[name]}: {value}",
            "characteristic": CHART_FIELDS[name],
            "value": value,
            "tasks": n,
            "share": n / n_stated[name],
        }
        for (name, value), n in sorted(
            tasks.items(), key=lambda item: (order.index(item[0][0]), -item[1], item[0])
        )
    ]
    table = Table.from_rows(
        key="figure-6",
        title="Characteristics of charts",
        question="How diverse are the charts of the data set?",
        columns=(
            Column("bar", "Characteristic: value", "text"),
            Column("characteristic", "Characteristic", "text", "A field of the tasks."),
            Column("value", "Value", "text"),
            Column("tasks", "Charts", "count", "Tasks with a submitted attempt."),
            Column("share", "Share", "share", "Of the tasks that state the characteristic."),
        ),
        rows=rows,
        notes=["A task with several values of a characteristic counts in each of them."],
    )
    return Figure(table, count_bars("bar", "tasks"))
