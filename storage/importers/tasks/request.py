"""What is said about an import of tasks, with the sentences that the command line shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.options import option
from pagetrail.annotation.protocols.protocol import Protocol


class BatchOptions(BaseModel):
    """How tasks become batches; None means the protocol's value, or the campaign's own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: dict[str, Any] | None = option(
        None,
        "Change a setting of the protocol; may be repeated.",
        flag="--set",
        metavar="KEY=VALUE",
    )
    batch_size: int | None = option(
        None, "Tasks in a batch; default: the protocol's.", min=1, max=1_000
    )
    overlap: int | None = option(
        None, "Annotators per task; default: the protocol's.", min=1, max=100
    )
    assign: bool = option(True, "Leave the new batches unassigned.", flag="--no-assign")


class CampaignOptions(BatchOptions):
    """How task files become a campaign."""

    seed: int | None = option(None, "Seed of task orders and assignments; default: 7.", min=0)
    guidelines: str | None = option(
        None, "Markdown guidelines; default: the preset's.", metavar="FILE.md"
    )
    predictions: dict[str, Path] | None = option(
        None,
        "A system's results (id and answer in each row), to be judged blind; may be repeated.",
        metavar="SYSTEM=FILE",
    )
    skip_bad: bool = option(False, "Import the valid rows even if others are not.")


class TaskImport(CampaignOptions):
    """How the tasks of a file become part of a new or existing campaign.

    Attributes:
        protocol: preset name, path of a TOML file, or the protocol itself. None means that of the
            existing campaign, or ``search`` for a new one.
        predictions: system → its results file; answers are joined to the questions by id and
            become one blind task each.
        new: whether the campaign must not exist yet.
    """

    campaign: str = Field(description="The campaign's name.")
    protocol: Protocol | str | None = option(
        None,
        "A preset's name or the path of a TOML file; default: the existing campaign's, or search.",
    )
    pages_from: int | None = option(
        None,
        "The number that a document's first page has in the file, 0 or 1; default: 1, or what a "
        "test collection says.",
        metavar="N",
    )
    qrels: Path | None = option(
        None, "Judged pages of the queries: qrels of TREC, BEIR or ViDoRe.", metavar="FILE"
    )
    corpus: Path | None = option(
        None, "The corpus that maps the page ids in --qrels to pages.", metavar="FILE"
    )
    new: bool = False
