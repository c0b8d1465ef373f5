"""Questions that models answered without the documents, and what that means for other results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.without_documents import guess_counts, questions_by_need
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import ACCURACY, PARTICIPANT, Options
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table

ANY = lazy_gettext("Any of them")


def without_documents(
    participants: Sequence[Participant], guesses: Sequence[MeasuredAttempt], options: Options
) -> list[Section]:
    """The section; none where no model answered without documents."""
    needs = questions_by_need((row.task, row.correct) for row in guesses)
    if not needs:
        return []
    parts = [models_table(guesses, needs, options)]
    if any(participant.rows for participant in participants):
        parts.append(_accuracy(participants, needs, options))
    return [
        Section(
            title=lazy_gettext("Questions answered without documents"),
            parts=parts,
            notes=[
                lazy_gettext(
                    "A question is easy if any of these models answered it correctly from the "
                    "question alone, and hard otherwise (Macé et al. 2026, ViDoRe V3, appendix H)."
                ),
            ],
        )
    ]


def models_table(
    guesses: Sequence[MeasuredAttempt],
    needs: Mapping[str, bool],
    options: Options,
) -> Table:
    """What each model answered correctly without documents, as in MADQA's table 9.

    Args:
        guesses: attempts of models that were given the questions alone.
        needs: task → whether it needs the documents, as ``questions_by_need``.
    """
    rows: list[RowValues] = []
    for name in sorted({row.system for row in guesses}):
        answers = [row for row in guesses if row.system == name]
        counts = guess_counts((row.guess_class, row.correct) for row in answers if row.guess_class)
        rows.append(
            {
                "side": name,
                "questions": counts.n,
                "correct": ACCURACY.cell(answers, options),
                **{str(name): n for name, n in counts.correct.items()},
                "random": value_cell(counts.random, "no_rows"),
                "memorised": value_cell(counts.memorised, "no_rows"),
            }
        )
    n_easy = sum(not needed for needed in needs.values())
    low, high = wilson(n_easy, len(needs)) or (None, None)
    easy = Cell(n_easy / len(needs), low=low, high=high, n=len(needs), tasks=len(needs))
    rows.append({"row_kind": "pooled", "side": ANY, "questions": len(needs), "correct": easy})
    return Table.from_rows(
        key="without-documents",
        title=lazy_gettext("Models without documents"),
        question=lazy_gettext("How many questions can be answered without the documents?"),
        columns=(
            Column("side", lazy_gettext("Model"), "text"),
            Column(
                "questions",
                lazy_gettext("Questions"),
                "count",
                lazy_gettext("Answerable questions that it answered, and that could be decided."),
            ),
            Column(
                "correct",
                lazy_gettext("Correct"),
                "share",
                lazy_gettext(
                    "Share answered correctly; in the last row, of questions that any model "
                    "answered correctly: the easy ones."
                ),
            ),
            Column(
                "yes_no",
                lazy_gettext("Yes/no"),
                "count",
                lazy_gettext("Correct answers to yes/no questions."),
            ),
            Column(
                "binary_choice",
                lazy_gettext("Two choices"),
                "count",
                lazy_gettext("Correct answers to questions that name two choices."),
            ),
            Column(
                "other",
                lazy_gettext("Memorised"),
                "count",
                lazy_gettext("Correct answers to all other questions."),
            ),
            Column(
                "random",
                lazy_gettext("By chance"),
                "share",
                lazy_gettext(
                    "Half of the correct answers to yes/no questions and two choices, of all "
                    "(Borchmann et al. 2026, MADQA, table 9: Random)."
                ),
            ),
            Column(
                "memorised",
                lazy_gettext("Contamination"),
                "share",
                lazy_gettext("Memorised answers, of all (MADQA, table 9: Contam.)."),
            ),
        ),
        rows=rows,
        notes=[
            lazy_gettext(
                "A question is of the class in its field guess_class; without it, yes/no where its "
                "type is boolean or all accepted answers are yes or no, and otherwise neither."
            )
        ],
    )


def _accuracy(
    participants: Sequence[Participant], needs: dict[str, bool], options: Options
) -> Table:
    rows: list[RowValues] = []
    for participant in participants:
        hard, easy = (
            [row for row in participant.rows if needs.get(row.task) is needed]
            for needed in (True, False)
        )
        if hard or easy:
            rows.append(
                {
                    "side": participant.name,
                    "attempts": len(hard) + len(easy),
                    "hard": ACCURACY.cell(hard, options),
                    "easy": ACCURACY.cell(easy, options),
                }
            )
    return Table.from_rows(
        key="accuracy-by-need",
        title=lazy_gettext("Accuracy on hard and easy questions"),
        question=lazy_gettext("Who is right where the documents are needed?"),
        columns=(
            PARTICIPANT,
            Column(
                "attempts",
                lazy_gettext("Attempts"),
                "count",
                lazy_gettext("Attempts at questions that models answered without documents."),
            ),
            Column(
                "hard",
                lazy_gettext("Hard"),
                "share",
                lazy_gettext("Accuracy on questions that no model answered without documents."),
            ),
            Column(
                "easy",
                lazy_gettext("Easy"),
                "share",
                lazy_gettext("Accuracy on questions that a model answered without documents."),
            ),
        ),
        rows=rows,
    )
