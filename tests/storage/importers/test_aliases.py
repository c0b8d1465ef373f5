"""A document whose file came under two names: what is imported may use either."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Literal

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.event import listen

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.storage.corpus.document_names import add_alias
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document, Meta, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.element_importer import ElementImport, import_elements
from pagetrail.storage.importers.tasks.given_shapes import with_stored_names
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.importers.runs.run_data import events, madqa, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

OTHER = "Annual Report (final).pdf"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """The workspace of the tests, whose report has another name."""
    workspace = make_workspace(tmp_path / "ws")
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    add_alias(workspace, OTHER, "annual report.pdf")
    add_alias(workspace, OTHER, "annual report.pdf")
    return workspace


def test_tasks_are_stored_with_the_documents_name(workspace: Workspace, tmp_path: Path) -> None:
    """In evidence, candidates, gold and elements; the report says so."""
    page = {"document": OTHER, "page": 3}
    record = {
        "id": "a",
        "question": "Q?",
        "evidence": [{"file": OTHER, "page": 2}, {"document": "b.pdf", "page": 1}],
        "candidates": [page],
        "gold": {"pages": [{**page, "fields": {}}]},
        "note": OTHER,
    }
    file = write_jsonl(tmp_path / "t.jsonl", [record, {"id": "b", "question": "Q?"}])
    report = import_tasks(workspace, file, campaign="New")
    assert report.imported == 2 and report.bad == []
    assert any("by one of its other names: 1." in warning for warning in report.warnings)
    with workspace.engine.connect() as connection:
        stored = connection.execute(select(Task).where(Task.key == "a")).one().record
    assert [ref["document"] for ref in stored["evidence"]] == ["annual report.pdf", "b.pdf"]
    assert stored["candidates"][0]["document"] == "annual report.pdf"
    assert stored["gold"]["pages"][0]["document"] == "annual report.pdf"
    assert stored["note"] == OTHER


def test_runs_and_pre_annotations_may_use_it(workspace: Workspace, tmp_path: Path) -> None:
    """Citations and results of searches are those of the document; nothing is unknown."""
    history = [{"query": "otters", "results": [{"file": OTHER, "page": 4}]}]
    row = madqa(citations=[{"file": OTHER, "page": 3}], trajectory=[], search_history=history)
    report = run(workspace, write_jsonl(tmp_path / "r.jsonl", [row]))
    assert [note.reason.split(",")[0] for note in report.warnings] == [
        "a document is called by another name of its file"
    ]
    stored = [event.payload for event in events(workspace)]
    assert {p.document for p in stored if p.type == "citation_added"} == {"annual report.pdf"}
    (search,) = [p for p in stored if p.type == "searched"]
    assert search.results[0].file == "annual report.pdf"
    assert run(workspace, tmp_path / "r.jsonl").already_there == 1
    element = {"file": OTHER, "page": 1, "rect": [1, 1, 9, 9], "label": "Text"}
    elements_report = import_elements(
        workspace, [write_jsonl(tmp_path / "e.jsonl", [element])], ElementImport(campaign="Boxes")
    )
    assert (
        elements_report.bad == []
        and elements_report.records[0]["elements"][0]["document"] == "annual report.pdf"
    )


def test_what_is_malformed_stays_for_the_checks() -> None:
    """Nothing is renamed where a list of objects was expected."""
    record = {"id": 1, "evidence": "x", "candidates": [None, {"document": 7}], "gold": [OTHER]}
    documents = DocumentNames({"a.pdf": 1}, {OTHER: "a.pdf"})
    assert with_stored_names(record, documents) == (record, False)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_document_of_macos_is_found_by_every_importer(
    workspace: Workspace, tmp_path: Path, form: Literal["NFC", "NFD"]
) -> None:
    """Tasks, judged pages, runs and elements name it in either form; it is stored in its own."""
    stored_name = unicodedata.normalize("NFD", "Geschäftsbericht.pdf")
    name = unicodedata.normalize(form, stored_name)
    with write_transaction(workspace.engine) as connection:
        named = Document.name == "annual report.pdf"
        connection.execute(update(Document).where(named).values(name=stored_name))
    rows = [
        {"id": "a", "question": "Q?", "evidence": [{"file": name, "page": 2}]},
        {"id": "b", "question": "Q?", "page_grades": [{"document": name, "page": 3, "grade": 1}]},
        {"id": "c", "question": "Q?", "page_grades": [{"id": f"{name[:-4]}_p4", "grade": 1}]},
    ]
    report = import_tasks(workspace, write_jsonl(tmp_path / "t.jsonl", rows), campaign="New")
    assert report.bad == [] and not any("other names" in note for note in report.warnings)
    with workspace.engine.connect() as connection:
        stored = connection.execute(select(Task).where(Task.key.in_(["a", "b", "c"]))).all()
    assert {ref["document"] for task in stored for ref in task.record["evidence"]} == {stored_name}
    history = [{"query": "otters", "results": [{"file": name, "page": 4}]}]
    row = madqa(citations=[{"file": name, "page": 3}], trajectory=[], search_history=history)
    assert run(workspace, write_jsonl(tmp_path / "r.jsonl", [row])).warnings == []
    payloads = [event.payload for event in events(workspace)]
    assert {p.document for p in payloads if p.type == "citation_added"} == {stored_name}
    assert {p.results[0].file for p in payloads if p.type == "searched"} == {stored_name}
    element = {"file": name, "page": 1, "rect": [1, 1, 9, 9], "label": "Text"}
    elements = import_elements(
        workspace, [write_jsonl(tmp_path / "e.jsonl", [element])], ElementImport(campaign="Boxes")
    )
    assert elements.records[0]["elements"][0]["document"] == stored_name


def test_one_import_reads_the_list_of_documents_once(workspace: Workspace, tmp_path: Path) -> None:
    """Whatever its rows hold: evidence, judged pages, scores or elements."""
    page = {"document": OTHER, "page": 1}
    rows = [
        {"id": "a", "question": "Q?", "evidence": [page], "elements": [{**page, "rect": [0] * 4}]},
        {"id": "b", "question": "Q?", "page_grades": [{**page, "grade": 1}]},
    ]
    statements: list[str] = []
    listen(workspace.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    import_tasks(workspace, write_jsonl(tmp_path / "t.jsonl", rows), campaign="New", dry=True)
    lists = [text for text in statements if "n_pages" in text and "WHERE" not in text]
    assert len(lists) == 1
