"""Replaces a document's file by a corrected one; work keeps the version that it saw."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.sentences import join_first
from pagetrail.storage.corpus.changes import NewDocument, replace_version
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.document_uses import CampaignUses, require_document, uses_in
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

_PAGES = 10


@dataclass(frozen=True)
class Replacing:
    """That files are to replace documents of their names.

    Attributes:
        document: the name of the document, if the file has another one.
        by: who wants it; None for the command line.
        accepts_missing_pages: also where work refers to pages that the new file does not have.
    """

    document: str | None = None
    by: Person | None = None
    accepts_missing_pages: bool = False


def store_replacement(workspace: Workspace, document: NewDocument, replacing: Replacing) -> str:
    """Make a file that was added the new version of the document of its name.

    Returns:
        What refers to the document, as a sentence.

    Raises:
        NotFoundError: no such document.
        ConflictError: work refers to pages that the file does not have (code ``missing_pages``).
        Forbidden: ``by`` may not.
        OSError, StorageError: no space or no permission; nothing is changed.
    """
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(
            connection, replacing.by, N_("Only supervisors may replace documents.")
        )
        document_id, name = require_document(connection, document.name)
        uses = uses_in(connection, document_id, name)
        n_pages = len(document.pages)
        if not replacing.accepts_missing_pages and _missing_pages(uses, n_pages):
            raise ConflictError(_missing_sentence(uses, n_pages), code="missing_pages")
        before = connection.execute(
            select(Document.sha256).where(Document.id == document_id)
        ).scalar_one()
        version = replace_version(connection, document_id, document)
        detail = (
            f"{name}: version {version}, {n_pages:,} pages; SHA-256 {before} by {document.sha256}"
        )
        audit_in(connection, replacing.by, "document_replaced", detail)
    reason = f"Version {version} of the document; the earlier file is kept."
    if uses:
        reason += f" Work on it: {'; '.join(of_campaign.sentence() for of_campaign in uses)}."
    return reason


def _missing_pages(uses: list[CampaignUses], n_pages: int) -> list[int]:
    return sorted({page for of_campaign in uses for page in of_campaign.pages if page > n_pages})


def _missing_sentence(uses: list[CampaignUses], n_pages: int) -> str:
    missing = []
    for of_campaign in uses:
        pages = _missing_pages([of_campaign], n_pages)
        if pages:
            names = join_first([str(page) for page in pages], _PAGES)
            number = sum(of_campaign.pages[page] for page in pages)
            missing.append(f"{of_campaign.campaign}: {names} ({number:,})")
    return gettext(
        "has only {pages}, and work refers to later ones: {missing}. Replace it nevertheless by "
        "accepting missing pages, or exclude these tasks first.",
        pages=ngettext("{number:,} page", "{number:,} pages", n_pages),
        missing="; ".join(missing),
    )
