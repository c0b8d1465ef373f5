"""Questions asked for and written so far, by type, format and whatever else is drawn."""

from __future__ import annotations

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reports.model import Column, Report, RowValues, Section, Table
from pagetrail.storage.authoring.question_counts import RequestedQuestions


def questions_report(
    campaign: str, protocol: Protocol, questions: list[RequestedQuestions]
) -> Report:
    """How many questions of each combination of drawn options are asked for and written."""
    table = Table.from_rows(
        key="questions",
        title="Questions by type",
        question="Which questions are still to be written?",
        columns=[
            *(
                Column(f"option_{name}", spec.label, "text")
                for name in protocol.question.draw
                if (spec := protocol.field(name))
            ),
            Column(
                "tasks",
                "Tasks",
                "count",
                "That ask for these options, drawn or given.",
            ),
            Column("requested", "Asked for", "count", "Tasks times annotators per task."),
            Column(
                "written",
                "Written",
                "count",
                "Submitted questions of people with these options: the author's, else the task's.",
            ),
            Column("missing", "Missing", "count", "Asked for and not written."),
        ],
        rows=[_row(question) for question in questions],
        notes=[
            "Authors may choose other options than those drawn for the task: such a question "
            "counts where it belongs."
        ],
    )
    return Report(
        kind="progress",
        title=lazy_gettext("Questions of {campaign}", campaign=campaign),
        campaign=campaign,
        protocol=protocol.name,
        facts={
            "Questions asked for": sum(question.requested for question in questions),
            "Questions written": sum(question.written for question in questions),
        },
        choices={},
        sections=[Section("Questions", [table])],
        identified=False,
    )


def _row(question: RequestedQuestions) -> RowValues:
    return {
        **{f"option_{name}": label for name, label in question.options.items()},
        "tasks": question.tasks,
        "requested": question.requested,
        "written": question.written,
        "missing": max(0, question.requested - question.written),
    }
