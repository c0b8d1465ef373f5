"""One tree of typed errors.

Every error carries a machine-readable ``code`` and a sentence that names the offending value and
the way out. The screens print the sentence as it is; nothing else about an error reaches a person.
"""

from __future__ import annotations

import errno

FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
ACCESS_ERRNOS = (errno.EACCES, errno.EPERM, errno.EROFS)
"""Numbers of the ``OSError`` of a full disk, and of a file that may not be read or written."""


class PagetrailError(Exception):
    """Base of everything this project raises on purpose.

    Attributes:
        code: stable identifier of the kind of error, e.g. ``"unknown_page"``.
        message: one or two sentences for a person.
        retry_after_s: seconds after which the same request may succeed; None where time alone
            changes nothing.
    """

    code = "error"
    retry_after_s: int | None = None

    def __init__(
        self, message: str, *, code: str | None = None, retry_after_s: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        if retry_after_s is not None:
            self.retry_after_s = retry_after_s


class WorkspaceError(PagetrailError):
    """The workspace folder is missing, of another version, or not a workspace."""

    code = "workspace"


class StorageError(PagetrailError):
    """The database did not take or give something; nothing of the transaction was stored."""

    code = "storage"
    retry_after_s = 3


class CorpusError(PagetrailError):
    """A document cannot be read or registered."""

    code = "corpus"


class UnusableFile(CorpusError):
    """A PDF cannot be opened. The message continues the document's name: “is empty …”."""


class PageRefused(CorpusError):
    """A page took too long, or stopped the process that rendered it; it is not tried again soon."""

    code = "page_refused"


class Busy(PagetrailError):
    """Too much was asked for at once; the same request succeeds later."""

    code = "busy"
    retry_after_s = 3


class InputFileError(PagetrailError):
    """A file that a person provided cannot be used at all.

    Attributes:
        problem: what is wrong, as the message has it after the file's name, for tables with a
            column of files; the message where that names no file first.
    """

    code = "input_file"

    def __init__(self, message: str, *, code: str | None = None, problem: str = "") -> None:
        super().__init__(message, code=code)
        self.problem = problem or message


class NotFoundError(PagetrailError):
    """A name or an id does not exist; the message lists what does."""

    code = "not_found"


class ConflictError(PagetrailError):
    """What was asked for contradicts what is stored already."""

    code = "conflict"


class QueryRefused(PagetrailError):
    """A search query that is not run: empty, or too broad to answer in time."""

    code = "query_refused"


ALREADY_SUBMITTED = "handed_in"
NOT_SUBMITTED = "not_handed_in"
"""Codes of refusals: the task is submitted or skipped, or it is not. Part of the API of agents and
browsers, so the values keep their old wording."""


class Refusal(PagetrailError):
    """The recorder does not accept a command; nothing was stored.

    Attributes:
        field: the part of the screen that the refusal concerns, e.g. ``"answer"``, or None.
    """

    code = "refused"

    def __init__(self, message: str, *, code: str | None = None, field: str | None = None) -> None:
        super().__init__(message, code=code)
        self.field = field


class Forbidden(PagetrailError):
    """The signed-in person has no right to this; it is written to the audit log."""

    code = "forbidden"


class ProtocolError(PagetrailError):
    """A protocol file breaks its schema; the message names file, key and allowed values."""

    code = "protocol"


class MailError(PagetrailError):
    """A message cannot be sent; names who does not get it."""

    code = "mail"


class OutputError(PagetrailError):
    """A file or folder cannot be written."""

    code = "output"


class RatingError(PagetrailError):
    """Ratings that cannot be a table of units by raters over the declared categories."""

    code = "rating"


class BoxError(PagetrailError):
    """A box or a page size that has no area to measure: not four finite numbers."""

    code = "box"


class MeasureError(PagetrailError):
    """What a measure was given cannot be measured; the message names the value."""

    code = "measure"


class BadRequest(PagetrailError):
    """A request that is not of the agreed form."""

    code = "bad_request"
