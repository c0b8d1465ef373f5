"""How judges' verdicts agree with people's judgements, also by participant, category and round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import altair as alt
import numpy as np

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.annotation.metrics.judging.calibration import JudgeRate, judge_rates
from pagetrail.exports.reports.cells import coefficient_cell, weighted_coefficient_cell
from pagetrail.exports.reports.charts.style import (
    SCREEN,
    Layout,
    caption_with,
    chart_spec,
    distinct,
    inline_data,
    percent_axis,
    series_encodings,
)
from pagetrail.exports.reports.metrics.cells import PARTICIPANT, Options
from pagetrail.exports.reports.metrics.judging.judge import Calibration, ComparedAnswer
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Chart, Column, RowValues, Table

JUDGE = Column("judge", "Judge", "text", "Name of the set of verdicts, or the rule.")
_ROUND = Column("round", "Round", "count", "Round of developing the prompt.")
ROUNDS_KEY = "judges-rounds"

_MEASURES = (
    Column("answers", "n", "count", "Answers with a verdict and a judgement of people."),
    Column("agreement", "Agreement", "share", "Share with the same verdict of three."),
    Column("kappa", "Kappa", "score", "Cohen’s kappa, unweighted (Cohen 1960)."),
    Column("kappa_quadratic", "Quadratic kappa", "score", "Cohen’s kappa, quadratic (Cohen 1968)."),
    Column("ac2", "AC2", "score", "Gwet’s AC2 with quadratic weights (Gwet 2014)."),
    Column(
        "sensitivity",
        "Sensitivity",
        "share",
        "Share called correct of the answers that people judge correct.",
    ),
    Column(
        "specificity",
        "Specificity",
        "share",
        "Share called incorrect of the answers that people judge incorrect.",
    ),
)
CORRECT_FROM = lazy_gettext(
    "For sensitivity and specificity a verdict or judgement is correct from 0.5 on, which is "
    "partly correct; agreement, kappa and AC2 distinguish correct, partly correct and incorrect."
)
_COUNTED_ONCE = lazy_gettext(
    "All measures count each answer once; intervals of agreement, kappa and AC2 are over resampled "
    "tasks."
)
_WEIGHTED = lazy_gettext(
    "All measures weight answers: those of people at one task share a weight of 1, and in a drawn "
    "sample the weight is divided by the inclusion probability (Horvitz and Thompson 1952). "
    "Intervals of agreement, kappa and AC2 are over resampled tasks."
)
_FIRST_RUNS = lazy_gettext("Of repeated runs of a judge, only the first is shown.")
_VERDICT_WORDS = {
    1.0: lazy_gettext("correct"),
    0.5: lazy_gettext("partly correct"),
    0.0: lazy_gettext("incorrect"),
}


def agreement_table(calibrations: Sequence[Calibration], options: Options) -> Table:
    """One row per judge."""
    return Table.from_rows(
        key="judges-agreement",
        title="Judges and people",
        question="How well does each judge replace people?",
        columns=(JUDGE, *_MEASURES),
        rows=[
            {"judge": calibration.judge.label, **_cells(calibration, None, options)}
            for calibration in calibrations
        ],
        notes=[
            CORRECT_FROM,
            _COUNTED_ONCE
            if all(c.weights_of(c.compared) is None for c in calibrations)
            else _WEIGHTED,
        ],
    )


def confusion_table(calibrations: Sequence[Calibration]) -> Table:
    """Three rows per judge: people's judgement by the judge's verdict."""
    rows = []
    for calibration in calibrations:
        counts = Counter((answer.judgement, answer.verdict) for answer in calibration.compared)
        rows += [
            {
                "judge": calibration.judge.label,
                "people": _VERDICT_WORDS[judgement],
                "correct": counts[judgement, 1.0],
                "partial": counts[judgement, 0.5],
                "incorrect": counts[judgement, 0.0],
                "answers": sum(counts[judgement, verdict] for verdict in JUDGEMENTS),
            }
            for judgement in _VERDICT_WORDS
        ]
    return Table.from_rows(
        key="judges-confusion",
        title="Verdicts by people’s judgement",
        question="Which verdicts do judges give on answers that people judge alike?",
        columns=(
            JUDGE,
            Column("people", "People", "text", "Median judgement; the lower of two."),
            Column("correct", "Judge: correct", "count"),
            Column("partial", "Judge: partly correct", "count"),
            Column("incorrect", "Judge: incorrect", "count"),
            Column("answers", "n", "count", "Answers with both."),
        ),
        rows=rows,
    )


def participant_table(
    participants: Sequence[Participant], calibrations: Sequence[Calibration], options: Options
) -> Table:
    """One row per judge and participant with judged answers."""
    attempts_of = {
        participant.name: {row.attempt for row in participant.rows} for participant in participants
    }
    rows = []
    for calibration in calibrations:
        for name, attempts in attempts_of.items():
            answers = [a for a in calibration.compared if a.row.attempt in attempts]
            if answers:
                cells = _cells(calibration, answers, options)
                rows.append({"judge": calibration.judge.label, "side": name, **cells})
    return Table.from_rows(
        key="judges-by-participant",
        title="Judges and people by participant",
        question="Does a judge favour some participants?",
        columns=(JUDGE, PARTICIPANT, *_MEASURES),
        rows=rows,
        notes=[CORRECT_FROM, _FIRST_RUNS],
    )


def category_table(calibrations: Sequence[Calibration], options: Options) -> Table | None:
    """One row per judge and category of the tasks; None if no judged task has one."""
    rows = []
    for calibration in calibrations:
        by_category: dict[str, list[ComparedAnswer]] = {}
        for answer in calibration.compared:
            if answer.row.category:
                by_category.setdefault(answer.row.category, []).append(answer)
        for category, answers in sorted(by_category.items()):
            cells = _cells(calibration, answers, options)
            rows.append({"judge": calibration.judge.label, "category": category, **cells})
    if not rows:
        return None
    return Table.from_rows(
        key="judges-by-category",
        title="Judges and people by category",
        question="On which tasks is a judge unreliable?",
        columns=(JUDGE, Column("category", "Category", "text"), *_MEASURES),
        rows=rows,
        notes=[CORRECT_FROM, _FIRST_RUNS],
    )


def first_runs_of(calibrations: Sequence[Calibration]) -> list[Calibration]:
    """The first of each judge's repeated runs, and all rules."""
    first_runs: dict[object, Calibration] = {}
    for calibration in calibrations:
        first_runs.setdefault(calibration.judge.configuration, calibration)
    return list(first_runs.values())


