"""Judges: who they are, how they compare with people, and accuracy without their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.metrics.judging.accuracy import (
    Correction,
    DecidedAnswer,
    JudgedAccuracy,
    judged_accuracy,
)
from pagetrail.annotation.metrics.judging.accuracy_by_verdict import (
    RuleAnswer,
    accuracy_by_verdict,
)
from pagetrail.annotation.metrics.judging.calibration import CorrectedAccuracy, corrected_accuracy
from pagetrail.annotation.metrics.result import weighted_mean_result
from pagetrail.exports.reports.cells import range_cell
from pagetrail.exports.reports.metrics.campaigns import campaign_suffix
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options, share_cell
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.judging.judge import (
    Calibration,
    Judge,
    anls_judge,
    participant_key,
    reaches_judges,
)
from pagetrail.exports.reports.metrics.judging.judge_agreement import (
    CORRECT_FROM,
    JUDGE,
    agreement_table,
    category_table,
    confusion_table,
    first_runs_of,
    participant_table,
    rounds_chart,
    rounds_table,
)
from pagetrail.exports.reports.metrics.judging.judge_runs import runs_stability_table
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Section, Table, Value

_EXACT_MATCHES = lazy_gettext(
    "Answers that match gold exactly never reach a judge (MADQA, appendix F.1): they count as "
    "correct, outside calibration and correction. An attempt without an answer and without a "
    "verdict counts as incorrect."
)
_NOBODY_JUDGED = lazy_gettext(
    "Nobody has judged these answers, so nothing says how often a judge errs, and nothing is "
    "corrected. Name the campaign in which people judge them: “Verdicts of” or “Calibrate with” on "
    "Results, --judgements of the command."
)


def judges(
    participants: Sequence[Participant],
    rows: Sequence[MeasuredAttempt],
    campaigns: Sequence[Measured],
    options: Options,
) -> Section | str:
    """The section on judges, or why there is none.

    Args:
        rows: attempts at answerable tasks.
    """
    calibrations = [
        calibration
        for campaign in campaigns
        for calibration in _calibrations(
            campaign, rows, campaign_suffix(campaign.name) if len(campaigns) > 1 else ""
        )
    ]
    all_judges = [calibration.judge for calibration in calibrations]
    compared = [calibration for calibration in calibrations if calibration.compared]
    if not compared and not any(campaign.judges for campaign in campaigns):
        if not any(row.judgement is not None for campaign in campaigns for row in campaign.rows):
            return lazy_gettext("Judges are left out: nobody has judged these answers.")
        return lazy_gettext("Judges are left out: no attempt has both a judgement and an ANLS*.")
    parts: list[Table | Chart] = [_judges_table(calibrations)]
    if compared:
        first_runs = first_runs_of(compared)
        by_category = category_table(first_runs, options)
        parts += [
            agreement_table(compared, options),
            confusion_table(compared),
            participant_table(participants, first_runs, options),
            *([by_category] if by_category else []),
        ]
    parts.append(_corrected_table(participants, calibrations, options))
    by_round = rounds_table(compared, options)
    if by_round is not None:
        parts += [by_round, rounds_chart(by_round)]
    runs = runs_stability_table(all_judges, rows, options)
    notes = [note for campaign in campaigns for note in _reference_notes(campaign)]
    return Section("Judges", [*parts, *([runs] if runs else [])], list(dict.fromkeys(notes)))


def _calibrations(
    campaign: Measured, rows: Sequence[MeasuredAttempt], suffix: str
) -> list[Calibration]:
    """The judges of a campaign on its attempts, the ANLS* rule first if people judged any."""
    own_rows = [row for row in rows if row.campaign == campaign.name]
    is_judged = any(row.judgement is not None for row in campaign.rows)
    known_judges = [*([anls_judge(own_rows)] if is_judged else []), *campaign.judges]
    return [
        Calibration(
            replace(judge, suffix=suffix), own_rows, campaign.drawn_sample, campaign=campaign.name
        )
        for judge in known_judges
    ]


def _reference_notes(campaign: Measured) -> list[str]:
    """Whose judgements judges are compared with."""
    notes = []
    is_judged = any(row.judgement is not None for row in campaign.rows)
    if is_judged and campaign.drawn_sample is not None:
        notes.append(
            lazy_gettext(
                "People judged a sample drawn from these answers; answers outside of it are not "
                "compared."
            )
        )
    if campaign.decided_by is not None:
        notes.append(
            lazy_gettext(
                "The imported verdicts “{verdicts}” decide which answers are correct in this "
                "report.",
                verdicts=campaign.decided_by,
            )
        )
    if not is_judged:
        return [*notes, _NOBODY_JUDGED]
    if campaign.own_answers:
        notes.append(
            lazy_gettext(
                "{number:,} judgements are of the judge's own answer.",
                number=campaign.own_answers,
            )
        )
    return [
        *notes,
        lazy_gettext(
            "Reference: the annotators' verdicts in campaign {campaign}.",
            campaign=campaign.calibrated_by,
        ),
    ]


def _judges_table(calibrations: Sequence[Calibration]) -> Table:
    return Table.from_rows(
        key="judges",
        title="Judges",
        question="Who judged the answers?",
        columns=(
            JUDGE,
            Column("who", "Who judged", "text", "The same for all rounds and runs of a judge."),
            Column("model", "Model", "text"),
            Column("version", "Version", "text"),
            Column("round", "Round", "count", "Round of developing the prompt."),
            Column("run", "Run", "count", "Run, of several with the same prompt."),
            Column("date", "Date", "text"),
            Column("prompt", "Prompt", "text", "As stated; of a long text its SHA-256."),
            Column("decides", "Decides", "text", "Whether results go by its verdicts."),
            Column("verdicts", "Verdicts", "count", "Verdicts, used or not."),
            Column("used", "Used", "count", "Those on answers of this report."),
            Column("exact", "Exact", "count", "Those on answers that match gold exactly."),
            Column("other", "Another answer", "count", "Those on another answer."),
            Column("compared", "Compared", "count", "Used verdicts on answers that people judged."),
        ),
        rows=[_judge_cells(calibration) for calibration in calibrations],
        notes=[
            "Used verdicts leave out those on exact matches, at unanswerable tasks, on answers "
            "that were changed since, and on attempts that this report does not contain."
        ],
    )


def _judge_cells(calibration: Calibration) -> RowValues:
    judge, info = calibration.judge, calibration.judge.info
    known_values: dict[str, Value] = {}
    if info is not None:
        known_values = {
            "who": info.judge,
            "model": info.model,
            "version": info.version,
            "round": info.round,
            "run": info.run,
            "date": info.judged_on,
            "prompt": info.prompt_label,
        }
    reason = "rule_without_judge" if info is None else "not_stated"
    names = ("who", "model", "version", "round", "run", "date", "prompt")
    on_rows = [row for row in calibration.rows if row.attempt in judge.verdict_of]
    used = sum(reaches_judges(row) for row in on_rows)
    return {
        "judge": judge.label,
        **{
            name: Cell(reason=reason) if known_values.get(name) is None else known_values[name]
            for name in names
        },
        "decides": lazy_gettext("yes") if judge.decides else lazy_gettext("no"),
        "verdicts": judge.imported,
        "used": used,
        "exact": len(on_rows) - used,
        "other": judge.other_answer,
        "compared": len(calibration.compared),
    }


def _corrected_table(
    participants: Sequence[Participant], calibrations: Sequence[Calibration], options: Options
) -> Table:
    return Table.from_rows(
        key="judges-corrected",
        title="Accuracy by each judge, corrected for its errors",
        question="What would accuracy be if judges made no errors?",
        columns=(
            JUDGE,
            PARTICIPANT,
            Column("attempts", "n", "count", "Submitted attempts."),
            Column("without_judge", "Without judge", "count", "Exact matches, and no answer."),
            Column("judged", "Judged", "count", "Attempts that the judge decides."),
            Column(
                "not_judged",
                "Not judged",
                "count",
                "Attempts that need a verdict and have none; the judged ones represent them.",
            ),
            Column(
                "calibration",
                "Calibration",
                "count",
                "Judged attempts of this participant that people judged, too.",
            ),
            Column("raw", "Raw", "share", "Correct by exact match or verdict, weighted."),
            Column(
                "corrected",
                "Corrected",
                "share",
                "Rogan and Gladen 1978; the interval includes the uncertainty of the calibration.",
            ),
            Column(
                "judged_right",
                "Correct by judgement",
                "share",
                "Of the attempts that people judged, weighted.",
            ),
        ),
        rows=[
            _corrected_cells(participant, calibration, options)
            for calibration in calibrations
            for participant in participants
            if participant.campaign == calibration.campaign
        ],
        notes=[
            _EXACT_MATCHES,
            "Sensitivity and specificity are estimated from all judged answers together, so the "
            "correction assumes that a judge errs alike for every participant.",
            "The answer rule leaves answers undecided. Its accuracy is corrected by the share of "
            "each verdict's answers that people find right.",
            CORRECT_FROM,
        ],
    )


def _corrected_cells(
    participant: Participant, calibration: Calibration, options: Options
) -> RowValues:
    judge = calibration.judge
    answers = [_decided_answer(judge, row) for row in participant.rows]
    if judge.undecided is None:
        accuracy = judged_accuracy(answers, _correction(calibration, participant))
    else:
        by_rule = [(row.unit, calibration.outcome(row)) for row in participant.rows]
        accuracy = accuracy_by_verdict(
            [RuleAnswer(unit, outcome) for unit, outcome in by_rule if outcome is not None],
            calibration.right_shares,
        )
    attempts = {row.attempt for row in participant.rows}
    n_own = sum(answer.row.attempt in attempts for answer in calibration.compared)
    n_judged = sum(answer.by_judge and answer.correct is not None for answer in answers)
    by_people = [
        row.scored(float(row.judgement >= JUDGED_CORRECT_FROM))
        for row in participant.rows
        if row.judgement is not None
    ]
    raw = Cell(reason=accuracy.reason)
    if accuracy.raw is not None:
        low, high = accuracy.raw_interval or (None, None)
        raw = Cell(accuracy.raw, low=low, high=high)
        if accuracy.undecided:
            raw = range_cell(raw, raw, Cell(accuracy.upper), accuracy.undecided)
    return {
        "judge": judge.label,
        "side": participant.name,
        "attempts": len(answers),
        "without_judge": sum(not answer.by_judge for answer in answers),
        "judged": n_judged,
        "not_judged": sum(answer.correct is None for answer in answers),
        "calibration": n_own,
        "raw": raw,
        "corrected": _corrected_cell(accuracy, is_calibrated=bool(n_own) or not n_judged),
        "judged_right": share_cell(weighted_mean_result(by_people, "no_rows"), by_people, options),
    }


def _decided_answer(judge: Judge, row: Attempt) -> DecidedAnswer:
    """An attempt as the judge has it."""
    verdict = judge.verdict(row)
    if verdict is not None:
        return DecidedAnswer(row.unit, verdict >= JUDGED_CORRECT_FROM, True)
    if not reaches_judges(row):
        return DecidedAnswer(row.unit, True, False)
    if not row.answered:
        return DecidedAnswer(row.unit, False, False)
    return DecidedAnswer(row.unit, None, True)


def _correction(calibration: Calibration, participant: Participant) -> Correction:
    systems = {participant_key(row) for row in participant.rows}

    def correct(share: float, n: float) -> CorrectedAccuracy:
        if not calibration.compared:
            return CorrectedAccuracy(value=None, reason="not_calibrated")
        return corrected_accuracy(calibration.sample, share, n, systems=systems)

    return correct


def _corrected_cell(accuracy: JudgedAccuracy, *, is_calibrated: bool) -> Cell:
    if accuracy.value is None:
        return Cell(reason=accuracy.reason)
    low, high = accuracy.interval or (None, None)
    flag = "clipped" if accuracy.is_clipped else None
    flag = flag if is_calibrated else "not_calibrated_on"
    return Cell(accuracy.value, low=low, high=high, se=accuracy.se, flag=flag)
