"""``import-tables``: tables that a model fixed begin the next round of their verification."""

from __future__ import annotations

from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import Form, Input
from pagetrail.app.operations.operation import JSON_SUFFIXES, Context, FileImport, Files
from pagetrail.app.operations.results import (
    CHECK,
    LEFT_OUT,
    Notes,
    Problem,
    Problems,
    Result,
    end_with_counts,
)
from pagetrail.storage.importers.tables.importer import import_tables


class ImportTables(FileImport):
    """Import a file of fixed tables; the round of each task is stored by itself."""

    name = "import-tables"
    about = (
        " JSONL with task, tables_sha256 and "
        "tables (id, and html or markdown), and optionally annotator and model. The tasks go back "
        "to the people who submitted them, who confirm what changed. Rows for other tables are "
        "listed with the way out; the rest is imported. Importing again changes nothing.\n\n"
        "Exit code: 0 when a round began or the rows were imported before, else 1."
    )
    example = "fixed.jsonl --campaign tables --model grid-2"
    files = Files("FILE", "The fixed tables.", JSON_SUFFIXES)
    title = "Importing fixed tables for {campaign}"
    phase = N_("Importing tables")
    form = Form(
        "tables",
        N_("Fixed tables"),
        N_("Begin the next round"),
        heading=N_("Next round of tables"),
        about=N_(
            "The tables that a model fixed for the requests that the export “table-fixes” wrote: "
            "JSON Lines with task, tables_sha256 and tables. Each task goes back to the person who "
            "submitted it, who confirms only what changed. Rows for other tables are listed, and "
            "nothing that people did is replaced."
        ),
        is_offered=lambda protocol: protocol.tables.enabled,
        above=[
            (
                Input(
                    "model",
                    N_("Model"),
                    N_("Where a row of the file names none."),
                    max_chars=MAX_MODEL,
                    width=320,
                ),
            )
        ],
    )

    model: str | None = option(None, "The model, where a row names none.")

    def run(self, context: Context) -> Result:
        report = import_tables(
            context.workspace,
            context.file,
            campaign=self.campaign,
            model=self.model,
            actor=None if context.by is None else context.by.name,
        )
        rounds = report.rounds
        tasks, changes = count_noun(rounds.imported, "task"), count_noun(report.changes, "change")
        problems = [
            Problems(
                title,
                ("line", "task", "reason"),
                [Problem(e.reason, e.line, e.task, context.file.name) for e in entries],
                kind,
            )
            for title, kind, entries in (
                ("Left out", LEFT_OUT, report.left_out),
                ("Repaired", CHECK, report.repaired),
            )
        ]
        message = f"Tables of {tasks} imported, with {changes} to confirm" + end_with_counts(
            rounds.already_there, len(report.left_out), "had been imported before"
        )
        return Result(
            bool(rounds.imported + rounds.already_there),
            [
                *problems,
                Notes(rounds.notes, context.file.name),
                *(
                    f"Round {number} began for {count_noun(count, 'task')}."
                    for number, count in sorted(rounds.started.items())
                ),
                f"{changes} to confirm in {tasks} of campaign {rounds.campaign}; "
                f"{count_noun(rounds.already_there, 'task')} had been imported before.",
            ],
            message,
            {
                "campaign": rounds.campaign,
                "tasks": rounds.started,
                "changes": report.changes,
                "already_there": rounds.already_there,
                "notes": rounds.notes,
                "repaired": [entry._asdict() for entry in report.repaired],
                "left_out": [entry._asdict() for entry in report.left_out],
            },
        )


OPERATION = ImportTables
