"""A person's batches on the screen My batches: their order, the next one, and the filter."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
from pagetrail.annotation.sentences import shortened
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.my_batches import AssignmentRow

BatchGroup = Literal["open", "finished", "closed"]
GROUP_LABELS: dict[BatchGroup, str] = {
    "open": N_("Open"),
    "finished": N_("Finished"),
    "closed": N_("Closed"),
}
_QUESTION_CHARACTERS = 120


@dataclass(frozen=True)
class BatchList:
    """A person's batches.

    Attributes:
        rows: in the order they are listed.
    """

    rows: list[AssignmentRow]

    @classmethod
    def in_order(cls, rows: Iterable[AssignmentRow]) -> BatchList:
        """Returned tasks first, then a model's answers, what is due, and the supervisor's order."""
        return cls(
            sorted(rows, key=lambda r: (not r.returned, not r.next_round, r.due_on or "9999"))
        )

    def in_group(self, group: BatchGroup) -> list[AssignmentRow]:
        """The batches of a group."""
        return [row for row in self.rows if batch_group(row) == group]

    @property
    def next(self) -> AssignmentRow | None:
        """The batch to continue: with tasks that came back, else in progress, else the first.

        With nothing to do, the first finished batch that can be closed.
        """
        to_do = self.in_group("open")
        returned = [row for row in to_do if row.returned or row.next_round]
        started = [row for row in to_do if row.handled or row.opened]
        return next(iter(returned or started or to_do or self.in_group("finished")), None)


def batch_group(row: AssignmentRow) -> BatchGroup:
    """The group that lists a batch."""
    if row.status != "open":
        return "closed"
    return "open" if row.handled < row.tasks else "finished"


def shown_title(row: AssignmentRow) -> str:
    """The kind of a batch's tasks, in the reader's language."""
    return translate_preset_text(row.protocol, row.title)


def matches_filter(row: AssignmentRow, text: str) -> bool:
    """Whether the text is in the campaign, code name and kind of task, read in this order."""
    needle = " ".join(text.replace("·", " ").casefold().split())
    return needle in f"{row.campaign} {row.code_name} {shown_title(row)}".casefold()


def progress_words(row: AssignmentRow) -> str:
    """The progress of a batch, in Markdown, tasks that came back first."""
    details = []
    if row.returned:
        details.append(gettext("**{number} sent back**", number=row.returned))
    if row.next_round:
        details.append(gettext("**{number} back from a model**", number=row.next_round))
    details.append(gettext("{number} submitted", number=row.submitted))
    if row.skipped:
        details.append(gettext("{number} skipped", number=row.skipped))
    started = row.opened - row.returned - row.next_round
    if started > 0:
        details.append(gettext("{number} started", number=started))
    if row.flagged:
        details.append(gettext("{number} flagged", number=row.flagged))
    if row.unanswered:
        details.append(ngettext("{number} comment", "{number} comments", row.unanswered))
    return " · ".join(details)


def task_words(row: AssignmentRow, tasks: Collection[queries.BatchTask]) -> str:
    """The task that *Continue* opens: its number, and its question if it has been opened before.

    A question that is read here would not count as time on the task.

    Args:
        tasks: of the batch; none if it has not been opened.
    """
    task = queries.task_to_open(tasks)
    if not row.shows_progress:
        return ""
    number = gettext(
        "Task {number} of {total}", number=task.position if task else 1, total=row.tasks
    )
    if task is None or task.status == "new" or not task.question:
        return number
    question = " ".join(task.question.split())
    return f"{number}: {shortened(question, _QUESTION_CHARACTERS)}"
