"""What each kind of job is asked to do, validated again by the process that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.app.operations.operation import FileImport
from pagetrail.app.operations.registry import file_import
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
    """Ingest uploaded PDFs, and index them.

    Attributes:
        replaces: whether they replace documents of their names, as ``by`` asked for.
        accepts_missing_pages: as of ``storage.ingest.replacement.Replacing``.
    """

    do: Literal["ingest"] = "ingest"
    paths: tuple[str, ...]
    ocr: OcrMode
    ocr_lang: str = "eng"
    normalise_text: bool = False
    replaces: bool = False
    accepts_missing_pages: bool = False
    by: str = ""


class ImportRequest(JobRequest):
    """Import uploaded files into a campaign.

    Attributes:
        operation: name of the import.
        fields: of its request.
        folder: has the uploaded files only.
        by: name of who asked for it.
    """

    do: Literal["import"] = "import"
    operation: str
    fields: dict[str, Any]
    folder: str
    by: str

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        for name, field in type(self.file_import).model_fields.items():
            looks = field.json_schema_extra
            if isinstance(looks, dict) and "only_in_commands" in looks and name in self.fields:
                raise ValueError(f"{name} is an option of the command only")
        return self

    @property
    def file_import(self) -> FileImport:
        """The import with its fields, checked."""
        return file_import(self.operation)(**self.fields)

    @property
    def kind(self) -> str:
        """Imports of several kinds run at the same time."""
        return self.file_import.kind()

    @property
    def reads_untrusted_files(self) -> bool:
        return True


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
        | ImportRequest
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
