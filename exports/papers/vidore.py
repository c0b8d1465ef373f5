"""ViDoRe V3's tables and figures: agreement (7, 15), the data set, retrieval and answers.

A campaign stands for a dataset. Agreement has the numbers of ``pagetrail agreement``, per dataset,
domain and language.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.exports.papers.charts import system_f1
from pagetrail.exports.papers.material import material, with_verdicts
from pagetrail.exports.papers.model import CampaignFacts, Figure, NotGiven, Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.questions import asked_questions, read_documents, read_questions
from pagetrail.exports.papers.vidore_answers import end_to_end, without_corpus
from pagetrail.exports.papers.vidore_queries import (
    content_by_domain,
    corpora,
    lengths,
    lift,
    pages_by_type,
    type_by_domain,
    type_by_format,
    type_by_method,
    type_combinations,
)
from pagetrail.exports.papers.vidore_retrieval import retrieval_parts
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.model import Column, Report, Table

SOURCE = (
    "ViDoRe V3: A Comprehensive Evaluation of Retrieval Augmented Generation in Complex Real-World "
    "Scenarios, arXiv 2601.08620, sections 3 and 4, appendices B to G"
)
GROUPINGS = {"domain": "Domain", "language": "Language"}

_KEYS = {"boxes": "table-15", "system-boxes": "figure-15", "system-box-pages": "table-4"}
"""Key of a table in the report of agreement → its key in the paper, unless of table 7."""

_NOT_OF_CAMPAIGNS = (
    NotGiven(
        "Table 2",
        "it compares rerankers, which reorder the pages of a retriever; a search in a campaign is "
        "logged as people and agents saw it",
    ),
    NotGiven(
        "Table 5", "it defines types and formats in words; figure 3 and type-format count them"
    ),
    NotGiven("Table 8", "it names the models of the paper's retrievers"),
    NotGiven(
        "Table 11",
        "it runs one retriever on images and on text of the same pages; a campaign has one search",
    ),
    NotGiven("Figures 1 and 8", "they show sample pages and queries"),
    NotGiven("Figure 2", "it draws how the benchmark was made"),
    NotGiven(
        "Figures 16 and 17",
        "they show sample pages with the boxes of models; replay and review show those of systems",
    ),
    NotGiven("Figures 18 and 19", "they are instructions; guidelines of a campaign are exported"),
    NotGiven("Figures 20 to 27", "they are prompts of language models"),
    NotGiven(
        "Tables 7 and 15, overall row of several datasets",
        "coefficients are computed per campaign; each has its own pooled row",
    ),
)


_NO_ANSWERS = "no selected campaign asks for answers"


def agreement_tables(
    sources: Sequence[Source], paper_options: PaperOptions
) -> tuple[list[Table | Figure], list[Report]]:
    """Tables 4, 7 and 15, figure 15, and the reports by domain that they were made of.

    Raises:
        RatingError: fewer than two replicates.
    """
    reports = [
        {
            grouping: agreement(
                source,
                AgreementOptions(
                    by=grouping, replicates=paper_options.replicates, seed=paper_options.seed
                ),
            )
            for grouping in GROUPINGS
        }
        for source in sources
    ]
    tables: dict[str, list[tuple[str, str, Table]]] = {}
    for campaign_reports in reports:
        for grouping, report in campaign_reports.items():
            for table in report.tables:
                if _has_groups(table):
                    tables.setdefault(table.key, []).append((report.campaign, grouping, table))
    parts: list[Table | Figure] = [
        Figure(table, system_f1) if table.key == "figure-15" else table
        for table in (_table(key, tables) for key, tables in sorted(tables.items(), key=_order))
    ]
    return parts, [campaign_reports["domain"] for campaign_reports in reports]


def vidore_paper(sources: Sequence[Source], paper_options: PaperOptions) -> Paper:
    """The tables and figures of these campaigns.

    Raises:
        NotFoundError: no such campaign of judges, or none of the campaigns has these verdicts.
        PagetrailError: the campaign of judges gives no verdicts (``no_verdicts``).
        RatingError: fewer than two replicates.
    """
    agreed, reports = agreement_tables(sources, paper_options)
    parts: list[Table | Figure] = []
    missing: list[NotGiven] = []
    options = paper_options.options(sources[0])
    tasks = read_questions(sources)
    questions, documents = asked_questions(tasks), read_documents(sources[0], tasks)
    for name, built in (
        ("Figure 3", type_by_domain(questions)),
        ("Figure 4", content_by_domain(questions)),
        ("Table 6", corpora(questions, documents)),
        ("Queries by type and format", type_by_format(questions)),
        ("Figure 9", type_combinations(questions)),
        ("Figure 10", type_by_method(questions)),
        ("Figure 11", pages_by_type(questions, options)),
        ("Figure 13", lift(questions)),
        ("Lengths", lengths(questions, documents)),
    ):
        if isinstance(built, str):
            missing.append(NotGiven(name, built))
        else:
            parts.append(built)
    searching = [source for source in sources if source.campaign.protocol.search.enabled]
    retrieval, not_retrieved = retrieval_parts(
        material(searching, options, rule=paper_options.rule, judgements=None, gold="task")
        if searching
        else None,
        questions,
    )
    parts += retrieval
    missing += not_retrieved
    answering = [
        source
        for source in with_verdicts(sources, paper_options.verdicts)
        if source.campaign.protocol.answer.kind != "off"
    ]
    answers = (
        material(
            answering,
            options,
            rule=paper_options.rule,
            judgements=paper_options.judgements,
            gold="task",
        )
        if answering
        else None
    )
    for name, build in (("Table 3", end_to_end), ("Table 16", without_corpus)):
        built = _NO_ANSWERS if answers is None else build(answers)
        if isinstance(built, str):
            missing.append(NotGiven(name, built))
        else:
            parts.append(built)
    parts += agreed
    keys = [part.data.key if isinstance(part, Figure) else part.key for part in agreed]
    if not any(key.startswith("table-7") for key in keys):
        missing.append(NotGiven("Table 7", "no field of the selected campaigns was rated"))
    if "table-15" not in keys:
        missing.append(NotGiven("Table 15", "the selected campaigns collect no boxes"))
    if "table-4" not in keys:
        missing.append(
            NotGiven(
                "Table 4, figure 15",
                "no system drew boxes in the selected campaigns (import-boxes, or draw_box)",
            )
        )
    return Paper(
        name="vidore",
        title="ViDoRe V3: agreement, queries and retrieval",
        source=SOURCE,
        campaigns=[
            CampaignFacts.from_source(source, report.facts, report.left_out)
            for source, report in zip(sources, reports, strict=True)
        ],
        choices={
            **{name: value for name, value in reports[0].choices.items() if name != "by"},
            "Rule of answers": paper_options.rule,
            "Judgements of answers": paper_options.judgements,
            **({"Verdicts on answers": paper_options.verdicts} if paper_options.verdicts else {}),
        },
        parts=parts,
        not_given=[*missing, *_NOT_OF_CAMPAIGNS],
        identified=any(source.identify for source in sources),
    )


def _has_groups(table: Table) -> bool:
    """Boxes, and fields with one value; of several options each has a row of its own there."""
    by_group = any(column.key == "group" for column in table.columns)
    return by_group and (table.key.startswith("ratings-") or table.key in _KEYS)


def _order(entry: tuple[str, object]) -> tuple[bool, str]:
    return entry[0] in _KEYS, _key(entry[0])


def _key(key: str) -> str:
    return _KEYS.get(key) or f"table-7-{key.removeprefix('ratings-')}"


def _table(key: str, tables: Sequence[tuple[str, str, Table]]) -> Table:
    """One table of all campaigns: pooled, then by domain and language."""
    rows = []
    for campaign, grouping, table in tables:
        for row in table.rows:
            is_pooled = row.kind == "pooled"
            if row.kind == "macro" or (is_pooled and grouping != "domain"):
                continue
            label = "Dataset" if is_pooled else GROUPINGS[grouping]
            group = "All" if is_pooled else row.cells["group"].value
            rows.append({**row.cells, "campaign": campaign, "place": label, "group": group})
    # Pooled rows first, as the paper has its datasets.
    rows.sort(key=lambda row: row["place"] != "Dataset")
    first = tables[0][2]
    return Table.from_rows(
        key=_key(key),
        title=first.title,
        question=first.question,
        columns=(
            Column("campaign", "Dataset", "text", "A campaign."),
            Column("place", "By", "text", "Grouping: the whole dataset, a domain or a language."),
            Column("group", "Group", "text"),
            *(column for column in first.columns if column.key != "group"),
        ),
        rows=rows,
        notes=list(dict.fromkeys(note for _, _, table in tables for note in table.notes)),
        unit_column=first.unit_column,
    )
