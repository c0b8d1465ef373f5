"""A campaign's guidelines and their versions; saving never overwrites others' changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.campaigns.lifecycle import require_changeable
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, GuidelineVersion, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import COMMAND_LINE, audit_in
from pagetrail.storage.people.roles import require_supervisor_in

MAX_CHARACTERS = 100_000
ORIGINAL = "original"


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
        id: unique within the campaign: when it was saved, and by whom, without their names.
        at: when it was saved, ISO-8601 UTC.
        by: a person's name, the command line, or ``original`` for the campaign's first text.
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
        return _current_guidelines(get_campaign(connection, campaign))


def save_guidelines(
    workspace: Workspace,
    by: Person | None,
    campaign: str,
    text: str,
    *,
    based_on: str | None,
    restored: str | None = None,
    clock: Clock | None = None,
) -> Guidelines:
    """Save a text as the current version; saving the current text changes nothing.

    Args:
        based_on: the digest of the edited text; None overwrites any text.
        restored: the version that the text comes from, for the audit log.

    Raises:
        StaleGuidelines: the current text is not the edited one.
        NotFoundError: no such campaign.
        ConflictError: the campaign is archived.
        PagetrailError: the text is too long or cannot be stored.
        StorageError: the database cannot be written.
        Forbidden: ``by`` may not.
    """
    text = checked_text(text)
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(connection, by, N_("Only supervisors may change guidelines."))
        row = get_campaign(connection, campaign)
        require_changeable(row)
        now = _current_guidelines(row)
        if text == now.text:
            return now
        newest = _newest(connection, row.id)
        if based_on is not None and based_on != now.mark:
            raise StaleGuidelines(_stale_message(row.name, newest), now)
        if newest is None:
            _add_version(connection, row.id, row.created_at, ORIGINAL, now.text)
        author = COMMAND_LINE if by is None else by.pseudonym
        name = _add_version(connection, row.id, iso(clock.now()), author, text)
        connection.execute(update(Campaign).where(Campaign.id == row.id).values(guidelines=text))
        source = f", restored from {restored}" if restored else ""
        audit_in(
            connection,
            by,
            "guidelines_saved",
            f"{row.name}: {len(text):,} characters, kept as {name}{source}",
            clock=clock,
        )
    return Guidelines(row.name, text, text_digest(text))


def guideline_versions(workspace: Workspace, campaign: str) -> list[Version]:
    """All saved versions, newest first; they include the original once the text has changed.

    Raises:
        NotFoundError: no such campaign.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        saved = [_Saved._make(row_) for row_ in connection.execute(_SAVED, {"campaign": row.id})]
    current = next((version.id for version in saved if version.text == row.guidelines), None)
    return [
        Version(version.name, version.at, version.by, len(version.text), version.id == current)
        for version in saved
    ]


def version_text(workspace: Workspace, campaign: str, version: str) -> str:
    """The text of a saved version.

    Raises:
        NotFoundError: no such campaign or version.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        text = connection.execute(
            select(GuidelineVersion.text).where(
                GuidelineVersion.campaign_id == row.id, GuidelineVersion.name == version
            )
        ).scalar_one_or_none()
    if text is None:
        raise NotFoundError(
            gettext(
                "Campaign {name} has no version {version!r} of its guidelines.",
                name=row.name,
                version=version,
            )
        )
    return str(text)


def difference(old: str, new: str) -> str:
    """The changes between two texts as a unified diff; empty if there are none."""
    lines = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def text_digest(text: str) -> str:
    """The digest of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def checked_text(text: str) -> str:
    """The text with line endings normalised to line feeds.

    Raises:
        PagetrailError: too long, or not storable (codes ``too_long``, ``not_text``).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_CHARACTERS:
        raise PagetrailError(
            gettext(
                "Guidelines have at most {most:,} characters; these have {number:,}.",
                most=MAX_CHARACTERS,
                number=len(text),
            ),
            code="too_long",
        )
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise PagetrailError(
            gettext("The guidelines contain characters that are not valid text."), code="not_text"
        )
    return text


def _current_guidelines(row: Campaign) -> Guidelines:
    return Guidelines(row.name, row.guidelines, text_digest(row.guidelines))


class _Saved(NamedTuple):
    """A row of ``_SAVED``; ``by`` is a person's name where it is one's pseudonym."""

    id: int
    name: str
    at: str
    by: str
    text: str


_SAVED = (
    select(
        GuidelineVersion.id,
        GuidelineVersion.name,
        GuidelineVersion.at,
        func.coalesce(User.name, GuidelineVersion.by),
        GuidelineVersion.text,
    )
    .outerjoin(User, User.pseudonym == GuidelineVersion.by)
    .where(GuidelineVersion.campaign_id == bindparam("campaign"))
    .order_by(GuidelineVersion.id.desc())
)


def _newest(connection: Connection, campaign_id: int) -> _Saved | None:
    row = connection.execute(_SAVED.limit(1), {"campaign": campaign_id}).first()
    return None if row is None else _Saved._make(row)


def _stale_message(campaign: str, newest: _Saved | None) -> str:
    author = ""
    if newest is not None:
        name = f"the {COMMAND_LINE}" if newest.by == COMMAND_LINE else newest.by
        author = f" by {name} at {newest.at[11:16]} UTC"
    return (
        f"The guidelines of {campaign} have been saved{author} since you opened them. "
        "Nothing was overwritten, and your text is still here."
    )


def _add_version(connection: Connection, campaign_id: int, at: str, by: str, text: str) -> str:
    """Store a version; returns its name."""
    same_name = GuidelineVersion.at == at, GuidelineVersion.by == by
    number = connection.execute(
        select(func.count()).where(GuidelineVersion.campaign_id == campaign_id, *same_name)
    ).scalar_one()
    # Also used in file names: no colons, and only letters, digits and hyphens in the author.
    name = f"{at.replace(':', '')}-{re.sub('[^A-Za-z0-9-]+', '_', by)}"
    name += f".{number + 1}" if number else ""
    connection.execute(
        insert(GuidelineVersion).values(campaign_id=campaign_id, name=name, at=at, by=by, text=text)
    )
    return name
