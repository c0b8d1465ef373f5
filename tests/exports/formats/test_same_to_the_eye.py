"""One text in forms that look alike, through importers, exporters and searches.

What is right is in docs/formats.md, What is normalised.
"""

from __future__ import annotations

import csv
import json
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import select, update

from pagetrail.annotation.normalised_text import plain_quotes, plain_text
from pagetrail.app.agents import AgentClient
from pagetrail.app.workspace.find_computation import count_hits
from pagetrail.exports.reports.metrics.judging.judge_verdicts import words_of
from pagetrail.exports.run import export
from pagetrail.storage.campaigns.gold_drafts import drafts_of_task
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Document, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.search.store import ensure_index
from tests.storage.importers.runs.run_data import atif, bare, eval_log, run, sample, write_json
from tests.storage.importers.runs.test_chat_messages import chat
from tests.storage.importers.runs.test_langchain import root
from tests.storage.search.generated_corpus import build_reference, reference, register
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace
from tests.support.workbooks import write_workbook

TEXT = 'Zürich\'s "north office" - 7.5 km'
FORMS = {
    "composed": TEXT,
    "decomposed": unicodedata.normalize("NFD", TEXT),
    "invisible": TEXT.replace("rich", "ri\u00adch").replace("north", "no\u200brth\u2060"),
    "divided": TEXT.replace("office", "of- fice"),
    "typographic": "Zürich’s “north oﬃce” – 7½ km",
    "capitals": TEXT.upper(),
}
CAMPAIGN = "Forms"
IMPORTED = ("madqa", "atif", "inspect json", "inspect eval", "openai", "langchain")
EXPORTED = ("madqa", "trajectories", "atif", "inspect", "gold", "dataset")
TABLES = ("jsonl", "csv", "xlsx", "parquet")
DOCUMENT = "Zürich b.pdf"
CITED = unicodedata.normalize("NFD", DOCUMENT)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A task with gold in each form, and a system for each format that answered in the next."""
    folder = tmp_path_factory.mktemp("forms")
    workspace = make_workspace(folder / "ws")
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Document).where(Document.name == "b.pdf").values(name=DOCUMENT))
    file = write_jsonl(folder / "tasks.jsonl", _tasks())
    import_tasks(workspace, file, campaign=CAMPAIGN, protocol="search", overlap=1, seed=1)
    for format_ in IMPORTED:
        for name, answer in zip(FORMS, _answers(), strict=True):
            path = _run_file(folder, format_, f"{name}: {TEXT}", answer)
            report = run(workspace, path, campaign=CAMPAIGN, system=f"{format_} {name}")
            assert (report.imported, report.matched_by_text) == (1, 1), report.left_out
    return workspace


def test_answers_are_right_in_any_form_and_runs_are_matched_by_such_questions(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Whatever format they came in."""
    export(workspace, CAMPAIGN, "scores", tmp_path / "out")
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8", newline="") as file:
        scores = list(csv.DictReader(file))
    assert len(scores) == len(IMPORTED) * len(FORMS)
    decided = {
        (row["annotator"], row["correct"], row["decided_by"], float(row["page_f1"]))
        for row in scores
    }
    assert decided == {(row["annotator"], "True", "exact_match", 1) for row in scores}


@pytest.mark.parametrize("format_", EXPORTED)
def test_exports_have_every_form_as_it_was_given(
    workspace: Workspace, tmp_path: Path, format_: str
) -> None:
    """Nothing that is normalised for comparing is written."""
    export(workspace, CAMPAIGN, format_, tmp_path / "out")
    texts = "\n".join(
        text
        for path in (tmp_path / "out").rglob("*.*")
        if path.name != "manifest.json"
        for text in _texts_of(path)
    )
    for form in FORMS.values():
        assert form in texts
    assert DOCUMENT in texts


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_tasks_are_read_alike(workspace: Workspace, tmp_path: Path, kind: str) -> None:
    """Text is stored as it is in the file; a document is the one of that name."""
    rows = [
        {
            "id": task["id"],
            "question": task["question"],
            "answer": task["answer_variants"][0][0],
            "evidence_document": CITED,
            "evidence_page": 1,
        }
        for task in _tasks()
    ]
    file = _write_table(tmp_path / f"tasks.{kind}", rows)
    report = import_tasks(workspace, file, campaign=kind, protocol="search", overlap=1, seed=1)
    assert (report.imported, report.bad) == (len(FORMS), [])
    with workspace.engine.connect() as connection:
        statement = select(Task.key, Task.record).join(Campaign, Campaign.id == Task.campaign_id)
        records = dict(connection.execute(statement.where(Campaign.name == kind)).all())
    for task in _tasks():
        stored = records[task["id"]]
        assert stored["question"] == task["question"]
        assert stored["answer_variants"] == task["answer_variants"]
        assert stored["evidence"] == [{"document": DOCUMENT, "page": 1}]


