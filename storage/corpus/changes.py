"""Changes to the corpus. Each raises the corpus revision in its own transaction."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, delete, insert, literal, select, update
from sqlalchemy.engine import Connection

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.normalised_text import count_divided_words, whole_words
from pagetrail.storage.corpus.documents import REMOVALS_KEY, REVISION_KEY
from pagetrail.storage.corpus.local_files import corpus_key, pdf_path
from pagetrail.storage.corpus.page_values import PARTIAL, UNREADABLE, PageText, RecognisedPage
from pagetrail.storage.corpus.recognised_words import store_words
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import (
    Document,
    EarlierDocument,
    EarlierPage,
    Meta,
    Page,
    RecognisedWords,
)
from pagetrail.storage.database.workspace import Workspace

EXTRACTOR = f"pymupdf {version('pymupdf')}"
KINDS_VERSION = ", kinds of pages 1"
"""Part of the extractor of documents whose kinds of pages were read: ``PARTIAL`` and the others."""

# Values of ``page.text_source``, besides the kinds of pages.
FROM_PDF, FROM_OCR, FROM_JSONL, NO_TEXT = "pdf", "ocr", "jsonl", "none"

NORMALISED_KEY = "page_text_normalised"
"""The key in ``meta`` of workspaces whose page texts have whole words, whatever their source."""


@dataclass(frozen=True)
class NewDocument:
    """A document ready to be registered.

    Attributes:
        size: of its file, in bytes.
        pages: all pages in order.
        recognised: what was recognised, by page number.
        recogniser: by which program and version.
    """

    name: str
    sha256: str
    size: int
    pages: Sequence[PageText]
    recognised: Mapping[int, RecognisedPage]
    recogniser: str


@dataclass(frozen=True)
class TextLine:
    """The text of one page from a text file."""

    file: str
    page: int
    text: str


def add_file(workspace: Workspace, staged: Path, sha256: str) -> int:
    """Move the complete copy of a document's file into the corpus folder; returns its size.

    With a bucket, the file is uploaded first.

    Args:
        staged: the copy, on the corpus folder's file system.

    Raises:
        OSError, StorageError: no space or no permission.
        WorkspaceError: the bucket is another workspace's.
    """
    size = staged.stat().st_size
    if workspace.files is not None:
        workspace.files.upload(staged, corpus_key(sha256))
    staged.replace(pdf_path(workspace, sha256))
    return size


def register(workspace: Workspace, documents: Sequence[NewDocument]) -> None:
    """Insert documents whose files were added, and their pages, in one transaction.

    Raises:
        OSError, StorageError: no space or no permission; nothing is registered.
    """
    _sync_folder(workspace.corpus_dir)
    with write_transaction(workspace.engine) as connection:
        for document in documents:
            inserted = connection.execute(insert(Document).values(**_document_row(document)))
            (document_id,) = inserted.inserted_primary_key or (None,)
            _insert_pages(connection, document_id, document)
        raise_revision(connection)


def replace_version(connection: Connection, document_id: int, document: NewDocument) -> int:
    """Give a registered document another file, which was added; returns the new version.

    The earlier version stays with its pages, texts and words, as ``EarlierDocument``. Pages of the
    new one come after those of a text file in the order of the index.
    """
    now = iso(SystemClock().now())
    columns = (
        "version", "sha256", "n_pages", "size_bytes", "extractor", "ingested_at"
    )  # fmt: skip
    before = connection.execute(
        select(*(getattr(Document, name) for name in columns)).where(Document.id == document_id)
    ).one()
    inserted = connection.execute(
        insert(EarlierDocument).values(document_id=document_id, replaced_at=now, **before._asdict())
    )
    (earlier_id,) = inserted.inserted_primary_key or (None,)
    page_columns = (
        "number", "width", "height", "rotation", "crop_x0", "crop_y0", "text_source", "text"
    )  # fmt: skip
    pages = (
        select(
            literal(earlier_id),
            *(getattr(Page, name) for name in page_columns),
            RecognisedWords.words,
        )
        .outerjoin(RecognisedWords, RecognisedWords.page_id == Page.id)
        .where(Page.document_id == document_id)
    )
    connection.execute(
        insert(EarlierPage).from_select(["earlier_document_id", *page_columns, "words"], pages)
    )
    delete_pages(connection, document_id)
    version = int(before.version) + 1
    connection.execute(
        update(Document)
        .where(Document.id == document_id)
        .values(**_document_row(document), version=version)
    )
    _insert_pages(connection, document_id, document)
    raise_revision(connection)
    return version


def delete_pages(connection: Connection, document_id: int) -> None:
    """Delete the pages of a document's current version."""
    pages = select(Page.id).where(Page.document_id == document_id)
    connection.execute(delete(RecognisedWords).where(RecognisedWords.page_id.in_(pages)))
    connection.execute(delete(Page).where(Page.document_id == document_id))


