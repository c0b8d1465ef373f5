"""The MADQA results file against the rules of that benchmark's ``eval/evaluate.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.formats.madqa import result_row
from pagetrail.exports.run import export
from pagetrail.exports.writing.file_formats import encoded_stem
from pagetrail.storage.snapshot.rows import AttemptEvents, AttemptHead
from tests.support.factory import TASKS, cited, events_at, make_workspace, record_attempts, searched
from tests.support.foreign_programs import foreign

KEYS = [
    "id",
    "question",
    "answer",
    "citations",
    "iterations",
    "search_history",
    "trajectory",
    "model",
]
HEAD = AttemptHead(
    id="a1",
    task="t/1",
    record=TASKS[0],
    user="Ada",
    pseudonym="annotator-1",
    role="annotator",
    batch="Aquarius",
    setting="search",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The MADQA export of a workspace in which people have worked."""
    root = tmp_path_factory.mktemp("madqa")
    workspace = make_workspace(root / "ws")
    record_attempts(workspace)
    export(workspace, "Otters", "madqa", root / "out")
    return root / "out"


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows as evaluate.py loads them: line by line, in any single-byte locale."""
    with path.open(encoding="ascii") as file:
        return [json.loads(line) for line in file if line.strip()]


def row(*steps: tuple[float, ev.Payload], **settings: Any) -> dict[str, Any]:
    """The row of a submitted attempt made of these events."""
    log = events_at(*steps)
    protocol = with_overrides(preset("search"), settings)
    return result_row(AttemptEvents(HEAD, log), fold(log), protocol, "human:annotator-1")


def test_rows_have_the_agreed_fields(folder: Path) -> None:
    """Exactly the fields of docs/formats.md, madqa, each of the type that the evaluator needs."""
    rows = rows_of(folder / "results.jsonl")
    assert len(rows) == 3
    for result in rows:
        assert list(result) == KEYS
        assert isinstance(result["question"], str)
        assert all(isinstance(answer, str) and answer for answer in result["answer"])
        for citation in result["citations"]:
            assert list(citation) == ["document", "file", "page"]
            assert citation["document"] == citation["file"]
            assert isinstance(citation["page"], int)
        assert result["iterations"] == max(1, len(result["search_history"]))
        for number, search in enumerate(result["search_history"], start=1):
            assert search["iteration"] == number
            assert search["num_results"] == len(search["results"])
            assert search["total_hits"] >= search["num_results"]
            assert search["timestamp"].endswith("Z")
            assert all(list(page) == ["file", "page"] for page in search["results"])


def test_each_row_finds_its_question(folder: Path) -> None:
    """The evaluator looks a row up by its question's text, then by id: both lead to the task."""
    by_text = {task["question"].strip(): task["id"] for task in TASKS}
    for result in rows_of(folder / "results.jsonl"):
        assert by_text[result["question"].strip()] == result["id"]


def test_effort_is_the_number_of_searches(folder: Path) -> None:
    """The evaluator's steps (history's length, else iterations) are never 0, and refused queries
    are not among them."""
    steps = {
        (result["id"], result["model"]): len(result["search_history"]) or result["iterations"]
        for result in rows_of(folder / "results.jsonl")
    }
    assert steps == {
        ("t/1", "human:annotator-1"): 1,
        ("t/1", "human:annotator-2"): 1,
        ("t/2", "human:annotator-1"): 1,
    }


