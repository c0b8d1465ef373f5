"""``assign``: batches for annotators, until each has as many as the campaign's overlap."""

from __future__ import annotations

from dataclasses import asdict

from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.operation import Context, Operation
from pagetrail.app.operations.results import Part, Result, Table
from pagetrail.app.operations.task_reports import passed_over, shortfall_sentence
from pagetrail.storage.batches.assignments import assign, kept_from_sentences
from pagetrail.storage.people.audit import COMMAND_LINE
from pagetrail.storage.people.profiles import StaffingRequirements


class Assign(Operation):
    """Assign the batches of a campaign."""

    name = "assign"
    about = (
        " Existing assignments stay; new ones balance the load. Running it again "
        "does nothing until there are new batches or people. A pilot is assigned to "
        "everybody, and a campaign that requires a pilot to those who have passed it. "
        "--language, --skill and --group limit the assignment to annotators who match; "
        "--max-tasks limits each annotator's tasks."
    )
    example = "--campaign baseline --annotator Ada --annotator Grace"

    annotators: tuple[str, ...] = option(
        (),
        "Only these people; may be repeated. Default: all active annotators.",
        flag="--annotator",
        metavar="NAME",
    )
    languages: tuple[str, ...] = option(
        (),
        "Only annotators with this language; if repeated, with any of them.",
        flag="--language",
        metavar="TAG",
    )
    skills: tuple[str, ...] = option(
        (),
        "Only annotators with this skill; if repeated, with all of them.",
        flag="--skill",
        metavar="TAG",
    )
    groups: tuple[str, ...] = option(
        (),
        "Only annotators in this group; if repeated, in any of them.",
        flag="--group",
        metavar="TAG",
    )
    max_tasks: int | None = option(
        None,
        "Maximum number of the campaign's tasks per annotator, including earlier ones.",
        min=1,
    )

    def run(self, context: Context) -> Result:
        report = assign(
            context.workspace,
            self.campaign,
            self.annotators or None,
            requirements=StaffingRequirements(self.languages, self.skills, self.groups),
            most_tasks=self.max_tasks,
            by=COMMAND_LINE if context.by is None else context.by.name,
        )
        new = [name for _, name in report.created]
        loads = [(name, new.count(name), load) for name, load in report.loads.items()]
        parts: list[Part] = [
            Table(f"Campaign {report.campaign}", ("annotator", "new batches", "batches"), loads),
            *passed_over(report),
            *kept_from_sentences(report),
        ]
        if not report.loads:
            parts.append("There are no active annotators. Add them with `pagetrail users`.")
        elif report.shortfall:
            parts.append(shortfall_sentence(report))
        message = f"{count_noun(len(report.created), 'assignment')} made."
        return Result(True, parts, message, asdict(report))


OPERATION = Assign
