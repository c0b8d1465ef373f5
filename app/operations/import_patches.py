"""``import-patches``: a model's patches begin the next round of transcriptions."""

from __future__ import annotations

from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import Form, Input
from pagetrail.app.operations.operation import JSON_SUFFIXES, Context, FileImport, Files
from pagetrail.app.operations.results import Notes, Part, Problem, Problems, Result, end_with_counts
from pagetrail.storage.importers.transcripts.importer import import_patches


class ImportPatches(FileImport):
    """Import a file of patches; the round of each page is stored by itself."""

    name = "import-patches"
    about = (
        " The file is JSONL with task, text_sha256 and patches "
        "(old, new, and optionally at, reason and id), and optionally annotator, round and model. "
        "The pages go back to the people who submitted them. An empty list begins a round, "
        "too. Rows for other texts, and patches that do not apply, are listed with the way out; "
        "the rest is imported. Importing again changes nothing.\n\n"
        "Exit code: 0 when a round began or the rows were imported before, else 1."
    )
    example = "patches.jsonl --campaign pages --model scribe-2"
    files = Files("FILE", "The patches.", JSON_SUFFIXES)
    title = "Importing patches for {campaign}"
    phase = N_("Importing patches")
    form = Form(
        "patches",
        N_("Patches"),
        N_("Begin the next round"),
        heading=N_("Next round of texts"),
        about=N_(
            "A model’s patches for the texts that the export “transcripts” wrote: JSON Lines with "
            "task, text_sha256 and patches. Each page goes back to the person who submitted it. "
            "Rows for other texts are listed, and nothing that people did is replaced."
        ),
        is_offered=lambda protocol: protocol.transcript.enabled,
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
        below=[
            (
                Input(
                    "reopen_accepted",
                    N_("Also pages that were accepted without an edit"),
                    kind="toggle",
                ),
            )
        ],
    )

    model: str | None = option(None, "The model, where a row names none.")
    reopen_accepted: bool = option(
        False, "Begin a round for pages that were accepted without an edit, too."
    )

    def run(self, context: Context) -> Result:
        report = import_patches(
            context.workspace,
            context.file,
            campaign=self.campaign,
            model=self.model,
            reopen_accepted=self.reopen_accepted,
            actor=None if context.by is None else context.by.name,
        )
        rounds = report.rounds
        problems = [
            Problem(entry.reason, entry.line, entry.task, context.file.name, part=entry.patch)
            for entry in report.left_out
        ]
        pages = count_noun(rounds.imported, "page")
        patches = f"{count_noun(report.patches, 'patch', 'patches')} for {pages} imported"
        parts: list[Part] = [
            Problems("Left out", ("line", "task", "patch", "reason"), problems, kind="row"),
            Notes(rounds.notes, context.file.name),
            *(
                f"Round {number} began for {count_noun(count, 'page')}."
                for number, count in sorted(rounds.started.items())
            ),
            f"{patches} into campaign {rounds.campaign}; "
            f"{count_noun(rounds.already_there, 'page')} had been imported before.",
        ]
        if rounds.imported:
            parts.append(
                "Annotators find the pages in My batches. Export the transcripts again once they "
                "have submitted them."
            )
        return Result(
            bool(rounds.imported + rounds.already_there),
            parts,
            patches
            + end_with_counts(rounds.already_there, len(problems), "had been imported before"),
            {
                "campaign": rounds.campaign,
                "pages": rounds.started,
                "patches": report.patches,
                "already_there": rounds.already_there,
                "notes": rounds.notes,
                "left_out": [entry._asdict() for entry in report.left_out],
            },
        )


OPERATION = ImportPatches
