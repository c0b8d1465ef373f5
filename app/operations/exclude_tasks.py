"""``exclude-tasks``: tasks that no longer count, also after work on them began."""

from __future__ import annotations

from pydantic import Field

from pagetrail.annotation.options import option
from pagetrail.app.operations.operation import Context, Operation
from pagetrail.app.operations.results import Result
from pagetrail.storage.campaigns.excluded_tasks import exclusion_sentence, set_excluded


class ExcludeTasks(Operation):
    """Exclude tasks, or include them again: all of them, or none."""

    name = "exclude-tasks"
    about = (
        " The work stays in the log; results, agreement, review and progress leave the tasks out "
        "and say so, and nobody is given them any more."
    )
    example = 'q17 q18 --campaign baseline --reason "two answers are right"'

    tasks: tuple[str, ...] = Field(
        description="Ids of tasks.", json_schema_extra={"metavar": "TASK...", "argument": True}
    )
    reason: str = Field(description="The reason, for exports and the audit log.")
    restore: bool = option(False, "Include the tasks again.")

    def run(self, context: Context) -> Result:
        excluded = not self.restore
        exclusions = set_excluded(
            context.workspace, context.by, self.campaign, self.tasks, self.reason, excluded=excluded
        )
        sentences = [exclusion_sentence(e, excluded=excluded) for e in exclusions]
        tasks = [{"task": e.key, "attempts": e.attempts} for e in exclusions]
        json = {"campaign": self.campaign, "excluded": excluded, "tasks": tasks}
        return Result(True, sentences, " ".join(sentences), json)


OPERATION = ExcludeTasks
