"""The base class of operations: a request with its fields, and what it does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.app.operations.forms import Form
from pagetrail.app.operations.registry import OPERATIONS
from pagetrail.app.operations.results import Result
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person

JSON_SUFFIXES = ("jsonl", "ndjson", "json")


class Context(NamedTuple):
    """What an operation works with.

    Attributes:
        files: that an import reads.
        by: the supervisor who asked for it; None on the command line.
        on_progress: called with the number of things stored so far.
    """

    workspace: Workspace
    files: tuple[Path, ...] = ()
    by: Person | None = None
    on_progress: Callable[[int], None] = lambda _: None

    @property
    def file(self) -> Path:
        """The only file."""
        (file,) = self.files
        return file


class Files(NamedTuple):
    """The files that an import reads.

    Attributes:
        metavar: what the command's help calls them, with dots if there may be several.
        about: their sentence in the help.
        suffixes: endings of those that can be uploaded.
        uploads_several: whether more than one can be uploaded.
    """

    metavar: str
    about: str
    suffixes: tuple[str, ...]
    uploads_several: bool = False


class Operation(BaseModel, ABC):
    """Something to be done in a campaign, which supervisors may ask for.

    Fields are made with ``option``: the sentence is the help of the command's option.

    Attributes:
        name: of its command, in ``OPERATIONS``.
        about: the help of its command after the first sentence.
        example: arguments of its command after the workspace.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]
    about: ClassVar[str]
    example: ClassVar[str]

    campaign: str = Field(description="The campaign's name.")

    @classmethod
    def help(cls) -> str:
        """The help of its command."""
        return OPERATIONS[cls.name] + cls.about

    @abstractmethod
    def run(self, context: Context) -> Result:
        """Do it.

        Raises:
            PagetrailError: it cannot be done, or files cannot be used as a whole.
        """


class Import(Operation):
    """An import of files.

    Attributes:
        has_own_process: whether the command runs it in a process with limited memory.
        counts: what ``on_progress`` counts, in the singular; None if nothing is counted.
    """

    files: ClassVar[Files]
    has_own_process: ClassVar[bool] = True
    counts: ClassVar[str | None] = None


class FileImport(Import):
    """An import that the browser offers too: its form asks for some fields, and a job runs it.

    Attributes:
        title: of its job, with fields in braces.
        phase: what its job does, shown while it runs.

    Its job and the entries in the audit log have its name with ``_``.
    """

    title: ClassVar[str]
    phase: ClassVar[str]
    form: ClassVar[Form]

    @classmethod
    def kind(cls) -> str:
        """Kind of its job."""
        return cls.name.replace("-", "_")
