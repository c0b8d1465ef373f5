"""``import-drafts``: a model's drafts of gold, which reviewers see and can take from."""

from __future__ import annotations

from dataclasses import asdict

from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import Form, Input
from pagetrail.app.operations.operation import Context, FileImport, Files
from pagetrail.app.operations.results import Notes, Result, end_with_counts, left_out_rows, not_kept
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.importers.files.row_files import ROW_SUFFIXES
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME


class ImportDrafts(FileImport):
    """Import a file of models' drafts of gold."""

    name = "import-drafts"
    about = (
        " Reviewers see them as one more column, marked as a machine's, and can take from them; "
        "annotators never see them. Importing again changes nothing; another draft of a task by "
        "the same model takes the place of the earlier one.\n\n"
        "Exit code: 0 when drafts were imported or already existed, else 1."
    )
    example = "merged.jsonl --campaign baseline --model qwen2.5-vl-32b"
    files = Files("FILE", "The drafts.", ROW_SUFFIXES)
    title = "Importing drafts into {campaign}"
    phase = N_("Importing drafts")
    form = Form(
        "drafts",
        N_("Drafts"),
        N_("Import the drafts"),
        about=N_(
            "A model’s proposals for gold: one row per task with an answer, pages, grades or "
            "boxes, and its reasons. Reviewers see them in a column of their own and take, edit "
            "or reject them; annotators never see them. The export answers-to-merge writes what a "
            "model needs to merge annotators’ answers."
        ),
        closed=N_("A campaign that is {status} can only be read. Reopen it first."),
        closed_statuses=(ARCHIVED,),
        above=[
            (
                Input(
                    "model",
                    N_("Model"),
                    N_("For rows that do not state theirs."),
                    placeholder="qwen3-vl-32b",
                    max_chars=MAX_CAMPAIGN_NAME,
                ),
                Input(
                    "version",
                    N_("Version"),
                    N_("Of the model or its prompt, likewise."),
                    max_chars=MAX_CAMPAIGN_NAME,
                ),
            )
        ],
    )

    model: str | None = option(None, "The model, for rows that do not state theirs.")
    version: str | None = option(None, "Version of the model or of its prompt, likewise.")

    def run(self, context: Context) -> Result:
        report = import_drafts(
            context.workspace,
            context.file,
            campaign=self.campaign,
            model=self.model,
            version=self.version,
        )
        drafts = count_noun(report.imported, "draft")
        models = f" by {', '.join(report.models)}" if report.models else ""
        superseded = f", {report.superseded:,} in place of earlier ones"
        message = f"{drafts} imported{models}{superseded if report.superseded else ''}"
        return Result(
            bool(report.imported + report.already_there),
            [
                left_out_rows(report.left_out, context.file.name),
                Notes(report.notes, context.file.name),
                f"{drafts}{models} imported into campaign {report.campaign}{superseded}; "
                f"{report.already_there:,} already existed.",
                *not_kept(report.not_kept),
            ],
            message + end_with_counts(report.already_there, len(report.left_out)),
            asdict(report),
        )


OPERATION = ImportDrafts
