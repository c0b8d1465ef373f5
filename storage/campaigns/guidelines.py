"""A campaign's guidelines: reading, saving without overwriting others' changes, versions.

Versions are files, ``guidelines/<campaign id>/<time>-<who>.md`` in the workspace, each written
before the database row, which has the current text. A process that dies between the two leaves a
version that was never current; it is listed all the same, as a text somebody wanted to save.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, select

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError, StorageError
from pagetrail.annotation.ports import Clock
from pagetrail.storage.campaigns.lifecycle import require_changeable, require_supervisor
from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.records import CampaignRecord
from pagetrail.storage.database.tables import CAMPAIGNS, USERS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, audit_in
from pagetrail.storage.people.administration import COMMAND_LINE, actor_name

MAX_CHARACTERS = 100_000
ORIGINAL = "original"
_NAME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{6})Z-([A-Za-z0-9_-]+)(?:\.(\d+))?")


@dataclass(frozen=True)
class Guidelines:
    """The current text (Markdown), and the digest by which a change is detected."""

    campaign: str
    text: str
    mark: str


@dataclass(frozen=True)
class Version:
    """A saved version.

    Attributes:
        id: the file's name without its ending.
        at: when it was saved, ISO-8601 UTC.
        by: who saved it: a person's name, the command line, or ``original`` for the text that
            the campaign was made with.
        in_force: whether it is the campaign's current text.
    """

    id: str
    at: str
    by: str
    characters: int
    in_force: bool


class StaleGuidelines(ConflictError):
    """Somebody else saved since the editor was opened; nothing was stored.

    Attributes:
        current: the current text.
    """

    code = "stale"

    def __init__(self, message: str, current: Guidelines) -> None:
        super().__init__(message)
        self.current = current


def guidelines_of(workspace: Workspace, campaign: str) -> Guidelines:
    """The campaign's current guidelines.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        return _current_guidelines(known_campaign(connection, campaign))


def save_guidelines(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    text: str,
    *,
    seen: str | None,
    restored: str | None = None,
    clock: Clock | None = None,
) -> Guidelines:
    """Make a text current and keep it as a version; saving the current text changes nothing.

    Args:
        seen: the mark of the text that was edited; None overwrites any text.
        restored: the version that the text comes from, for the audit log.

    Raises:
        StaleGuidelines: the current text is not the one that was seen.
        NotFoundError: no such campaign.
        ConflictError: the campaign is archived.
        PagetrailError: the text is too long or cannot be stored.
        StorageError: the version cannot be written; the current text stays.
        Forbidden: ``by`` may not.
    """
    text = checked(text)
    clock = clock or SystemClock()
    written: Path | None = None
    try:
        with write_transaction(workspace.engine) as connection:
            require_supervisor(connection, by, "change guidelines")
            row = known_campaign(connection, campaign)
            require_changeable(row)
            now = _current_guidelines(row)
            if text == now.text:
                return now
            if seen is not None and seen != now.mark:
                raise StaleGuidelines(_stale_message(workspace, connection, row), now)
            folder = _versions_folder(workspace, row)
            if not _version_files(folder):
                _write_version(folder, f"{_file_time(row.created_at)}-{ORIGINAL}", now.text)
            author = COMMAND_LINE if by is None else by.pseudonym
            written = _write_version(
                folder, f"{_file_time(iso(clock.now()))}-{_safe_file_name(author)}", text
            )
            connection.execute(
                CAMPAIGNS.update().where(CAMPAIGNS.c.id == row.id).values(guidelines=text)
            )
            source = f", restored from {restored}" if restored else ""
            audit_in(
                connection,
                actor_name(by),
                "guidelines_saved",
                f"{row.name}: {len(text):,} characters, kept as {written.stem}{source}",
                clock=clock,
            )
            return Guidelines(row.name, text, mark(text))
    except OSError as error:
        raise StorageError(
            f"The version cannot be written ({error.strerror or error}). Nothing was changed."
        ) from error
    except PagetrailError:
        if written is not None:
            written.unlink(missing_ok=True)
        raise


