"""The reader of Inspect logs, over logs that Inspect's own package wrote."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import ToolEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import InputFileError, PagetrailError
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.importers.runs import inspect_logs as run_inspect
from pagetrail.storage.importers.runs.formats import ReadRun, open_runs
from tests.storage.importers.runs.run_data import (
    PAGES,
    STARTED_AT,
    acts,
    eval_log,
    failed_sample,
    sample,
)

SEARCH = {"query": "otters"}


def read_runs(path: Path) -> list[ReadRun]:
    """Everything in a file."""
    return list(open_runs(path).runs())


def read(tmp_path: Path, eval_sample: EvalSample) -> RunRecord:
    """The run in a log of one sample."""
    (read_run,) = read_runs(eval_log(tmp_path / "log.eval", [eval_sample]))
    assert read_run.record is not None, read_run.reason
    return read_run.record


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_a_log_of_either_form_is_read(tmp_path: Path, name: str) -> None:
    """One run a sample in the order of the log, with steps, results, times, model and answer."""
    runs = read_runs(
        eval_log(tmp_path / name, [sample("t/1"), sample("t/2"), failed_sample("t/3")])
    )
    assert [(r.line, r.id, r.file) for r in runs] == [(1, "t/1", name), (2, "t/2", name),
                                                      (3, "t/3", name)]  # fmt: skip
    record = runs[0].record
    assert record is not None
    assert (record.task, record.answer, record.model) == ("t/1", ("42",), "openai/model-3")
    assert record.citations == (("annual report.pdf", 3), ("b.pdf", 1))
    text_step, search = (step.payload for step in acts(record))
    assert isinstance(text_step, ev.AgentStep) and text_step.text == "I look for otters."
    assert isinstance(search, ev.Searched) and search.query == "otters"
    assert [(h.file, h.page) for h in search.results] == [("annual report.pdf", 3), ("b.pdf", 1)]
    assert record.results_known
    times = record.times()
    assert (times.timed, times.steps, times.end) == (
        True, (1_000, 1_000, 4_000, 4_000), 8_000
    )  # fmt: skip
    assert record.notes == ()


def test_a_sample_that_ended_in_an_error_has_no_answer(tmp_path: Path) -> None:
    """Whatever it had said before: the run is kept, with what went wrong."""
    record = read(tmp_path, failed_sample("t/1"))
    assert (record.answer, record.citations, record.failed) == ((), (), "out of tokens")
    assert len(acts(record)) == 2


@pytest.mark.parametrize(
    ("fields", "answer", "cited"),
    [
        ({"completion": "forty-two"}, ("forty-two",), 0),
        ({"completion": "Done.\n```json\n" + json.dumps({"answer": 42}) + "\n```"}, ("42",), 0),
        ({"completion": 'So:\n\n{"answer":\n "42",\n "citations": [\n]}\n'}, ("42",), 0),
        (
            {"completion": 'The set {"answer"} of\n{x} is 42.'},
            ('The set {"answer"} of\n{x} is 42.',),
            0,
        ),
        ({"completion": "Done.", "store": {"answer": "7", "citations": PAGES}}, ("7",), 2),
        ({"completion": "It is 7.", "scores": {"f1": Score(value=1, answer="7")}}, ("7",), 0),
        ({"completion": ""}, (), 0),
        ({"completion": "x", "metadata": {"answer": "the gold", "citations": PAGES}}, ("x",), 0),
    ],
)
def test_where_the_answer_is_looked_for(
    tmp_path: Path, fields: dict[str, Any], answer: tuple[str, ...], cited: int
) -> None:
    """JSON in what was said, the store, a scorer, the text; never the dataset's metadata."""
    record = read(tmp_path, sample(**fields))
    assert (record.answer, len(record.citations)) == (answer, cited)


def test_an_answer_given_to_a_tool_of_handing_in(tmp_path: Path) -> None:
    """As Inspect's own agents do: the last call of ``submit`` counts, not the text after it."""
    call = ToolEvent(
        timestamp=STARTED_AT, id="s", function="submit",
        arguments={"answer": json.dumps({"answer": ["7"], "citations": PAGES})}, result="ok",
    )  # fmt: skip
    record = read(tmp_path, sample(completion="I have submitted it.", events=[call]))
    assert record.answer == ("7",) and len(record.citations) == 2


@pytest.mark.parametrize(
    ("fields", "confidence"),
    [
        ({"completion": '{"answer": "42", "confidence": 0.75}'}, 0.75),
        ({"completion": "42", "store": {"answer": "42", "confidence": 0.5}}, 0.5),
        ({"store": {"confidence": 0.5}}, 0.5),
        ({"metadata": {"confidence": 0.9}}, None),
        ({"scores": {"f1": Score(value=1, metadata={"confidence": 0.9})}}, None),
        ({"store": {"confidence": 75}}, None),
    ],
)
def test_where_confidence_is_looked_for(
    tmp_path: Path, fields: dict[str, Any], confidence: float | None
) -> None:
    """The answer's JSON, then the store; never the dataset's or a scorer's metadata."""
    record = read(tmp_path, sample(**fields))
    assert (record.answer, record.confidence) == (("42",), confidence)
    is_noted = "its confidence is not a number from 0 to 1 and is ignored" in record.notes
    assert is_noted == (fields.get("store") == {"confidence": 75})
    assert "store.confidence" not in record.not_kept


