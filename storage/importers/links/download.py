"""``download``: fetches the documents of a link file into a folder, each completely or not at all.

A file is called ``.NAME.part`` until it is complete and checked. The server's version identifier is
stored next to it: the next run asks for the remainder of that version (``Range`` with ``If-Range``,
RFC 9110) and starts over if it has changed.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from pagetrail.annotation.errors import OutputError
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.importers.links.connection import LinkError, connect
from pagetrail.storage.importers.links.link_file import Link, read_links

MAX_REDIRECTS = 5
IDLE_S = 30.0
"""Seconds without data after which a server counts as silent."""
_CHUNK = 1 << 16
_PDF_MARK_WITHIN = 1024
_REDIRECTS = (301, 302, 303, 307, 308)

Progress = Callable[[int, int], None]
"""Called with (rows done, total rows)."""


@dataclass(frozen=True)
class Limits:
    """Limits of a download.

    Attributes:
        max_bytes: per file.
        max_s: seconds per file.
        allow_private: whether hosts in private networks are allowed.
    """

    max_bytes: int = 500 * 2**20
    max_s: float = 600.0
    allow_private: bool = False


@dataclass(frozen=True)
class FailedLink:
    """A row whose document could not be fetched; ``code`` as in ``LinkError``."""

    line: int
    document: str
    code: str
    reason: str


@dataclass
class DownloadReport:
    """Outcome of a download; every row is in exactly one of the lists.

    Attributes:
        downloaded, already_there: document names.
        bytes: number of bytes fetched in this run.
        notes: on how the link file was read.
    """

    downloaded: list[str] = field(default_factory=list)
    already_there: list[str] = field(default_factory=list)
    failed: list[FailedLink] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    bytes: int = 0
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return asdict(self)


def download(
    file: Path, folder: Path, limits: Limits, progress: Progress | None = None
) -> DownloadReport:
    """Fetch the documents that are missing; a row that fails does not stop the others.

    Raises:
        InputFileError: the link file cannot be used as a whole.
        OutputError: the folder cannot be created.
    """
    rows, notes = read_links(file)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be created: {error.strerror}.") from error
    report = DownloadReport(notes=notes)
    for rows_done, row in enumerate(rows):
        if progress is not None:
            progress(rows_done, len(rows))
        try:
            if row.link is None:
                raise LinkError("bad_link", row.problem)
            _fetch(row.link, folder, limits, report)
        except LinkError as error:
            report.failed.append(FailedLink(row.line, row.document, error.code, error.reason))
        except KeyboardInterrupt:
            report.interrupted = True
            report.pending = [row_left.document for row_left in rows[rows_done:]]
            break
    return report


def _fetch(link: Link, folder: Path, limits: Limits, report: DownloadReport) -> None:
    target, part = folder / link.document, _PartialFile(folder, link)
    try:
        if target.exists():
            _check_hash(link, target, "the existing file")
            report.already_there.append(link.document)
            return
        report.bytes += _fetch_remainder(link, part, limits)
        _check_pdf(part.path)
        _check_hash(link, part.path, "the downloaded file")
        part.path.replace(target)
        part.remove()
    except OSError as error:
        reason = f"{link.document} cannot be written: {error.strerror or error}"
        raise LinkError("cannot_write", reason) from error
    except LinkError as error:
        # The file is wrong, so resuming would not help.
        if error.code in ("not_a_pdf", "hash_mismatch", "too_large"):
            part.remove()
        raise
    report.downloaded.append(link.document)


class _PartialFile:
    """A partly downloaded file with the version identifier that the server sent."""

    def __init__(self, folder: Path, link: Link) -> None:
        self.path = folder / f".{link.document}.part"
        self._about = folder / f".{link.document}.part.json"
        self._url = link.url

    @property
    def size(self) -> int:
        """Bytes fetched so far."""
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self) -> str | None:
        """Version of the partial file; None if it cannot be resumed."""
        try:
            state = json.loads(self._about.read_text(encoding="utf-8"))
            is_resumable = state["url"] == self._url and self.size > 0
            return str(state["version"]) if is_resumable else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def begin(self, version: str | None) -> None:
        """Start over with a version; without an identifier it cannot be resumed."""
        self.remove()
        if version is not None:
            state = {"url": self._url, "version": version}
            self._about.write_text(json.dumps(state), encoding="utf-8")

    def remove(self) -> None:
        """Delete the partial file and its version."""
        self.path.unlink(missing_ok=True)
        self._about.unlink(missing_ok=True)


def _fetch_remainder(link: Link, part: _PartialFile, limits: Limits) -> int:
    """Fetch the missing bytes; returns how many were received."""
    deadline = time.monotonic() + limits.max_s
    version = part.version()
    try:
        connection, response = _open_response(link.url, version, part.size, limits)
        if version is not None and response.status != 200 and _range_start(response) != part.size:
            # The partial file belongs to a version that the server no longer has.
            connection.close()
            part.remove()
            connection, response = _open_response(link.url, None, 0, limits)
        try:
            if response.status == 200:
                part.begin(_entity_version(response))
            elif response.status != 206 or not part.size:
                reason = f"the server answered {response.status} {response.reason}"
                raise LinkError("http_status", reason)
            return _append_body(response, part, limits, deadline)
        finally:
            connection.close()
    except TimeoutError as error:
        raise LinkError("timed_out", f"the server was silent for {IDLE_S:.0f} s") from error
    except (http.client.HTTPException, ssl.SSLError, ConnectionError) as error:
        raise LinkError("connection", f"the connection broke: {error}") from error


def _open_response(
    url: str, version: str | None, bytes_present: int, limits: Limits
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """The response for a file, or for the remainder of a version, after redirects."""
    headers = {"User-Agent": "pagetrail", "Accept-Encoding": "identity"}
    if version is not None:
        headers |= {"Range": f"bytes={bytes_present}-", "If-Range": version}
    for _ in range(MAX_REDIRECTS + 1):
        connection = connect(url, timeout_s=IDLE_S, allow_private=limits.allow_private)
        parts = urlsplit(url)
        path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
        query = f"?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?')}" if parts.query else ""
        try:
            connection.request("GET", path + query, headers=headers)
            response = connection.getresponse()
        except TimeoutError:
            connection.close()
            raise
        except (OSError, ValueError) as error:
            connection.close()
            raise LinkError("connection", f"{parts.hostname} cannot be reached: {error}") from error
        if response.status not in _REDIRECTS:
            return connection, response
        connection.close()
        url = urljoin(url, response.getheader("Location") or "")
    raise LinkError("too_many_redirects", f"more than {MAX_REDIRECTS} redirects")


def _append_body(
    response: http.client.HTTPResponse, part: _PartialFile, limits: Limits, deadline: float
) -> int:
    expected, bytes_before, received = response.length, part.size, 0
    if bytes_before + (expected or 0) > limits.max_bytes:
        raise _too_large(limits)
    with part.path.open("ab") as file:
        while chunk := response.read1(_CHUNK):
            received += len(chunk)
            if bytes_before + received > limits.max_bytes:
                raise _too_large(limits)
            if time.monotonic() > deadline:
                raise LinkError("timed_out", f"not complete after {limits.max_s:.0f} s")
            file.write(chunk)
    if expected is not None and received < expected:
        raise LinkError(
            "incomplete", f"{expected - received:,} bytes are missing; run it again to resume"
        )
    return received


def _too_large(limits: Limits) -> LinkError:
    return LinkError("too_large", f"it is larger than {limits.max_bytes / 2**20:,.0f} MiB")


def _entity_version(response: http.client.HTTPResponse) -> str | None:
    """Value for ``If-Range``: a strong entity tag, else the modification date."""
    tag = response.getheader("ETag")
    if tag and not tag.startswith("W/"):
        return tag
    return response.getheader("Last-Modified")


def _range_start(response: http.client.HTTPResponse) -> int | None:
    match = re.match(r"bytes (\d{1,15})-", response.getheader("Content-Range") or "")
    return int(match[1]) if match else None


def _check_pdf(path: Path) -> None:
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(_PDF_MARK_WITHIN):
            raise LinkError("not_a_pdf", "the server did not send a PDF")


def _check_hash(link: Link, path: Path, subject: str) -> None:
    if link.sha256 is None:
        return
    digest = file_sha256(path)
    if digest != link.sha256:
        raise LinkError(
            "hash_mismatch", f"{subject} has the SHA-256 {digest[:12]}…, not the expected one"
        )