def document_files(connection: Connection) -> dict[str, str]:
    """SHA-256 → name of the document, of the files of all versions, sorted by name."""
    earlier = select(EarlierDocument.sha256, Document.name).join(
        Document, Document.id == EarlierDocument.document_id
    )
    rows = [
        *connection.execute(earlier),
        *connection.execute(select(Document.sha256, Document.name)),
    ]
    return {row.sha256: row.name for row in sorted(rows, key=lambda row: (row.name, row.sha256))}


def _document_row(document: NewDocument) -> dict[str, Any]:
    recogniser = document.recogniser if document.recognised else ""
    return {
        "sha256": document.sha256,
        "name": document.name,
        "n_pages": len(document.pages),
        "size_bytes": document.size,
        "extractor": _with_recogniser(EXTRACTOR + KINDS_VERSION, recogniser),
        "ingested_at": iso(SystemClock().now()),
    }


def _insert_pages(connection: Connection, document_id: int | None, document: NewDocument) -> None:
    stored_text = _stored_text(connection)
    pages = [
        _page_row(document_id, number, page, document.recognised.get(number), stored_text)
        for number, page in enumerate(document.pages, start=1)
    ]
    connection.execute(insert(Page), pages)
    store_words(connection, document_id, document.recognised)


def page_sources(workspace: Workspace, sha256: str) -> dict[int, str]:
    """``text_source`` of each page of a registered document, in order."""
    query = (
        select(Page.number, Page.text_source)
        .join_from(Page, Document)
        .where(Document.sha256 == sha256)
        .order_by(Page.number)
    )
    with workspace.engine.connect() as connection:
        return {row.number: row.text_source for row in connection.execute(query)}


def are_kinds_known(workspace: Workspace, sha256: str) -> bool:
    """Whether the kinds of a registered document's pages were read; earlier versions did not."""
    query = select(Document.extractor).where(Document.sha256 == sha256)
    with workspace.engine.connect() as connection:
        return KINDS_VERSION in connection.execute(query).scalar_one()


def add_kinds(workspace: Workspace, sha256: str, pages: Sequence[PageText]) -> None:
    """Store the kinds of the pages of a registered document; texts and the revision stay."""
    with write_transaction(workspace.engine) as connection:
        document_id, extractor = connection.execute(
            select(Document.id, Document.extractor).where(Document.sha256 == sha256)
        ).one()
        connection.execute(
            update(Document)
            .where(Document.id == document_id)
            .values(extractor=extractor.replace(KINDS_VERSION, "") + KINDS_VERSION)
        )
        for number, page in enumerate(pages, start=1):
            replaced = (FROM_PDF,) if page.kind == PARTIAL else (FROM_PDF, FROM_OCR, NO_TEXT)
            if page.kind:
                connection.execute(
                    update(Page)
                    .where(Page.document_id == document_id, Page.number == number)
                    .where(Page.text_source.in_(replaced))
                    .values(text_source=page.kind)
                )


def fill_pages(
    workspace: Workspace, sha256: str, recognised: Mapping[int, RecognisedPage], recogniser: str
) -> None:
    """Store recognised text on pages of a registered document that have none, or next to none."""
    with write_transaction(workspace.engine) as connection:
        document_id, extractor = connection.execute(
            select(Document.id, Document.extractor).where(Document.sha256 == sha256)
        ).one()
        connection.execute(
            update(Document)
            .where(Document.id == document_id)
            .values(extractor=_with_recogniser(extractor, recogniser))
        )
        stored_text = _stored_text(connection)
        connection.execute(
            update(Page)
            .where(Page.document_id == document_id)
            .where(Page.number == bindparam("page_number"))
            .where(Page.text_source.in_((NO_TEXT, PARTIAL)))
            .values(text=bindparam("new_text"), text_source=FROM_OCR),
            [
                {"page_number": n, "new_text": stored_text(page.text)}
                for n, page in recognised.items()
            ],
        )
        store_words(connection, document_id, recognised)
        raise_revision(connection)


