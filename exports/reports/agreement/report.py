"""The agreement report: people on ratings, boxes, answers, evidence and transcriptions.

docs/metrics.md, Agreement and Boxes; tables are laid out like ViDoRe V3's tables 7 and 15. Only
people are compared. Attempts of imported runs and live agents, and attempts that were not
submitted, are counted as left out. Only tasks that changed since the last report are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.options import option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.ratings.tables import FieldRatings, Ratings, Unit
from pagetrail.exports.reading.attempts import LATER_SUBMISSION, leave_out_never_opened
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.agreement.annotator_answers import is_about_answers
from pagetrail.exports.reports.agreement.annotators import annotators_section
from pagetrail.exports.reports.agreement.answers import Answers
from pagetrail.exports.reports.agreement.boxes import Zones
from pagetrail.exports.reports.agreement.groups import AGREEMENT_FIELDS, Groups, groups_of
from pagetrail.exports.reports.agreement.ratings import ratings_section
from pagetrail.exports.reports.agreement.system_boxes import SystemBoxes
from pagetrail.exports.reports.agreement.transcriptions import Transcriptions
from pagetrail.exports.reports.breakdown import ATTEMPT_FIELDS
from pagetrail.exports.reports.model import Report, Section, Value
from pagetrail.exports.reports.options import Fields, ResampledOptions
from pagetrail.exports.reports.per_task.reading import compared_by_part, compared_tasks
from pagetrail.exports.reports.per_task.task_agreement import AttemptRatings, TaskAgreement
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.exports.writing.left_out import later_notes
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

WITHIN_CONDITIONS = lazy_gettext(
    "A task is a unit of its own under each condition: only people under the same condition are "
    "compared, in the pooled rows too."
)
WITHIN_ATTRIBUTES = lazy_gettext(
    "A task is a unit of its own for each group of annotators: only people with the same "
    "attributes are compared, in the pooled rows too."
)


@dataclass
class _AttemptCounts:
    """Counts of attempts."""

    attempts: int = 0
    ended: int = 0
    of_task: Counter[str] = field(default_factory=Counter)


class AgreementOptions(ResampledOptions):
    """The options of ``agreement``."""

    by: Fields = option(
        None,
        f"Break down by a field: {', '.join(AGREEMENT_FIELDS)}, or another field of "
        "the task records. Two fields (FIELD,FIELD) give a cross table; FIELD:10:20 sets the "
        "limits of groups of numbers. Default: domain, if any task has one.",
        metavar="FIELD",
    )
    dpi: float | None = option(
        None,
        "Round box edges to pixels at this resolution. Default: exact areas.",
        metavar="N",
    )


_DEFAULT = AgreementOptions()


def agreement(source: Source, report_options: AgreementOptions = _DEFAULT) -> Report:
    """The agreement of a campaign's people.

    Tasks of several query types form groups of their own, so that every unit is in exactly one
    row. By condition or an attribute of annotators, only people with the same one are compared.

    Raises:
        PagetrailError: ``by`` names no field (``invalid_group``).
        RatingError: fewer than two replicates.
        BoxError: ``dpi`` is no positive number.
    """
    by, dpi, replicates, seed = (
        report_options.by,
        report_options.dpi,
        report_options.replicates,
        report_options.seed,
    )
    if replicates < 2:
        raise RatingError(f"{replicates} replicates have no spread: ask for 2,000 or more.")
    protocol = source.campaign.protocol
    editable = protocol.question.kind == "editable"
    groups = groups_of(source, by)
    draws = Resampling.for_report(source, replicates, seed)
    tally = WrittenFiles()
    source.leave_out_excluded(tally)
    ratings = Ratings(protocol)
    zones = Zones(groups, tally, dpi)
    answers = Answers(protocol, groups)
    transcriptions = Transcriptions(protocol, groups)
    system_boxes = SystemBoxes(groups)
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    counts, people = _AttemptCounts(), set()
    leave_out_never_opened(source, tally)
    for task, heads, task_agreement in _compared(source, groups, dpi):
        counting = [
            (source.name(head.user), attempt)
            for head, attempt in zip(heads, task_agreement.attempts, strict=True)
            if _counts(head, attempt, tally)
        ]
        if not counting:
            continue
        names = [name for name, _ in counting]
        people |= set(names)
        counts.attempts += len(counting)
        counts.ended += sum(attempt.ended for _, attempt in counting)
        counts.of_task[groups.task(task)] += len(counting)
        for name, attempt in counting:
            ratings.add_read(task, name, attempt.ratings)
        if not editable:
            zones.add(task, task_agreement.pages)
            answers.add(task, names, task_agreement.answers)
            transcriptions.add(task, task_agreement.transcriptions)
        for page in task_agreement.system_pages:
            if (system := heads[page.attempt].user) not in withdrawn:
                system_boxes.add(task, system, page)
    tables = ratings.tables()
    for key, n in sorted(ratings.undeclared.items()):
        tally.leave_out("rating", "category_not_declared", key, n)
    notes = [*later_notes(tally.left_out), *_part_notes(groups), *groups.notes]
    n_raters = _most_raters(tables)
    facts = {
        "tasks": groups.n_tasks,
        lazy_gettext("tasks with work"): len(counts.of_task),
        lazy_gettext("tasks with one annotator"): sum(n == 1 for n in counts.of_task.values()),
        lazy_gettext("tasks with several annotators"): sum(n >= 2 for n in counts.of_task.values()),
        "annotators": len(people),
        "attempts": counts.attempts,
        lazy_gettext("attempts ended early"): counts.ended,
        lazy_gettext("units rated by one"): sum(n == 1 for n in n_raters.values()),
        lazy_gettext("units rated by several"): sum(n >= 2 for n in n_raters.values()),
    }
    return Report(
        kind="agreement",
        title=lazy_gettext("Agreement between annotators"),
        campaign=source.campaign.name,
        protocol=protocol.name,
        facts=facts,
        choices=_choices(tables, groups, draws, dpi) | {"submission": source.submission},
        sections=[
            *_sections(protocol, tables, zones, answers, transcriptions, groups, draws, notes),
            *system_boxes.sections(draws),
        ],
        left_out=tally.left_out,
        identified=source.identify,
    )


def _part_notes(groups: Groups) -> list[str]:
    if groups.part_of is None:
        return []
    fields = {entry.field for entry in groups.fields} & set(ATTEMPT_FIELDS)
    return [WITHIN_CONDITIONS if fields == {"condition"} else WITHIN_ATTRIBUTES]


def _compared(
    source: Source, groups: Groups, dpi: float | None
) -> Iterator[tuple[str, Sequence[AttemptHead], TaskAgreement]]:
    """For each task: its unit key, the compared attempts, and their agreement."""
    if groups.part_of is None:
        for heads, task_agreement in compared_tasks(source, dpi):
            yield heads[0].task, heads, task_agreement
        return
    for part, heads, task_agreement in compared_by_part(source, dpi, groups.part_of):
        yield groups.unit_key(heads[0].task, part), heads, task_agreement


def _sections(
    protocol: Protocol,
    tables: list[FieldRatings],
    zones: Zones,
    answers: Answers,
    transcriptions: Transcriptions,
    groups: Groups,
    draws: Resampling,
    notes: list[str],
) -> list[Section]:
    editable = protocol.question.kind == "editable"
    sections = [ratings_section(tables, groups, draws, editable=editable)]
    if protocol.boxes.enabled and not editable:
        sections.append(zones.section(draws, seeded=protocol.boxes.seed))
    asks_answers = protocol.answer.kind != "off" or protocol.evidence.enabled
    if is_about_answers(protocol):
        sections = [answers.section(draws), answers.annotators(draws), *sections]
    else:
        if asks_answers and not editable:
            sections.append(answers.section(draws))
        people = annotators_section(tables, groups, draws)
        sections += [] if people is None else [people]
    if transcriptions.measures:
        sections.insert(0, transcriptions.section(draws))
    first, *later_sections = sections
    return [replace(first, notes=[*notes, *first.notes]), *later_sections]


def _counts(head: AttemptHead, attempt: AttemptRatings, tally: WrittenFiles) -> bool:
    """Whether an attempt counts for agreement; records the reason if not."""
    if attempt.later is not None:
        tally.leave_out(LATER_SUBMISSION, attempt.later, head.id)
    if attempt.status != "submitted":
        tally.leave_out("attempt", f"status_{attempt.status}", head.id)
    elif head.role == SYSTEM:
        tally.leave_out("attempt", "system", head.id)
    elif attempt.second:
        # It would be compared with the same person's first attempt under another setting.
        tally.leave_out("attempt", "second_of_the_same_person", head.id)
    else:
        return True
    return False


def _most_raters(tables: list[FieldRatings]) -> dict[Unit, int]:
    """Unit → the largest number of people who rated it, over all tables."""
    n_raters: dict[Unit, int] = {}
    for table in tables:
        for unit, n in zip(table.units, table.per_unit.tolist(), strict=True):
            n_raters[unit] = max(n, n_raters.get(unit, 0))
    return n_raters


def _choices(
    tables: list[FieldRatings], groups: Groups, draws: Resampling, dpi: float | None
) -> dict[str, Value]:
    ordinal = any(table.scheme.weights != "identity" for table in tables)
    return {
        "by": groups.by or "overall",
        "weights": lazy_gettext("ordinal on ordinal fields (AC2), identity elsewhere (AC1)")
        if ordinal
        else lazy_gettext("identity (AC1)"),
        "level": lazy_gettext("of each field: nominal, ordinal, or interval for numbers"),
        "categories": lazy_gettext("as the protocol declares them"),
        lazy_gettext("several options"): lazy_gettext(
            "each option yes or no; left blank where it may be: none chosen"
        ),
        "resampled": groups.clusters.lower(),
        "replicates": draws.replicates,
        "seed": draws.seed,
        "confidence": 0.95,
        "dpi": lazy_gettext("exact areas") if dpi is None else dpi,
        lazy_gettext("one zone empty"): 0,
        lazy_gettext("both zones empty"): lazy_gettext("left out"),
    }
