"""Removes documents that nothing refers to, with their files, pages and images."""

from __future__ import annotations

import logging
import shutil
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.corpus.changes import (
    delete_pages,
    document_files,
    note_removal,
    raise_revision,
)
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.corpus.local_files import corpus_key, pdf_path
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import (
    Document,
    DocumentAlias,
    EarlierDocument,
    EarlierPage,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.document_uses import CampaignUses, require_document, uses_in
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

_log = logging.getLogger(__name__)


class RemovedDocument(NamedTuple):
    """A document that was removed."""

    name: str
    pages: int


def removal_sentence(document: RemovedDocument) -> str:
    """Reports what was done."""
    return gettext("{document} is removed, with its file and its images.", document=document.name)


def refusal_sentence(document: str, uses: list[CampaignUses]) -> str:
    """Why a document cannot be removed, and what to do instead."""
    return gettext(
        "{document} cannot be removed, since work refers to it: {uses}. Replace it by a corrected "
        "file of the same name, or exclude its tasks, and it counts in no result.",
        document=document,
        uses="; ".join(of_campaign.sentence() for of_campaign in uses),
    )


def remove_document(workspace: Workspace, by: Person | None, name: str) -> RemovedDocument:
    """Remove a document that no task, gold, draft or work refers to.

    Raises:
        NotFoundError: no such document.
        ConflictError: something refers to it (code ``document_used``), or an ingest is running.
        Forbidden: ``by`` may not.
    """
    with exclusive_ingest(workspace):
        with write_transaction(workspace.engine) as connection:
            require_supervisor_in(connection, by, N_("Only supervisors may remove documents."))
            document_id, name = require_document(connection, name)
            uses = uses_in(connection, document_id, name)
            if uses:
                raise ConflictError(refusal_sentence(name, uses), code="document_used")
            row = connection.execute(select(Document).where(Document.id == document_id)).one()
            hashes = {sha256 for sha256, of in document_files(connection).items() if of == name}
            _delete_rows(connection, document_id)
            hashes -= document_files(connection).keys()
            note_removal(connection)
            raise_revision(connection)
            detail = f"{name}: {row.n_pages:,} pages; SHA-256 {row.sha256}"
            audit_in(connection, by, "document_removed", detail)
        for sha256 in hashes:
            _delete_files(workspace, sha256)
    return RemovedDocument(name, row.n_pages)


def _delete_rows(connection: Connection, document_id: int) -> None:
    delete_pages(connection, document_id)
    earlier = select(EarlierDocument.id).where(EarlierDocument.document_id == document_id)
    connection.execute(delete(EarlierPage).where(EarlierPage.earlier_document_id.in_(earlier)))
    connection.execute(delete(EarlierDocument).where(EarlierDocument.document_id == document_id))
    connection.execute(delete(DocumentAlias).where(DocumentAlias.document_id == document_id))
    connection.execute(delete(Document).where(Document.id == document_id))


def _delete_files(workspace: Workspace, sha256: str) -> None:
    """Delete a removed document's file and images; what stays is reported by ``verify``."""
    try:
        pdf_path(workspace, sha256).unlink(missing_ok=True)
        if workspace.files is not None:
            workspace.files.remove(corpus_key(sha256))
    except (OSError, PagetrailError) as error:
        _log.warning("file of a removed document not deleted: %s", error)
    for folder in ImageCache(workspace.cache_dir).folders(sha256):
        shutil.rmtree(folder, ignore_errors=True)
