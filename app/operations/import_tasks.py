"""``import-tasks``: questions, or a test collection for retrieval, as tasks of a campaign."""

from __future__ import annotations

from dataclasses import asdict

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.operation import Context, Files, Import
from pagetrail.app.operations.results import Result
from pagetrail.app.operations.task_reports import task_report
from pagetrail.storage.importers.files.row_files import ROW_SUFFIXES
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.tasks.request import TaskImport


class ImportTasks(Import, TaskImport):
    """Import a file of tasks, in one transaction."""

    name = "import-tasks"
    about = "\n\n" + "\n\n".join(
        (
            "A test collection for retrieval (BEIR, TREC or ViDoRe) is a folder, a zip of one, or "
            "a file of queries with --qrels: judged pages become candidates and gold.",
            "A new campaign is created; an existing one gets the tasks as new batches. Rows that "
            "cannot be imported are listed with line and reason, and nothing is imported unless "
            "--skip-bad is given. New batches are assigned to the active annotators at once, "
            "--overlap annotators per task.",
            "Exit code: 0 when tasks were imported, else 1.",
        )
    )
    example = (
        "questions.jsonl --campaign baseline --protocol search --overlap 2 --set search.top_k=10"
    )
    files = Files("FILE", "The tasks: a file, folder or zip.", (*ROW_SUFFIXES, "zip"))
    has_own_process = False

    def run(self, context: Context) -> Result:
        report = import_tasks(context.workspace, context.file, **dict(self))
        message = f"{count_noun(report.imported, 'task')} imported into campaign {self.campaign}."
        return Result(bool(report.imported), task_report(report), message, asdict(report))


OPERATION = ImportTasks
