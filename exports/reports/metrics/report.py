"""The report of answers, attribution, effort, errors, search and comparison (docs/metrics.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.annotation.options import option
from pagetrail.annotation.statistics.tfidf import TfIdf
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, IDLE_CAPS_S
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.breakdown import FieldGroups
from pagetrail.exports.reports.metrics.campaigns import campaigns_table, side_by_side
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.comparison import comparison
from pagetrail.exports.reports.metrics.cost import cost
from pagetrail.exports.reports.metrics.effort import effort
from pagetrail.exports.reports.metrics.errors import errors
from pagetrail.exports.reports.metrics.groups import METRICS_FIELDS, Breakdown, breakdown_parts
from pagetrail.exports.reports.metrics.horizon import horizon
from pagetrail.exports.reports.metrics.input_rows import (
    TASKS_CORRECTED,
    TASKS_DECIDED,
    TASKS_DROPPED,
    Measured,
    measure_attempts,
)
from pagetrail.exports.reports.metrics.interval_notes import intervals_choice
from pagetrail.exports.reports.metrics.judging.judged_steps import judged_steps
from pagetrail.exports.reports.metrics.judging.judges import judges
from pagetrail.exports.reports.metrics.judging.sampled_answers import judged_sample, sample_section
from pagetrail.exports.reports.metrics.participants import (
    Participant,
    participants_of,
    without_answers_note,
)
from pagetrail.exports.reports.metrics.prefilter import prefilter
from pagetrail.exports.reports.metrics.results import results
from pagetrail.exports.reports.metrics.runs import runs_table
from pagetrail.exports.reports.metrics.search import search
from pagetrail.exports.reports.metrics.transcriptions import transcriptions
from pagetrail.exports.reports.metrics.vectors import questions_section, unused_vectors
from pagetrail.exports.reports.metrics.without_documents import without_documents
from pagetrail.exports.reports.model import Report, Section, Value
from pagetrail.exports.reports.options import Fields, Names, ScoredOptions, as_tuple
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.exports.writing.left_out import later_notes


def _check_idle_cap(seconds: int) -> int:
    if seconds not in IDLE_CAPS_S:
        raise PagetrailError(
            f"There is no idle cap of {seconds} s. Choose from {', '.join(map(str, IDLE_CAPS_S))}.",
            code="invalid_idle_cap",
        )
    return seconds


class MetricsOptions(ScoredOptions):
    """The options of ``metrics``."""

    beside: Names = option(
        (),
        "Another campaign to show with it, such as an oracle; may be repeated. Each "
        "participant of each campaign is then a line of its own.",
        metavar="CAMPAIGN",
    )
    compare: Annotated[tuple[str, ...] | None, BeforeValidator(as_tuple)] = option(
        None,
        "One or more systems to compare with the people. Default: every imported run "
        "and agent of the campaign.",
        metavar="RUN",
    )
    by: Fields = option(
        None,
        f"Break accuracy down by {', '.join(METRICS_FIELDS)}, or another field of "
        "the task records. Two fields (FIELD,FIELD) give a cross table; FIELD:10:20 sets the "
        "limits of groups of numbers. Default: domain, if any task has one.",
        metavar="FIELD",
    )
    by_annotator: bool = option(False, "Also show each annotator.")
    idle_cap_s: Annotated[int, BeforeValidator(_check_idle_cap)] = option(
        DEFAULT_IDLE_CAP_S,
        f"Longer gaps count as idle: {', '.join(map(str, IDLE_CAPS_S))}.",
        flag="--idle-cap",
        metavar="SECONDS",
    )


_DEFAULT = MetricsOptions()


def metrics(source: Source, report_options: MetricsOptions = _DEFAULT) -> Report:
    """How people and systems did in a campaign.

    Other campaigns (``beside``) show those of the systems to compare that they have. By
    ``condition``, people under each condition are participants of all tables as well. Intervals
    over tasks and annotators are none for results of fewer than five annotators.

    Raises:
        NotFoundError: a system without work in the campaign, or no such campaign of judges.
        PagetrailError: no such field (``invalid_group``), a campaign of judges without verdicts
            (``no_verdicts``), or nothing decided in review (``no_adjudicated_gold``).
        MeasureError: fewer than two replicates.
    """
    vectors = report_options.vector_file
    if report_options.verdicts is not None:
        source = replace(source, verdicts=report_options.verdicts)
    beside = [
        source.for_campaign(name)
        for name in dict.fromkeys(report_options.beside)
        if name != source.campaign.name
    ]
    requested = Breakdown(report_options.by, [source, *beside])
    campaigns = [
        measure_attempts(
            campaign_source,
            compare=systems,
            rule=report_options.rule,
            judgements=report_options.judgements,
            gold=report_options.gold,
        )
        for campaign_source, systems in _systems_of_each((source, *beside), report_options.compare)
    ]
    measured_rows = campaigns[0]
    gold_notes = [note for campaign in campaigns for note in _gold_note(campaign)]
    row_notes = without_answers_note(campaigns)
    by_condition = requested.by_condition
    participants = participants_of(
        measured_rows, by_annotator=report_options.by_annotator, by_condition=by_condition
    )
    if beside:
        measured_rows, participants = side_by_side(
            campaigns, by_annotator=report_options.by_annotator, by_condition=by_condition
        )
    options = Options(
        rule=report_options.rule,
        idle_cap_s=report_options.idle_cap_s,
        resampling=Resampling.for_report(
            source, report_options.replicates, report_options.seed, report_options.intervals
        ),
        submission=source.submission,
        prices=source.prices,
        vectors=None if vectors is None else vectors.vectors,
        gold=report_options.gold,
    )
    breakdown = requested.or_domain(measured_rows.rows)
    fields = breakdown.groups(campaigns, measured_rows)
    names = measured_rows.name
    protocols = [campaign_source.campaign.protocol for campaign_source in (source, *beside)]
    about_transcriptions = transcriptions(protocols, participants, options)
    sections = _sections(
        measured_rows,
        campaigns,
        participants,
        fields,
        options,
        gold_notes,
        row_notes,
        about_transcriptions,
    )
    sample = (
        None
        if report_options.judgements is None
        else judged_sample(source, report_options.judgements, source.verdicts, report_options.gold)
    )
    if sample is not None:
        sections.append(sample_section(sample))
    sections += prefilter(source)
    if beside:
        sections[0] = replace(sections[0], parts=[*sections[0].parts, campaigns_table(campaigns)])
    return Report(
        kind="metrics",
        title=lazy_gettext("Answers, effort and search of {names}", names=names),
        campaign=names,
        protocol=", ".join(dict.fromkeys(protocol.name for protocol in protocols)),
        facts=measured_rows.facts,
        choices=_choices(measured_rows, options, breakdown.name, report_options, source.verdicts)
        | {lazy_gettext("Submission"): source.submission},
        sections=sections,
        left_out=[*measured_rows.left_out, *unused_vectors(vectors)],
        identified=source.identify,
    )


def _systems_of_each(
    sources: Sequence[Source], compare: Sequence[str] | None
) -> list[tuple[Source, Sequence[str] | None]]:
    """Each campaign with the systems to compare that it has; one that none has, with the first."""
    if compare is None or len(sources) == 1:
        return [(source, compare) for source in sources]
    systems_of = [source.database.systems(source.campaign.id) for source in sources]
    unknown = [name for name in compare if not any(name in names for names in systems_of)]
    return [
        (
            source,
            [name for name in compare if name in names] + (unknown if source is sources[0] else []),
        )
        for source, names in zip(sources, systems_of, strict=True)
    ]


def _sections(
    measured_rows: Measured,
    campaigns: Sequence[Measured],
    participants: Sequence[Participant],
    fields: Sequence[FieldGroups],
    options: Options,
    gold_notes: Sequence[str],
    row_notes: Sequence[str],
    about_transcriptions: Sequence[Section | str],
) -> list[Section]:
    answerable = [row for row in measured_rows.rows if not row.unanswerable]
    later = [
        *about_transcriptions,
        errors(participants, options),
        judged_steps(participants, measured_rows.rows, options),
        search(participants, answerable, options),
        cost(participants, options),
        comparison(participants, options),
        horizon(participants, options),
        *questions_section(measured_rows.questions, options),
        *without_documents(participants, measured_rows.guesses, options),
        judges(participants, answerable, campaigns, options),
    ]
    omitted = [part for part in later if isinstance(part, str)]
    notes = [*later_notes(measured_rows.left_out), *gold_notes]
    first = results(participants, options, [*notes, *omitted], row_notes)
    runs = runs_table(participants, options)
    if runs is not None:
        first = replace(first, parts=[*first.parts, runs])
    if fields:
        whole_participants = [
            participant for participant in participants if participant.kind != "condition"
        ]
        parts = breakdown_parts(whole_participants, fields, options)
        first = replace(first, parts=[*first.parts, *parts])
    return [
        first,
        effort(participants, options),
        *(part for part in later if isinstance(part, Section)),
    ]


def _gold_note(measured_rows: Measured) -> list[str]:
    decided = measured_rows.facts.get(TASKS_DECIDED)
    if TASKS_CORRECTED in measured_rows.facts:
        return [
            lazy_gettext(
                "Gold after checks of suspect gold: {corrected:,} tasks corrected, {dropped:,} "
                "dropped.",
                corrected=measured_rows.facts[TASKS_CORRECTED],
                dropped=measured_rows.facts[TASKS_DROPPED],
            )
        ]
    if decided is None:
        return []
    measured = measured_rows.facts["Tasks measured"]
    sentences = [
        lazy_gettext(
            "Gold decided in review, which {decided:,} of {measured:,} tasks have.",
            decided=decided,
            measured=measured,
        )
    ]
    if decided != measured:
        sentences.append(
            lazy_gettext("Tasks without it are left out of every result that needs gold.")
        )
    sentences.append(
        lazy_gettext("This gold was made from these people's work, which favours their results.")
    )
    return [join_messages(sentences)]


def _choices(
    measured_rows: Measured,
    options: Options,
    by: str | None,
    report_options: MetricsOptions,
    verdicts: str | None,
) -> dict[str, Value | Sequence[Value]]:
    # Not stated for the tasks' own gold, so that those reports keep their bytes.
    golds = {
        "adjudicated": lazy_gettext("adjudicated, the last version decided in review"),
        "corrected": lazy_gettext("corrected, after checks of suspect gold"),
    }
    return {
        lazy_gettext("Systems compared"): list(measured_rows.systems),
        **(
            {lazy_gettext("Gold"): golds[report_options.gold]}
            if report_options.gold in golds
            else {}
        ),
        lazy_gettext("Rule"): options.rule,
        lazy_gettext("ANLS* threshold"): ANLS_THRESHOLD,
        lazy_gettext("Judgements"): report_options.judgements,
        **({lazy_gettext("Verdicts"): verdicts} if verdicts is not None else {}),
        lazy_gettext("Group by"): by,
        lazy_gettext("Idle cap, s"): options.idle_cap_s,
        **({} if options.prices is None else {lazy_gettext("Price table"): str(options.prices)}),
        lazy_gettext("Effort of Kuiper"): lazy_gettext("searches, else iterations"),
        lazy_gettext("Gold found"): lazy_gettext("any of it"),
        lazy_gettext("Vectoriser of drift"): options.vectors.name
        if options.vectors
        else TfIdf.name,
        lazy_gettext("Intervals"): intervals_choice(options.resampling.units),
        lazy_gettext("Replicates"): options.resampling.replicates,
        lazy_gettext("Seed"): options.resampling.seed,
    }