@pytest.mark.parametrize("kind", TABLES)
def test_drafts_are_read_alike(workspace: Workspace, tmp_path: Path, kind: str) -> None:
    """An answer is stored as it is; the task is found without white space, the document by name."""
    evidence = [{"document": CITED, "page": 1}]
    rows = [
        {
            "task": f"{name} ",
            "model": kind,
            "answer": form,
            "evidence": evidence if kind == "jsonl" else json.dumps(evidence),
        }
        for name, form in FORMS.items()
    ]
    file = _write_table(tmp_path / f"drafts.{kind}", rows)
    report = import_drafts(workspace, file, campaign=CAMPAIGN)
    assert (report.imported, report.left_out) == (len(FORMS), [])
    with workspace.engine.connect() as connection:
        tasks = connection.execute(
            select(Task.id, Task.key)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == CAMPAIGN)
        ).all()
        for task in tasks:
            (draft,) = (d for d in drafts_of_task(connection, task.id) if d.model == kind)
            assert draft.record["answer_variants"] == [[FORMS[task.key]]]
            assert draft.record["evidence"] == [{"document": DOCUMENT, "page": 1}]


def test_agents_search_as_the_reference_does(tmp_path: Path) -> None:
    """For every form as it is; only the search box makes quotes plain, before it sends them."""
    pages = [(DOCUMENT, n, len(FORMS), form) for n, form in enumerate(FORMS.values(), 1)]
    workspace = make_workspace(tmp_path / "ws")
    register(workspace, pages)
    ensure_index(workspace)
    folder = tmp_path / "reference"
    folder.mkdir()
    build_reference(pages, folder)
    with AgentClient(workspace.root, "Otters", "bot") as client:
        attempt = client.open("t/1")
        for query in (*FORMS.values(), "north office", "oﬃce"):
            reply = attempt.search_documents(query)
            hits, total = reference(folder, query, client.protocol.search.top_k)
            assert [(hit.document, hit.page) for hit in reply.hits] == [hit[:2] for hit in hits]
            assert (reply.total_hits, reply.query) == (total, query)


def test_verdicts_belong_to_answers_that_look_the_same() -> None:
    """Such as those of a judge whose program dropped soft hyphens."""
    assert {words_of([form]) for form in FORMS.values()} == {words_of(TEXT)}
    assert words_of("5¹") != words_of("51")


def test_finding_a_text_in_a_page_ignores_soft_hyphens_forms_and_case() -> None:
    """Not quotes and dashes, which are there to be seen."""
    page = "In Zürich, the north oﬃce."
    for text in ("zürich", "ZU\u0308RICH", "Zü\u00adrich", "north office", "NORTH\noﬃce"):
        for form in (page, unicodedata.normalize("NFD", page), page.replace("ric", "ri\u00ad\nc")):
            assert count_hits([form], text) == [(1, 1)]


def test_only_quotes_of_a_query_change() -> None:
    """The reference engine reads the rest of it as it is."""
    for form in FORMS.values():
        query = plain_quotes(form)
        assert query == form.translate({0x2019: "'", 0x201C: '"', 0x201D: '"'})
        assert plain_text(query) == plain_text(form)


def _tasks() -> list[dict[str, Any]]:
    """A task with each form in its question and its answer."""
    evidence = [{"document": CITED, "page": 1}]
    return [
        {
            "id": name,
            "question": f"{name}: {form}",
            "answer_variants": [[form]],
            "evidence": evidence,
        }
        for name, form in FORMS.items()
    ]


def _write_table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Rows as a file of the kind that its name ends in."""
    if path.suffix == ".jsonl":
        return write_jsonl(path, rows)
    if path.suffix == ".xlsx":
        return write_workbook(path, {"Rows": [[*rows[0]], *([*row.values()] for row in rows)]})
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    return path


def _texts_of(path: Path) -> Iterator[str]:
    """All texts in an exported file, decoded; texts that are JSON also as what they hold."""
    if path.suffix == ".parquet":
        yield from _texts_in(pq.read_table(path).to_pylist())
    elif path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            yield from _texts_in(list(csv.reader(file)))
    elif path.suffix == ".eval":
        with ZipFile(path) as archive:
            for name in archive.namelist():
                yield from _texts_in(archive.read(name).decode())
    else:
        content = path.read_text(encoding="utf-8")
        yield from _texts_in(content.splitlines() if path.suffix == ".jsonl" else content)


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts_in(item)
    elif isinstance(value, str):
        yield value
        with suppress(ValueError):
            yield from _texts_in(json.loads(value) if value[:1] in "{[" else None)


def _answers() -> list[str]:
    """The form after each."""
    forms = list(FORMS.values())
    return [*forms[1:], forms[0]]


def _run_file(folder: Path, format_: str, question: str, answer: str) -> Path:
    """A run without the task's id."""
    citations = [{"file": CITED, "page": 1}]
    answered = json.dumps({"answer": [answer], "citations": citations})
    path = folder / f"{format_}.json"
    row: dict[str, Any]
    if format_.startswith("inspect"):
        path = folder / format_.replace(" ", ".")
        path.unlink(missing_ok=True)
        return eval_log(path, [sample(17, answered, input=question)])
    if format_ == "madqa":
        row = bare("", answer=[answer], question=question, citations=citations)
        del row["id"]
        return write_jsonl(folder / "madqa.jsonl", [row])
    if format_ == "atif":
        row = atif(extra={})
        row["steps"][0]["message"], row["steps"][2]["message"] = question, answered
    elif format_ == "openai":
        row = chat()
        del row["task_id"]
        row["messages"][1]["content"], row["messages"][-1]["content"] = question, answered
    else:
        row = root(inputs={"input": question}, outputs={"output": answered}, extra={})
    return write_json(path, row)
