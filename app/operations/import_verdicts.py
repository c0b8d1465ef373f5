"""``import-verdicts``: an external judge's verdicts on a campaign's answers, as a named set."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field

from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import Expander, Form, Input
from pagetrail.app.operations.operation import Context, FileImport, Files
from pagetrail.app.operations.results import Notes, Result, end_with_counts, left_out_rows, not_kept
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.importers.files.row_files import ROW_SUFFIXES
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.verdicts.importer import import_verdicts


class ImportVerdicts(FileImport):
    """Import a file of verdicts; what its rows say of the judge takes precedence."""

    name = "import-verdicts"
    about = (
        " They become a named set, which metrics and the scores export can "
        "use. Say who judged with the options, or in columns judge, judge_model, judge_prompt, "
        "judge_version, judge_round, judge_run and judge_date; each round and run of the columns "
        "becomes a set named NAME-round-2-run-3. Importing again changes nothing, but completes "
        "what is known about the judge.\n\n"
        "Exit code: 0 when verdicts were imported or already existed, else 1."
    )
    example = "labels.csv --campaign baseline --name gpt-judge"
    files = Files("FILE", "The verdicts.", ROW_SUFFIXES)
    title = "Importing verdicts of {set_name} on {campaign}"
    phase = N_("Importing verdicts")
    form = Form(
        "verdicts",
        N_("Verdicts"),
        N_("Import the verdicts"),
        heading=N_("External verdicts"),
        about=N_(
            "One row per answer with task, system and verdict (correct, partial or wrong). The "
            "named set can then be chosen on Results under “Verdicts of”."
        ),
        above=[
            (
                Input(
                    "set_name",
                    N_("Name of the set"),
                    placeholder="gpt-judge",
                    max_chars=MAX_CAMPAIGN_NAME,
                    width=320,
                ),
            ),
            Expander(
                N_("Who judged"),
                ":material/gavel:",
                [
                    (
                        Input(
                            "judge",
                            N_("Judge"),
                            N_("The same name for all rounds and runs."),
                            max_chars=MAX_CAMPAIGN_NAME,
                        ),
                        Input("model", N_("Model"), max_chars=MAX_CAMPAIGN_NAME),
                        Input("version", N_("Version"), max_chars=MAX_CAMPAIGN_NAME),
                    ),
                    (
                        Input("round", N_("Round"), N_("Of developing the prompt."), "number"),
                        Input(
                            "run_number",
                            N_("Run"),
                            N_("Of several with the same prompt."),
                            "number",
                        ),
                        Input("date", N_("Date"), kind="date"),
                    ),
                    (Input("prompt", N_("Prompt, or a hash of it"), kind="long text"),),
                ],
            ),
        ],
        required=("set_name",),
    )

    set_name: str = Field(
        description="Name of the set of verdicts.", json_schema_extra={"flag": "--name"}
    )
    judge: str | None = option(None, "Who judged. Default: the name of the set.")
    model: str | None = option(None, "The judge's model.")
    prompt: str | None = option(
        None,
        "The judge's prompt, or a hash of it.",
        metavar="TEXT",
        file="Text file with the prompt.",
    )
    version: str | None = option(None, "Version of the judge or of its prompt.")
    round: int | None = option(None, "Round of developing the prompt.", metavar="N", min=1)
    run_number: int | None = option(
        None, "Run, of several with the same prompt.", flag="--run", metavar="N", min=1
    )
    date: str | None = option(None, "When the verdicts were given.", metavar="YYYY-MM-DD")

    def run(self, context: Context) -> Result:
        report = import_verdicts(
            context.workspace,
            context.file,
            campaign=self.campaign,
            name=self.set_name,
            judge=JudgeInfo(
                self.judge,
                self.model,
                self.prompt,
                self.version,
                self.round,
                self.run_number,
                self.date,
            ),
        )
        verdicts = (
            f"{count_noun(report.imported, 'verdict')} imported as "
            f"{', '.join(report.sets) or report.name}"
        )
        return Result(
            bool(report.imported + report.already_there),
            [
                left_out_rows(report.left_out, context.file.name),
                Notes(report.notes, context.file.name),
                f"{verdicts} into campaign {report.campaign}; "
                f"{report.already_there:,} already existed.",
                *not_kept(report.not_kept),
            ],
            verdicts + end_with_counts(report.already_there, len(report.left_out)),
            asdict(report),
        )


OPERATION = ImportVerdicts
