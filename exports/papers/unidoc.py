"""UniDoc-Bench's tables 1 (the data set), 2 (the reviewed quality of its pairs), 3 and 7
(retrieval) and 10 (cost).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.exports.formats.reviews import decision_of, is_voted_on, reviews_by_task
from pagetrail.exports.papers.material import material
from pagetrail.exports.papers.model import CampaignFacts, NotGiven, Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.questions import asked_questions, read_documents, read_questions
from pagetrail.exports.papers.ratios import TaskCount, ratio_cell
from pagetrail.exports.papers.unidoc_data_set import data_set
from pagetrail.exports.papers.unidoc_retrieval import by_domain, by_type
from pagetrail.exports.papers.vidore import agreement_tables
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.campaigns import campaign_suffix
from pagetrail.exports.reports.metrics.cells import ATTEMPTS, PARTICIPANT, Options
from pagetrail.exports.reports.metrics.cost import CURRENCY, ParticipantCosts, cost_notes
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.participants import participants_of
from pagetrail.exports.reports.model import Column, RowValues, Table

SOURCE = "UniDoc-Bench, arXiv 2510.03663, section 3.3, appendices C and E.3"

_NOTES = (
    "Each pair is decided unanimously; where reviewers differ, by the senior reviewer (the first "
    "to submit after the overlap was filled), otherwise by a majority of more than half. Pairs "
    "without a decision are left out.",
    "A page-level field is met for a pair if it is met on every page of the pair; UniDoc-Bench "
    "does not state how grounding is counted per pair. Rows “Pages” give the share of pages.",
    "Met: the option with the highest code. Fields without coded options are left out.",
)


_NOT_OF_CAMPAIGNS = (
    NotGiven("Table 1, other benchmarks", "they are not in the workspace"),
    NotGiven(
        "Tables 4 and 5",
        "a language model extracts the facts of each answer, and completeness and faithfulness are "
        "shares of these facts; Pagetrail judges whole answers (metrics, Judges)",
    ),
    NotGiven("Table 6", "the paper has none of that number"),
    NotGiven(
        "Tables 8 and 9",
        "they compare two embeddings within one retrieval system; tables 3 and 7 compare the "
        "participants of a campaign",
    ),
    NotGiven("Figures 1 and 2", "they draw the benchmark and how it was made"),
    NotGiven("Figure 3", "it shows how a page is parsed"),
    NotGiven("Figures 4 to 8", "they show single answers of systems; replay shows those of runs"),
)


@dataclass(frozen=True)
class _Outcome:
    """What reviewers decided on one field of one pair, or page.

    Attributes:
        is_met: whether it is the best option; None without a majority.
        decision: ``unanimous``, ``senior``, ``majority``, ``single`` or ``undecided``.
    """

    task: str
    is_met: bool | None
    decision: str


_DECISIONS = ("unanimous", "senior", "majority", "single", "undecided")


def unidoc_paper(sources: Sequence[Source], paper_options: PaperOptions) -> Paper:
    """The tables of these campaigns."""
    options = paper_options.options(sources[0])
    rows, facts = [], []
    for source in sources:
        tally = WrittenFiles()
        source.leave_out_excluded(tally)
        outcomes = _outcomes(source, tally)
        facts.append(
            CampaignFacts.from_source(
                source,
                {"tasks": source.campaign.tasks, "pairs reviewed": tally.counts.get("pairs", 0)},
                tally.left_out,
            )
        )
        domains = {task.key: task.record.get("domain") for task in source.tasks()}
        rows += list(_rows(source.campaign.name, outcomes, domains, options))
    table = Table.from_rows(
        key="table-2",
        title="Quality of question–answer pairs, as reviewed",
        question="What share of pairs meets each quality criterion?",
        columns=(
            Column("campaign", "Campaign", "text"),
            Column("group", "Domain", "text", "All pairs, or those of a domain."),
            Column("field", "Dimension", "text", "A field of the protocol."),
            Column("unit", "Unit", "text", "Pairs, or their pages."),
            Column("met", "Met", "count", "Units decided as met."),
            Column("share", "Share", "share", "Share of the decided units."),
            Column("unanimous", "Unanimous", "count", "Two or more reviewers, all in agreement."),
            Column("senior", "By senior", "count", "Decided by the senior reviewer."),
            Column("majority", "By majority", "count", "Reviewers differ; more than half agree."),
            Column("single", "One reviewer", "count", "Reviewed by one person only."),
            Column(
                "undecided", "Undecided", "count", "No majority and no senior decision; left out."
            ),
        ),
        rows=rows,
        notes=_NOTES,
    )
    agreed, _ = agreement_tables(sources, paper_options)
    missing = [] if rows else [NotGiven("Table 2", "no field with coded options was reviewed")]
    tasks = read_questions(sources)
    about = data_set(asked_questions(tasks), read_documents(sources[0], tasks))
    searching = [source for source in sources if source.campaign.protocol.search.enabled]
    searches = (
        material(searching, options, rule=paper_options.rule, judgements=None, gold="task")
        if searching
        else None
    )
    retrieval: list[Table] = []
    for name, build in (("Table 3", by_domain), ("Table 7", by_type)):
        built = build(searches, tasks)
        if isinstance(built, str):
            missing.append(NotGiven(name, built))
        else:
            retrieval.append(built)
    costs = cost_and_latency(sources, options)
    if costs is None:
        missing.append(NotGiven("Table 10", "no system of these campaigns has a cost or a latency"))
    return Paper(
        name="unidoc",
        title="UniDoc-Bench: review of question–answer pairs",
        source=SOURCE,
        campaigns=facts,
        choices=paper_options.choices(sources[0]),
        parts=[
            *about,
            *([table] if rows else []),
            *(
                _renamed(part)
                for part in agreed
                if isinstance(part, Table) and part.key.startswith("table-7-")
            ),
            *retrieval,
            *([costs] if costs is not None else []),
        ],
        not_given=[
            *missing,
            *_NOT_OF_CAMPAIGNS,
        ],
        identified=any(source.identify for source in sources),
    )


def cost_and_latency(sources: Sequence[Source], options: Options) -> Table | None:
    """Table 10: average cost and latency of each system; None where neither is known."""
    rows: list[RowValues] = []
    costs: dict[str, ParticipantCosts] = {}
    for source in sources:
        for participant in participants_of(measure_attempts(source), by_annotator=False):
            if participant.kind != "system":
                continue
            attempts = [*participant.rows, *participant.unanswerable]
            entry = ParticipantCosts.of_rows(attempts, options)
            latency = entry.time()
            if not entry.amounts and latency.value is None:
                continue
            costs[participant.name + campaign_suffix(source.campaign.name)] = entry
            rows.append(
                {
                    "campaign": source.campaign.name,
                    "side": participant.name,
                    "attempts": len(attempts),
                    "currency": entry.currency or ", ".join(entry.currencies) or None,
                    "cost_per_task": entry.per_task(),
                    "execution_s": latency,
                }
            )
    if not rows:
        return None
    return Table.from_rows(
        key="table-10",
        title="Average cost and latency of systems",
        question="What does an answer of each system cost, and how long does it take?",
        columns=(
            Column("campaign", "Campaign", "text"),
            PARTICIPANT,
            ATTEMPTS,
            CURRENCY,
            Column("cost_per_task", "Avg. cost", "money", "Mean over tasks."),
            Column(
                "execution_s",
                "Avg. latency, s",
                "seconds",
                "Latency of the model as stated, else time to submission; mean over tasks.",
            ),
        ),
        rows=rows,
        notes=[
            "All tasks, those without an answer too.",
            *cost_notes(costs, options, of_answerable=False),
        ],
        unit_column="attempts",
    )


def _renamed(table: Table) -> Table:
    key = table.key.removeprefix("table-7-")
    return replace(table, key=f"agreement-{key}")


_Outcomes = Mapping[tuple[str, str], Sequence[_Outcome]]
"""(label of the field, ``Pairs`` or ``Pages``) → outcomes."""


def _outcomes(source: Source, tally: WrittenFiles) -> _Outcomes:
    outcomes: dict[tuple[str, str], list[_Outcome]] = {}
    specs = [
        spec
        for spec in source.campaign.protocol.fields
        if is_voted_on(spec) and _best(spec) is not None and spec.scope in ("task", "page")
    ]
    for reviews in reviews_by_task(source, tally):
        tally.count("pairs")
        decision = decision_of(source.campaign.protocol, reviews)
        task = str(decision["task"])
        for spec in specs:
            if spec.scope == "task":
                outcome = _outcome(task, spec, decision["fields"][spec.name])
                if outcome is not None:
                    outcomes.setdefault((spec.label, "Pairs"), []).append(outcome)
                continue
            pages = [
                outcome
                for page in decision["pages"]
                if (outcome := _outcome(task, spec, page["fields"][spec.name])) is not None
            ]
            if pages:
                outcomes.setdefault((spec.label, "Pairs"), []).append(_all_pages(task, pages))
                outcomes.setdefault((spec.label, "Pages"), []).extend(pages)
    return outcomes


def _best(spec: FieldSpec) -> str | None:
    """The option with the highest code; None without coded options."""
    coded = [(option.code, option.value) for option in spec.options if option.code is not None]
    return max(coded, key=lambda pair: pair[0])[1] if coded else None


def _outcome(task: str, spec: FieldSpec, vote: Mapping[str, Any]) -> _Outcome | None:
    if not vote["votes"]:
        return None
    decision = {True: "unanimous", None: "single", False: "majority"}[vote["agreed"]]
    value = vote["majority"]
    if vote.get("decided") is not None:
        decision, value = "senior", vote["decided"]
    if value is None:
        return _Outcome(task, None, "undecided")
    return _Outcome(task, value == _best(spec), decision)


def _all_pages(task: str, pages: Sequence[_Outcome]) -> _Outcome:
    """The outcome of a pair: met on every page; its least certain page says how it was decided."""
    decision = max(
        (page.decision for page in pages),
        key=("unanimous", "single", *_DECISIONS[1:3], "undecided").index,
    )
    if any(page.is_met is False for page in pages):
        return _Outcome(task, False, "majority" if decision == "undecided" else decision)
    return _Outcome(task, None if decision == "undecided" else True, decision)


def _rows(
    campaign: str, outcomes_by_field: _Outcomes, domains: Mapping[str, Any], options: Options
) -> Iterator[RowValues]:
    domain_names = sorted({str(domain) for domain in domains.values() if domain})
    for group in ["All", *domain_names]:
        for (field, unit), outcomes in outcomes_by_field.items():
            inside = [
                outcome
                for outcome in outcomes
                if group == "All" or domains.get(outcome.task) == group
            ]
            if not inside:
                continue
            by_task: dict[str, list[bool]] = {}
            for outcome in inside:
                if outcome.is_met is not None:
                    by_task.setdefault(outcome.task, []).append(outcome.is_met)
            undecided = sum(outcome.is_met is None for outcome in inside)
            cells: RowValues = {
                "campaign": campaign,
                "group": group,
                "field": field,
                "unit": unit,
                "met": sum(map(sum, by_task.values())),
                "share": ratio_cell(
                    [TaskCount(sum(results), len(results)) for results in by_task.values()],
                    options,
                    "undecided",
                    {"undecided": undecided},
                ),
            }
            cells |= {
                decision: sum(outcome.decision == decision for outcome in inside)
                for decision in _DECISIONS
            }
            yield {"row_kind": "pooled" if group == "All" else "row", **cells}
