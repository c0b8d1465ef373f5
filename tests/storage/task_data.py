"""Small documents, tasks and people for the tests of importing and assigning."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document, Meta, Page, User
from pagetrail.storage.database.workspace import Workspace
from tests.support.table_rows import inserter

FILES = {"report.pdf": 9, "Größe & Gewicht.pdf": 1}


def register_documents(workspace: Workspace, documents: Mapping[str, int] = FILES) -> None:
    """Documents with so many pages, without files: importing looks at name and length only."""
    rows = [
        {
            "sha256": f"{number:064x}",
            "name": name,
            "n_pages": pages,
            "size_bytes": 1,
            "extractor": "test",
            "ingested_at": "2026-01-01T00:00:00.000000Z",
        }
        for number, (name, pages) in enumerate(documents.items())
    ]
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Document), rows)


def register_pages(workspace: Workspace) -> None:
    """Pages of 612 by 792 points for all documents."""
    with write_transaction(workspace.engine) as connection:
        documents = connection.execute(select(Document.id, Document.n_pages)).all()
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
        insert_row = inserter(connection)
        for document, pages in documents:
            for number in range(1, pages + 1):
                insert_row(
                    Page, document_id=document, number=number, width=612.0, height=792.0,
                    rotation=0, crop_x0=0.0, crop_y0=0.0, text_source="pdf", text="",
                )  # fmt: skip


def add_people(workspace: Workspace, names: Iterable[str], role: str = "annotator") -> list[int]:
    """Accounts without a password; returns their ids."""
    ids = []
    with write_transaction(workspace.engine) as connection:
        for name in names:
            key = connection.execute(
                insert(User).values(
                    name=name,
                    role=role,
                    pseudonym=f"pseudonym of {name}",
                    active=True,
                    created_at="2026-01-01T00:00:00.000000Z",
                )
            ).inserted_primary_key
            assert key is not None
            ids.append(int(key[0]))
    return ids


def task(number: int, **fields: Any) -> dict[str, Any]:
    """A good row."""
    return {
        "id": f"q{number}",
        "question": f"Question {number}?",
        "answer_variants": [[str(number)]],
        "evidence": [{"document": "report.pdf", "page": number % 9 + 1}],
        **fields,
    }


def write_jsonl(path: Path, rows: Iterable[Any]) -> Path:
    """One JSON value per line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
