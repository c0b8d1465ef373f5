"""What each kind of job is asked to do, validated again by the process that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.ingest.ocr_languages import OcrMode


class JobRequest(BaseModel):
    """Base class of the requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    do: str

    @property
    def kind(self) -> str:
        """Only one job of a kind runs at a time, and the last of each kind is stored."""
        return self.do

    @property
    def reads_untrusted_files(self) -> bool:
        """Whether its process needs a memory limit. An ingest's own processes have one."""
        return False


class ExportRequest(JobRequest):
    """Write a campaign in several formats.

    Attributes:
        formats: pairs of format and folder below the exports.
        by_gold: formats that use the gold decided in review.
        undecided: formats that have only the answers to judge.
        originals: formats with the files that runs were imported from.
    """

    do: Literal["export"] = "export"
    campaign: str
    formats: tuple[tuple[str, str], ...]
    identify: bool
    dpi: int
    submission: SubmissionVersion = "first"
    by_gold: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    originals: tuple[str, ...] = ()


class IndexRequest(JobRequest):
    """Build the search index, with ``force`` even if it is current."""

    do: Literal["index"] = "index"
    force: bool = False


class IndexCheckRequest(JobRequest):
    """Read the whole index and compare it with the collection."""

    do: Literal["check"] = "check"

    @property
    def kind(self) -> str:
        """An index is not built and checked at the same time."""
        return "index"


class IngestRequest(JobRequest):
    """Ingest uploaded PDFs, and index them."""

    do: Literal["ingest"] = "ingest"
    paths: tuple[str, ...]
    ocr: OcrMode
    ocr_lang: str = "eng"


class ImportRequest(JobRequest):
    """Base class of imports into a campaign.

    Attributes:
        folder: has the uploaded files only.
        by: name of who asked for it.
    """

    campaign: str
    folder: str
    by: str

    @property
    def reads_untrusted_files(self) -> bool:
        return True


class RunImportRequest(ImportRequest):
    """Import a file or folder of an agent's runs."""

    do: Literal["import_run"] = "import_run"
    system: str
    strict: bool
    search_tools: tuple[str, ...] = ()
    other_tools: tuple[str, ...] = ()


class VerdictImportRequest(ImportRequest):
    """Import a file of verdicts as a named set.

    Attributes:
        judge: who judged.
    """

    do: Literal["import_verdicts"] = "import_verdicts"
    name: str
    judge: JudgeInfo = JudgeInfo()


class DraftImportRequest(ImportRequest):
    """Import a file of models' drafts of gold.

    Attributes:
        model, version: of the rows that do not state theirs; may be empty.
    """

    do: Literal["import_drafts"] = "import_drafts"
    model: str = ""
    version: str = ""


class PatchImportRequest(ImportRequest):
    """Import a file of patches, which begins the next round of transcriptions.

    Attributes:
        model: of the rows that do not state theirs; may be empty.
    """

    do: Literal["import_patches"] = "import_patches"
    model: str = Field(default="", max_length=MAX_MODEL)
    reopen_accepted: bool = False


class TableImportRequest(ImportRequest):
    """Import a file of fixed tables, which begins the next round of their verification.

    Attributes:
        model: of the rows that do not state theirs; may be empty.
    """

    do: Literal["import_tables"] = "import_tables"
    model: str = Field(default="", max_length=MAX_MODEL)


class ElementImportRequest(ImportRequest):
    """Import files of elements.

    Attributes:
        protocol, seed, guidelines: of a campaign to be created; None for an existing one.
        document: document of all elements; empty for the files' own.
        annotator: whose elements to read; empty for all.
        mapping: class in the files → class of the campaign.
    """

    do: Literal["import_elements"] = "import_elements"
    protocol: Protocol | None = None
    seed: int | None = None
    guidelines: str | None = None
    document: str = ""
    annotator: str = ""
    grouping: Literal["page", "document"] = "page"
    mapping: dict[str, str] = {}
    skip_bad: bool = False


class BoxImportRequest(ImportRequest):
    """Import files of boxes that a system drew.

    Attributes:
        document, annotator, mapping: as of ``ElementImportRequest``.
        label: of boxes without a class, or with one that the campaign does not have; may be empty.
        all_tasks: whether tasks without a box in the files are attempts without boxes.
    """

    do: Literal["import_boxes"] = "import_boxes"
    system: str
    document: str = ""
    annotator: str = ""
    mapping: dict[str, str] = {}
    label: str = ""
    all_tasks: bool = False


class SampleDrawRequest(JobRequest):
    """Draw a sample into a campaign.

    Attributes:
        source: campaign to draw from; None for pages of the collection.
        by: name of who asked for it.
        folder: with the uploaded table of fields of pages; None without one.
    """

    do: Literal["draw_sample"] = "draw_sample"
    into: str
    n: int = Field(ge=1, le=100_000)
    fields: tuple[str, ...] = ()
    source: str | None = None
    what: Literal["predictions", "tasks", "pages"]
    seed: int
    verdicts: str | None = None
    allocation: Literal["proportional", "equal", "neyman", "undecided"] = "proportional"
    by: str
    folder: str | None = None

    @property
    def reads_untrusted_files(self) -> bool:
        return self.folder is not None


_REQUEST: TypeAdapter[JobRequest] = TypeAdapter(
    Annotated[
        ExportRequest
        | IndexRequest
        | IndexCheckRequest
        | IngestRequest
        | RunImportRequest
        | VerdictImportRequest
        | DraftImportRequest
        | PatchImportRequest
        | TableImportRequest
        | ElementImportRequest
        | BoxImportRequest
        | SampleDrawRequest,
        Field(discriminator="do"),
    ]
)


def job_request(fields: Mapping[str, Any]) -> JobRequest:
    """The request of the kind that ``do`` names.

    Raises:
        pydantic.ValidationError: an unknown kind, or a missing, unknown or malformed field.
    """
    return _REQUEST.validate_python(fields)