def rounds_table(calibrations: Sequence[Calibration], options: Options) -> Table | None:
    """Agreement by round of a judge's prompt; None unless a judge has two rounds."""
    calibration_of_round: dict[tuple[str, int], Calibration] = {}
    for calibration in first_runs_of(calibrations):
        info = calibration.judge.info
        if info is not None and info.round is not None:
            calibration_of_round.setdefault((calibration.judge.judged_by, info.round), calibration)
    n_rounds = Counter(judge for judge, _ in calibration_of_round)
    rows: list[RowValues] = [
        {
            "judge": judge,
            "round": round_,
            "set": calibration.judge.label,
            **_cells(calibration, None, options),
        }
        for (judge, round_), calibration in sorted(
            calibration_of_round.items(), key=lambda item: item[0]
        )
        if n_rounds[judge] > 1
    ]
    if not rows:
        return None
    return Table.from_rows(
        key=ROUNDS_KEY,
        title="Agreement by round",
        question="Does the prompt get better from round to round?",
        columns=(
            Column("judge", "Judge", "text", "Who judged."),
            _ROUND,
            Column("set", "Verdicts", "text", "The set of verdicts; of several runs the first."),
            *_MEASURES,
        ),
        rows=rows,
        notes=[
            CORRECT_FROM,
            lazy_gettext(
                "People may have judged other answers in each round; compare n and the intervals."
            ),
        ],
    )