def test_the_gold_folder_works_as_the_evaluators_dataset(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--dataset DIR`` is ``load_dataset(DIR, split="dev")``: each row finds its gold there by
    the question's text, and citations compare with its evidence as sets of (file, page).
    """
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = foreign("datasets")
    gold_folder = tmp_path / "gold"
    export(make_workspace(tmp_path / "ws"), "Otters", "gold", gold_folder)
    loaded = datasets.load_dataset(str(gold_folder), split="dev", cache_dir=str(tmp_path / "hf"))
    by_text = {example["question"].strip(): example for example in loaded}
    assert {q: g["answer_variants"] for q, g in by_text.items()} == {
        str(task["question"]).strip(): task["answer_variants"] for task in TASKS[:3]
    }
    scores = {}
    for result in rows_of(folder / "results.jsonl"):
        gold = by_text[result["question"].strip()]
        assert gold["id"] == result["id"]
        cited_pages = {(c.get("file") or c.get("document"), c["page"]) for c in result["citations"]}
        gold_pages = {(g["document"], g["page"]) for g in gold["evidence"]}
        scores[result["id"], result["model"]] = (
            len(cited_pages & gold_pages),
            len(cited_pages),
            len(gold_pages),
        )
    assert scores == {
        ("t/1", "human:annotator-1"): (1, 1, 1),
        ("t/1", "human:annotator-2"): (0, 0, 1),
        ("t/2", "human:annotator-1"): (2, 2, 2),
    }


def test_one_file_a_person(folder: Path) -> None:
    """The files by annotator split the rows without changing them; no question comes twice."""
    split = []
    for path in sorted((folder / "by-annotator").iterdir()):
        rows = rows_of(path)
        assert len({result["id"] for result in rows}) == len(rows)
        assert {result["model"] for result in rows} == {f"human:{path.stem}"}
        split += rows
    all_rows = rows_of(folder / "results.jsonl")
    assert sorted(map(str, split)) == sorted(map(str, all_rows))


def test_the_trajectory_is_an_agents(folder: Path) -> None:
    """Each search is a step with a tool call and its result; the last step is the answer."""
    first_row = rows_of(folder / "results.jsonl")[0]
    search, last = first_row["trajectory"]
    (call,), (result,) = search["tool_calls"], search["tool_results"]
    assert call["name"] == result["name"] == "search_documents"
    assert call["id"] == result["tool_call_id"]
    assert call["arguments"] == {"query": "otters"} == {"query": result["query"]}
    assert result["results"] == first_row["search_history"][0]["results"]
    assert last["iteration"] == 2
    assert last["parsed_answer"]["answer"] == first_row["answer"] == ["42"]
    assert last["parsed_answer"]["citations"] == [{"file": "annual report.pdf", "page": 3}]
    assert last["outcome"] == "answered"


@pytest.mark.parametrize("outcome", ["not_found", "unanswerable"])
def test_no_answer_is_an_empty_list(outcome: ev.Outcome) -> None:
    """A draft that was left in the box is not an answer; which of the two it was is kept."""
    result = row((0, ev.AnswerEdited(text="draft")), (5, ev.Submitted(outcome=outcome)))
    assert result["answer"] == []
    assert result["trajectory"][-1]["outcome"] == outcome


def test_prose_is_one_answer() -> None:
    """Where the protocol asks for text, its lines are not separate answers."""
    steps = (
        (0.0, ev.AnswerEdited(text=" First line.\n\nSecond line. ")),
        (5.0, ev.Submitted(outcome="answered")),
    )
    assert row(*steps)["answer"] == ["First line.", "Second line."]
    assert row(*steps, **{"answer.kind": "text"})["answer"] == ["First line.\n\nSecond line."]


def test_searches_before_and_after_reopening_count() -> None:
    """Effort is that of the whole attempt; the answer is the last one."""
    result = row(
        (0, searched("a", 1)),
        (1, ev.AnswerEdited(text="1")),
        (2, ev.Submitted(outcome="answered")),
        (3, ev.Reopened()),
        (4, searched("b", 2)),
        (5, cited(4)),
        (6, ev.AnswerEdited(text="2")),
        (7, ev.Submitted(outcome="answered")),
    )
    assert [s["query"] for s in result["search_history"]] == ["a", "b"]
    assert (result["iterations"], result["answer"], len(result["citations"])) == (2, ["2"], 1)


def test_a_look_back_is_no_search() -> None:
    """The same search again leaves effort and history as they are; the events still have it."""
    look_back = searched("a", 3).model_copy(update={"looks_back_at": "s1"})
    steps = ((0.0, searched("a", 1)), (1.0, searched("b", 2)), (2.0, look_back))
    result = row(*steps, (3.0, ev.Submitted(outcome="not_found")))
    assert [s["query"] for s in result["search_history"]] == ["a", "b"]
    assert (result["iterations"], len(result["trajectory"])) == (2, 3)


def test_names_as_file_names() -> None:
    """A name cannot leave the folder, and two names never share a file."""
    assert encoded_stem("Zoë O'Neil-7") == "Zoë O%27Neil-7"
    assert encoded_stem("../../etc/passwd") == "..%2F..%2Fetc%2Fpasswd"
    assert encoded_stem("a/b") != encoded_stem("a%2Fb")