def test_the_task_is_the_metadatas_before_the_samples(tmp_path: Path) -> None:
    """A dataset that numbers its samples can say which task each of them is."""
    assert read(tmp_path, sample(4, metadata={"task_id": "t/2"})).task == "t/2"
    assert read(tmp_path, sample(4)).task == "4"


def test_without_events_the_messages_tell_of_the_steps(tmp_path: Path) -> None:
    """Calls and their results are found by id; there are no times of steps then."""
    call = ToolCall(id="c1", function="search_documents", arguments=SEARCH)
    other = ToolCall(id="c2", function="bash", arguments={"cmd": "ls"})
    messages = [
        ChatMessageUser(content="How many?"),
        ChatMessageAssistant(content="Let me look.", tool_calls=[call, other]),
        ChatMessageTool(content="not a list", tool_call_id="c1"),
    ]
    record = read(tmp_path, sample(events=[], messages=messages))
    kinds = [type(step.payload).__name__ for step in acts(record)]
    assert kinds == ["AgentStep", "Searched", "AgentStep"]
    assert not record.results_known


def test_epochs_are_runs_of_the_same_task(tmp_path: Path) -> None:
    """Each of them is there, for the import to say which one counts."""
    samples = [sample("t/1"), sample("t/1", epoch=2)]
    assert [r.id for r in read_runs(eval_log(tmp_path / "log.eval", samples))] == ["t/1", "t/1"]


def test_a_citation_that_breaks_the_format_costs_its_sample_alone(tmp_path: Path) -> None:
    """The other sample is read; the sentence names the place."""
    bad = sample("t/1", json.dumps({"answer": "1", "citations": ["p. 3"]}))
    runs = read_runs(eval_log(tmp_path / "log.eval", [bad, sample("t/2")]))
    assert runs[0].record is None and runs[0].reason.startswith("citations[0]: must be an object")
    assert runs[1].record is not None


def test_without_the_package_the_sentence_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typed error with the command that installs it, and nothing else fails."""
    log = eval_log(tmp_path / "log.eval", [sample()])

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(run_inspect.importlib, "import_module", missing)
    with pytest.raises(PagetrailError, match=r"pip install 'inspect-ai>=") as caught:
        read_runs(log)
    assert caught.value.code == "missing_extra"


def _archive(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_member_that_unpacks_to_too_much_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bomb is cut off at the limit, and the sample beside it is read."""
    monkeypatch.setattr("pagetrail.storage.importers.files.zip_members.MAX_MEMBER_BYTES", 2**20)
    good = sample("t/1").model_dump_json().encode()
    files = {"samples/a.json": b" " * 3 * 2**20, "samples/../../b.json": good}
    runs = read_runs(_archive(tmp_path / "log.eval", files))
    assert runs[0].record is None and runs[0].reason == "is larger than 1 MiB"
    assert runs[1].record is not None and runs[1].record.model is None


def test_a_bomb_of_a_method_that_cannot_be_unpacked_bit_by_bit_is_not_opened(
    tmp_path: Path,
) -> None:
    """A few hundred bytes of bzip2 unpack to tens of megabytes in one go."""
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("samples/a.json", b" " * 2**24)
    assert path.stat().st_size < 2_000
    (read_run,) = read_runs(path)
    assert read_run.reason == "is packed with compression method 12, which is not read"


def test_an_archive_that_unpacks_to_too_much_in_all_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many members within the limit are a bomb as well."""
    monkeypatch.setattr("pagetrail.storage.importers.files.zip_members.MAX_TOTAL_BYTES", 2**20)
    files = {f"samples/{n}.json": b" " * 2**19 for n in range(4)}
    with pytest.raises(InputFileError, match="holds more than"):
        read_runs(_archive(tmp_path / "log.eval", files))


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b"{}", b'{"id": 1}', b"[" * 100_000, b"NaN"])
def test_a_sample_that_is_none_is_listed(tmp_path: Path, data: bytes) -> None:
    """With its place and one line of what is wrong."""
    (read_run,) = read_runs(_archive(tmp_path / "log.eval", {"samples/a.json": data}))
    assert read_run.record is None and read_run.line == 1
    assert read_run.reason and read_run.reason.isprintable()


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_a_score_that_is_no_number_does_not_matter(tmp_path: Path, name: str) -> None:
    """Inspect writes NaN into its logs, which strict JSON does not have."""
    log = eval_log(tmp_path / name, [sample(scores={"f1": Score(value=float("nan"))})])
    (read_run,) = read_runs(log)
    assert read_run.record is not None and read_run.record.answer == ("42",)


def test_text_that_inspect_keeps_apart_is_put_back(tmp_path: Path) -> None:
    """Long contents are stored once and pointed to; a final answer may be one of them."""
    long = "otter " * 400
    log = eval_log(tmp_path / "log.eval", [sample(completion=long, events=[])])
    (read_run,) = read_runs(log)
    assert read_run.record is not None and read_run.record.answer == (long,)