def rounds_chart(table: Table, layout: Layout = SCREEN) -> Chart:
    """Percent agreement by round, one line per judge, from ``rounds_table``."""
    points = [
        (str(row.cells["judge"].value), row.cells["round"].value, row.cells["agreement"])
        for row in table.rows
    ]
    names = distinct(list(dict.fromkeys(judge for judge, *_ in points)))
    rows = [
        {
            "series": names[judge],
            "x": round_,
            "y": cell.value,
            "low": cell.value if cell.low is None else cell.low,
            "high": cell.value if cell.high is None else cell.high,
        }
        for judge, round_, cell in points
    ]
    encodings = series_encodings(list(names.values()), (), layout)
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X("x:O", title=lazy_gettext("Round of the prompt"), axis=alt.Axis(labelAngle=0)),
        y=alt.Y(
            "y:Q",
            title=lazy_gettext("Agreement with people (%)"),
            scale=alt.Scale(domain=[0, 1]),
            axis=percent_axis(),
        ),
        color=encodings["color"],
    )
    title = lazy_gettext("Does the judge agree better from round to round?")
    return Chart(
        key="judges-rounds-agreement",
        title=title,
        caption=caption_with(
            lazy_gettext(
                "Share of answers on which judge and people give the same verdict of three, by "
                "round of the prompt; bars: 95 % intervals."
            ),
            series=(
                lazy_gettext(
                    "{name}, round {number}: {percent:.1f} %.",
                    name=names[judge],
                    number=round_,
                    percent=100 * float(str(cell.value)),
                )
                for judge, round_, cell in points
            ),
        ),
        spec=chart_spec(
            alt.layer(
                base.mark_rule(strokeWidth=2).encode(y2="high:Q", y=alt.Y("low:Q")),
                base.mark_line(strokeWidth=2).encode(strokeDash=encodings["strokeDash"]),
                base.mark_point(filled=True, size=60, opacity=1).encode(
                    shape=encodings["shape"],
                    tooltip=[
                        alt.Tooltip("series:N", title=lazy_gettext("Who")),
                        alt.Tooltip("x:O", title=lazy_gettext("Round")),
                        alt.Tooltip("y:Q", title=lazy_gettext("Agreement"), format=".1%"),
                    ],
                ),
                width=layout.width,
                height=layout.height,
            ),
            title,
        ),
        columns=layout.columns,
    )


def _cells(
    calibration: Calibration, answers: Sequence[ComparedAnswer] | None, options: Options
) -> RowValues:
    """The measures of all answers of a calibration, or of some of them."""
    compared = calibration.compared if answers is None else answers
    if not compared:
        undefined = {column.key: Cell(reason="not_judged") for column in _MEASURES[1:]}
        return {"answers": 0, **undefined}
    rates = judge_rates(calibration.sample_of(compared))
    return {
        "answers": len(compared),
        **_coefficients(calibration, compared, options),
        "sensitivity": _rate_cell(rates.sensitivity),
        "specificity": _rate_cell(rates.specificity),
    }


def _coefficients(
    calibration: Calibration, compared: Sequence[ComparedAnswer], options: Options
) -> RowValues:
    unit_weights = calibration.weights_of(compared)
    if unit_weights is not None:
        return _weighted_coefficients(compared, unit_weights, options)
    ratings = np.array([(answer.judgement, answer.verdict) for answer in compared])
    clusters = [answer.row.task for answer in compared]
    draws = options.resampling
    exact = draws.coefficients(
        ratings,
        clusters=clusters,
        categories=JUDGEMENTS,
        weights="identity",
        keys=("percent_agreement", "cohen_kappa"),
    )
    quadratic = draws.coefficients(
        ratings,
        clusters=clusters,
        categories=JUDGEMENTS,
        weights="quadratic",
        keys=("cohen_kappa", "gwet_ac"),
    )
    n_tasks = len(set(clusters))
    return {
        "agreement": coefficient_cell(exact["percent_agreement"], n_tasks),
        "kappa": coefficient_cell(exact["cohen_kappa"], n_tasks),
        "kappa_quadratic": coefficient_cell(quadratic["cohen_kappa"], n_tasks),
        "ac2": coefficient_cell(quadratic["gwet_ac"], n_tasks),
    }


def _weighted_coefficients(
    compared: Sequence[ComparedAnswer], unit_weights: Sequence[float], options: Options
) -> RowValues:
    """The coefficients of a sample with unequal inclusion probabilities."""
    ratings = [(answer.judgement, answer.verdict) for answer in compared]
    clusters = [answer.row.task for answer in compared]
    exact, quadratic = (
        options.resampling.weighted_coefficients(
            ratings,
            unit_weights,
            clusters,
            categories=JUDGEMENTS,
            weights=weights,
            keys=("percent_agreement", "cohen_kappa", "gwet_ac"),
        )
        for weights in ("identity", "quadratic")
    )
    return {
        "agreement": weighted_coefficient_cell(exact["percent_agreement"]),
        "kappa": weighted_coefficient_cell(exact["cohen_kappa"]),
        "kappa_quadratic": weighted_coefficient_cell(quadratic["cohen_kappa"]),
        "ac2": weighted_coefficient_cell(quadratic["gwet_ac"]),
    }


def _rate_cell(rate: JudgeRate) -> Cell:
    low, high = rate.interval or (None, None)
    if low is not None and low == high:
        # A sample without variation does not show how the rate varies, nor that it is certain.
        return Cell(rate.value, flag="no_variation", n=rate.counts["whole"])
    return Cell(rate.value, rate.reason, low=low, high=high, se=rate.se, n=rate.counts["whole"])