def versions(workspace: Workspace, campaign: str) -> list[Version]:
    """All saved versions, newest first; the original is among them once the text has changed.

    Raises:
        NotFoundError: no such campaign.
        StorageError: a version cannot be read.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
        names = {
            _safe_file_name(person.pseudonym): str(person.name)
            for person in connection.execute(select(USERS.c.name, USERS.c.pseudonym))
        }
    found: list[Version] = []
    for path, match in _version_files(_versions_folder(workspace, row)):
        text = _read_version(path)
        by = match[5]
        found.append(
            Version(
                id=path.stem,
                at=f"{match[1]}T{match[2]}:{match[3]}:{match[4]}Z",
                by={ORIGINAL: ORIGINAL, _safe_file_name(COMMAND_LINE): COMMAND_LINE}.get(by)
                or names.get(by, by),
                characters=len(text),
                in_force=text == row.guidelines and not any(each.in_force for each in found),
            )
        )
    return found


def version_text(workspace: Workspace, campaign: str, version: str) -> str:
    """The text of a saved version.

    Raises:
        NotFoundError: no such campaign or version.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
    for path, _ in _version_files(_versions_folder(workspace, row)):
        if path.stem == version:
            return _read_version(path)
    raise NotFoundError(f"Campaign {row.name} has no version {version!r} of its guidelines.")


def difference(old: str, new: str) -> str:
    """The changes between two texts as a unified diff; empty if there are none."""
    lines = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def mark(text: str) -> str:
    """The digest of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def checked(text: str) -> str:
    """The text with line endings normalised to line feeds.

    Raises:
        PagetrailError: too long, or not storable (codes ``too_long``, ``not_text``).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CHARACTERS:
        raise PagetrailError(
            f"Guidelines have at most {MAX_CHARACTERS:,} characters; these have {len(text):,}.",
            code="too_long",
        )
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise PagetrailError(
            "The guidelines contain characters that are not valid text.", code="not_text"
        )
    return text


def _current_guidelines(row: CampaignRecord) -> Guidelines:
    return Guidelines(row.name, row.guidelines, mark(row.guidelines))


def _stale_message(workspace: Workspace, connection: Connection, row: CampaignRecord) -> str:
    files = _version_files(_versions_folder(workspace, row))
    who = ""
    if files:
        match = files[0][1]
        names = connection.execute(select(USERS.c.name, USERS.c.pseudonym))
        by = next(
            (u.name for u in names if _safe_file_name(u.pseudonym) == match[5]), "the command line"
        )
        who = f" by {by} at {match[2]}:{match[3]} UTC"
    return (
        f"The guidelines of {row.name} have been saved{who} since you opened them. "
        "Nothing was overwritten, and your text is still here."
    )


def _versions_folder(workspace: Workspace, row: CampaignRecord) -> Path:
    return workspace.root / "guidelines" / str(row.id)


def _version_files(folder: Path) -> list[tuple[Path, re.Match[str]]]:
    """The versions in a folder, the newest first."""
    if not folder.is_dir():
        return []
    found = [(path, match) for path in folder.glob("*.md") if (match := _NAME.fullmatch(path.stem))]

    def age(entry: tuple[Path, re.Match[str]]) -> tuple[object, ...]:
        match = entry[1]
        return match[1], match[2], match[3], match[4], match[5] != ORIGINAL, int(match[6] or 1)

    return sorted(found, key=age, reverse=True)


def _read_version(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"The version {path.stem} cannot be read: {error.strerror}.") from error


def _write_version(folder: Path, stem: str, text: str) -> Path:
    """Write a new version file, completely or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}.md"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}.{number}.md"
    building = folder / f".{path.name}.building"
    with building.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    building.replace(path)
    return path


def _file_time(moment: str) -> str:
    # Some file systems do not allow colons in file names.
    return moment.replace(":", "")


def _safe_file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]+", "_", name)
