"""A file that went to the wrong importer: the sentence says what it looks like and who takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.importers.files.recognition import kind_of_file, kind_of_row
from pagetrail.storage.importers.preannotations.formats import read_preannotations
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.storage.importers.runs.run_data import atif, bare, eval_log, madqa, run, sample
from tests.storage.importers.runs.test_chat_messages import chat
from tests.storage.importers.runs.test_langchain import root
from tests.storage.task_data import task, write_jsonl
from tests.support.factory import make_workspace

COCO = {"images": [], "annotations": [], "categories": []}


@pytest.mark.parametrize(
    ("row", "description", "command"),
    [
        (atif(), "trajectories in ATIF", "import-run"),
        (madqa(), "MADQA results", "import-run"),
        (chat(), "conversations with messages", "import-run"),
        (root(), "traces of LangChain", "import-run"),
        (bare(), "MADQA results", "import-run"),
        (COCO, "COCO JSON", "import-elements"),
        ({"document": "a.pdf", "page": 1, "bbox": []}, "elements with boxes", "import-elements"),
        ({"task": "a", "system": "b", "verdict": 1}, "verdicts on answers", "import-verdicts"),
        ({"url": "https://x", "document": "a.pdf"}, "links to documents", "download"),
        (task(1), "tasks", "import-tasks"),
    ],
)
def test_rows_are_recognised_by_their_fields(
    row: dict[str, Any], description: str, command: str
) -> None:
    """What a person would call the file, and the command that reads it."""
    kind = kind_of_row(row)
    assert kind is not None
    assert (kind.description, kind.command) == (description, command)


def test_files_without_names_of_fields(tmp_path: Path) -> None:
    """TREC's files, PDF files and archives, by their shape; hostile ones are just unknown."""
    for name, content, description in (
        ("q.txt", b"1 0 a#1 2\n1 0 a#2 0\n", "judgements of pages (TREC qrels)"),
        ("r.txt", b"1 Q0 a#1 1 3.5 me\n", "a TREC run, which ranks pages and has no answers"),
        ("a.jsonl", b"%PDF-1.7", "a PDF"),
        ("b.jsonl", b"[" * 100_000, None),
        ("c.jsonl", b"\xff\xfe\x00", None),
        ("d.bin", b"\x00", None),
    ):
        (tmp_path / name).write_bytes(content)
        kind = kind_of_file(tmp_path / name)
        assert (None if kind is None else kind.description) == description, name
    kind = kind_of_file(eval_log(tmp_path / "l.eval", [sample()]))
    assert kind is not None and kind.description == "a log of Inspect"


def test_each_importer_points_to_the_one_that_takes_the_file(tmp_path: Path) -> None:
    """Instead of one error per row that says nothing about the file."""
    workspace = make_workspace(tmp_path / "ws")
    runs = write_jsonl(tmp_path / "chat.jsonl", [chat()] * 3)
    with pytest.raises(InputFileError) as caught:
        import_tasks(workspace, runs, campaign="New")
    assert "None of the 3 rows of chat.jsonl can be used by import-tasks" in caught.value.message
    assert caught.value.message.endswith(
        "It looks like conversations with messages: use `pagetrail import-run`."
    )
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    with pytest.raises(InputFileError, match=r"It looks like tasks: use `pagetrail import-tasks`"):
        run(workspace, tasks)
    csv = tmp_path / "tasks.csv"
    csv.write_text("id,question\n1,Why?\n")
    with pytest.raises(InputFileError, match=r"no column verdict.*looks like tasks"):
        import_verdicts(workspace, csv, campaign="Otters", name="x")
    with pytest.raises(InputFileError, match=r"looks like tasks: use `pagetrail import-tasks`"):
        read_preannotations(tasks)
    coco = tmp_path / "coco.json"
    coco.write_text(json.dumps(COCO))
    with pytest.raises(InputFileError, match=r"looks like COCO JSON: use `pagetrail import-elem"):
        run(workspace, coco)


def test_rows_of_the_right_kind_are_still_listed_one_by_one(tmp_path: Path) -> None:
    """A task file with a mistake in each row is a task file."""
    workspace = make_workspace(tmp_path / "ws")
    file = write_jsonl(tmp_path / "t.jsonl", [{"id": 1, "question": ""}, {"id": 2, "question": ""}])
    assert len(import_tasks(workspace, file, campaign="New").bad) == 2
