"""ParseBench's two-pass annotation: how people corrected a model's output (appendix A.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.exports.papers.model import CampaignFacts, NotGiven, Paper
from pagetrail.exports.papers.parsebench.elements import confusion, elements
from pagetrail.exports.papers.parsebench.records import records
from pagetrail.exports.papers.parsebench.verified import CAMPAIGN, POOLED, Verified, read
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.papers.settings import Settings
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Column, Table

SOURCE = "Zhang et al. 2026, ParseBench, arXiv 2604.08538, appendix A.1"


def parsebench_paper(sources: Sequence[Source], settings: Settings) -> Paper:
    """The tables of these campaigns."""
    options = settings.options(sources[0])
    campaigns: dict[str, Verified] = {}
    facts = []
    for source in sources:
        tally = WrittenFiles(counts={"attempts": 0})
        campaigns[source.campaign.name] = read(source, tally)
        facts.append(
            CampaignFacts(
                source.campaign.name,
                source.campaign.protocol.name,
                {"tasks": source.campaign.tasks, **tally.counts},
                tally.left_out,
            )
        )
    tables = [
        _passes(campaigns, options),
        elements(campaigns, options),
        confusion(campaigns),
        records(campaigns, options),
    ]
    reasons = {
        "passes": "no output of a model was verified",
        "elements": "no campaign contains elements of a model (preset verify)",
        "confusion": "no campaign contains elements of a model (preset verify)",
        "records": "no campaign contains rows of a model (presets verify_chart, verify_transcript)",
    }
    return Paper(
        name="parsebench",
        title="ParseBench: two-pass verification",
        source=SOURCE,
        campaigns=facts,
        choices=settings.choices(),
        parts=[table for table in tables if table.rows],
        not_given=[
            *(NotGiven(table.title, reasons[table.key]) for table in tables if not table.rows),
            NotGiven("Scores of parsers", "they are computed by ParseBench's evaluator"),
            NotGiven("Tables of HTML", "Pagetrail does not support cell-by-cell verification"),
        ],
        identified=any(source.identify for source in sources),
    )


def _passes(campaigns: Mapping[str, Verified], options: Options) -> Table:
    rows = []
    for campaign, verified in campaigns.items():
        for label, attempts in verified.changed.items():
            by_task: dict[str, list[bool]] = {}
            for task, changed in attempts:
                by_task.setdefault(task, []).append(not changed)
            unchanged_counts = [
                TaskCount(sum(unchanged), len(unchanged), len(unchanged))
                for unchanged in by_task.values()
            ]
            rows.append(
                {
                    "campaign": campaign,
                    "what": label,
                    "tasks": len(by_task),
                    "attempts": len(attempts),
                    "same": sum(count.part for count in unchanged_counts),
                    "share": ratio_cell(unchanged_counts, options, "nothing_given"),
                }
            )
    return Table.from_rows(
        "passes",
        "The second pass",
        "How often did annotators leave the first pass unchanged?",
        (
            CAMPAIGN,
            Column("what", "Verified", "text", "Elements on pages, or rows of a table."),
            Column("tasks", "Tasks", "count", "Tasks with a submitted attempt."),
            Column("attempts", "n", "count", "Submitted attempts."),
            Column("same", "Unchanged", "count", "Attempts without an edit."),
            Column(
                "share", "Share unchanged", "share", "Weighted share of the submitted attempts."
            ),
        ),
        rows,
        [
            "An attempt counts as changed if an element or a row was corrected, deleted or added, "
            "or a patch was approved.",
            POOLED,
        ],
    )