def apply_text(workspace: Workspace, lines: Sequence[TextLine]) -> int:
    """Replace the text of pages, and order those pages like ``lines``.

    Pages that only an earlier text file ordered stay before them.

    Args:
        lines: pages of registered documents, each page once.

    Returns:
        The number of pages whose text or position changed; if 0, the revision stays.
    """
    with write_transaction(workspace.engine) as connection:
        stored_text = _stored_text(connection)
        rows = connection.execute(
            select(
                Page.id,
                Document.name,
                Page.number,
                Page.order,
                Page.text_source,
                Page.text,
            ).join_from(Page, Document)
        )
        stored = {(row.name, row.number): row for row in rows}
        in_file = {(line.file, line.page) for line in lines}
        earlier = sorted(
            (row for key, row in stored.items() if key not in in_file and row.order is not None),
            key=lambda row: row.order,
        )
        pages: list[tuple[Any, str, str]] = [(row, row.text, row.text_source) for row in earlier]
        pages += [
            (stored[line.file, line.page], stored_text(line.text), FROM_JSONL) for line in lines
        ]
        changes = [
            {"page_id": row.id, "new_order": order, "new_text": text, "new_source": source}
            for order, (row, text, source) in enumerate(pages)
            if (row.order, row.text, row.text_source) != (order, text, source)
        ]
        if changes:
            connection.execute(
                update(Page)
                .where(Page.id == bindparam("page_id"))
                .values(
                    order=bindparam("new_order"),
                    text=bindparam("new_text"),
                    text_source=bindparam("new_source"),
                ),
                changes,
            )
            raise_revision(connection)
        return len(changes)


def normalise_texts(workspace: Workspace) -> int:
    """Store whole words as the text of all pages, those of later ingests included.

    Returns:
        The number of words that changed; 0 where texts are normalised already.
    """
    changed_words = 0
    with write_transaction(workspace.engine) as connection:
        if _is_normalised(connection):
            return 0
        connection.execute(insert(Meta).values(key=NORMALISED_KEY, value="1"))
        for document_id in connection.execute(select(Document.id)).scalars().all():
            rows = connection.execute(
                select(Page.id, Page.text).where(Page.document_id == document_id)
            )
            texts = [(row.id, row.text, whole_words(row.text)) for row in rows]
            changed = [(key, text, whole) for key, text, whole in texts if text != whole]
            changed_words += sum(count_divided_words(text) for _, text, _ in changed)
            if changed:
                connection.execute(
                    update(Page)
                    .where(Page.id == bindparam("page_id"))
                    .values(text=bindparam("new_text")),
                    [{"page_id": key, "new_text": whole} for key, _, whole in changed],
                )
        raise_revision(connection)
    return changed_words


def _is_normalised(connection: Connection) -> bool:
    key = connection.execute(select(Meta.key).where(Meta.key == NORMALISED_KEY)).scalar()
    return key is not None


def _stored_text(connection: Connection) -> Callable[[str], str]:
    """What is stored of a text that was extracted."""
    return whole_words if _is_normalised(connection) else str


def _with_recogniser(extractor: str, recogniser: str) -> str:
    return f"{extractor}, {recogniser}" if recogniser not in extractor else extractor


def _page_row(
    document_id: int | None,
    number: int,
    page: PageText,
    recognised: RecognisedPage | None,
    stored_text: Callable[[str], str],
) -> dict[str, Any]:
    if not page.readable:
        source = UNREADABLE
    elif page.kind and (page.kind != PARTIAL or recognised is None):
        source = page.kind
    elif recognised is not None:
        source = FROM_OCR
    else:
        source = FROM_PDF if page.text.strip() else NO_TEXT
    return {
        "document_id": document_id,
        "number": number,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "crop_x0": page.crop_x0,
        "crop_y0": page.crop_y0,
        "text_source": source,
        "text": stored_text(page.text if recognised is None else recognised.text),
        "order": None,
    }


def raise_revision(connection: Connection) -> None:
    """Increment the corpus revision, in the transaction that changes the corpus."""
    _increment(connection, REVISION_KEY)


def note_removal(connection: Connection) -> None:
    """Count a removed document: whoever writes events looks for theirs again from now on."""
    _increment(connection, REMOVALS_KEY)


def _increment(connection: Connection, key: str) -> None:
    number = connection.execute(select(Meta.value).where(Meta.key == key)).scalar()
    if number is None:
        connection.execute(insert(Meta).values(key=key, value="1"))
    else:
        connection.execute(update(Meta).where(Meta.key == key).values(value=str(int(number) + 1)))


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
