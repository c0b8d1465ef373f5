"""Anything at all as an agent's results: runs, listed reasons, or one sentence; never a crash."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.runs.record import payloads
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.formats import FORMATS, open_runs
from tests.storage.importers.runs.run_data import (
    atif,
    bare,
    eval_log,
    madqa,
    run,
    sample,
    stored_agent_events,
)
from tests.support.factory import make_workspace
from tests.support.randomness import examples

_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["search_documents", "submit", "agent", "user", "t/1", "b.pdf", "\ud800", "\0",
                     "2026-03-01T08:00:00", 10**400, 1e18, "x" * 20_001, "unanswerable", '{"a":']),
)  # fmt: skip
_KEYS = st.sampled_from([
    "id", "answer", "citations", "iterations", "search_history", "trajectory", "model", "query",
    "results", "file", "document", "page", "num_results", "total_hits", "timestamp", "role",
    "content", "tool_calls", "tool_results", "name", "arguments", "function", "tool_call_id",
    "parsed_answer", "outcome", "started_at", "finished_at", "error", "schema_version", "agent",
    "steps", "source", "message", "observation", "source_call_id", "function_name", "extra",
    "task_id", "session_id", "text", "type", "samples", "eval", "events", "output", "metadata",
])  # fmt: skip
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=20,
)
_VALID_ROWS = (madqa(), bare(), atif(), bare(search_history=[{"query": "q", "results": []}]))
_MANY_EXAMPLES = examples(250)


def survives(path: Path, format_: str | None = None) -> None:
    """Reading ends in runs that can be recorded, reasons of one line, or one sentence."""
    try:
        file = open_runs(path, format_)
        runs = list(file.runs())
    except InputFileError as error:
        assert error.message.startswith(str(path)) and error.message.isprintable()
        return
    for run_read in runs:
        assert run_read.line >= 1 and run_read.file
        if run_read.record is None:
            assert run_read.reason
            continue
        times = run_read.record.times()
        imported = ev.RunImported(
            format=file.format, file=run_read.file, sha256=run_read.sha256, record=run_read.line,
            model=run_read.record.model, iterations=run_read.record.iterations, timed=times.timed,
            results_known=run_read.record.results_known,
        )  # fmt: skip
        try:
            recorded = payloads(run_read.record, imported, prose=False)
        except ValueError as error:
            assert str(error).startswith("answer: has")
            continue
        for payload in recorded:
            # What is recorded can be written as JSON, stored as UTF-8, and read again.
            text = payload.model_dump_json()
            text.encode("utf-8")
            fields = {key: value for key, value in json.loads(text).items() if key != "type"}
            assert ev.parse_payload(payload.type, fields) == payload


def _paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    direct_paths = [(*at, key) for key, _ in (inside if isinstance(value, dict | list) else [])]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return direct_paths + [
        path
        for key, item in inner
        if isinstance(item, dict | list)
        for path in _paths(item, (*at, key))
    ]


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """A good row in which up to three values are others."""
    row = json.loads(json.dumps(draw(st.sampled_from(_VALID_ROWS))))
    for _ in range(draw(st.integers(1, 3))):
        paths = _paths(row)
        if not paths:
            break
        *way, last = draw(st.sampled_from(paths))
        holder = row
        for key in way:
            holder = holder[key]
        holder[last] = draw(_VALUES)
    return row


@_MANY_EXAMPLES
@given(row=changed(), format_=st.sampled_from([None, "madqa", "atif"]))
def test_rows_with_other_values(tmp_path: Path, row: Any, format_: str | None) -> None:
    """Every field may hold anything that JSON can hold, NaN and half surrogates included."""
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps([row, row]), encoding="utf-8")
    survives(path, format_)


@_MANY_EXAMPLES
@given(data=st.data())
def test_lines_with_other_bytes(tmp_path: Path, data: st.DataObject) -> None:
    """Bytes changed, cut off, repeated and put in."""
    text = bytearray("\n".join(json.dumps(row) for row in _VALID_ROWS).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text) - 1))
        cut = data.draw(st.integers(0, 40))
        text[start : start + cut] = data.draw(st.binary(max_size=6))
        if not text:
            break
    path = tmp_path / data.draw(st.sampled_from(["r.jsonl", "r.json", "r.eval", "r"]))
    path.write_bytes(bytes(text))
    survives(path)


@_MANY_EXAMPLES
@given(data=st.binary(max_size=400), format_=st.sampled_from([None, *FORMATS]))
@example(data=b"PK\x03\x04", format_="inspect")
@example(data=b"PK\x05\x06" + b"\0" * 18, format_="atif")
@example(data=b'{"samples": [{}, 1]}', format_="inspect")
def test_any_bytes_at_all(tmp_path: Path, data: bytes, format_: str | None) -> None:
    """Whatever the format is said to be."""
    path = tmp_path / "r"
    path.write_bytes(data)
    survives(path, format_)


def _zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", json.dumps(atif()))
        archive.writestr("b.json", json.dumps([atif("t/2")]))
    return buffer.getvalue()


@pytest.mark.parametrize("form", ["eval", "zip"])
def test_archives_cut_off_anywhere(tmp_path: Path, form: str) -> None:
    """As a download leaves them: at every one of a hundred places."""
    content = _zipped()
    if form == "eval":
        content = eval_log(tmp_path / "whole.eval", [sample(), sample("t/2")]).read_bytes()
    path = tmp_path / f"cut.{form}"
    for length in range(1, len(content), max(1, len(content) // 100)):
        path.write_bytes(content[:length])
        survives(path)


@pytest.mark.parametrize("form", ["eval", "zip"])
def test_a_member_without_a_name_is_left_out(tmp_path: Path, form: str) -> None:
    """It is named in the report, and the other members are read."""
    path = tmp_path / f"run.{form}"
    if form == "eval":
        eval_log(path, [sample()])
    else:
        path.write_bytes(_zipped())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo(""), json.dumps(atif("t/3")))
    runs = list(open_runs(path).runs())
    assert [r.id for r in runs if r.record is not None] == ["t/1", "t/2"][: len(runs) - 1]
    assert ["no name" in r.reason for r in runs] == [False] * (len(runs) - 1) + [True]


@_MANY_EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("form", ["eval", "zip"])
def test_archives_with_other_bytes(tmp_path: Path, form: str, data: st.DataObject) -> None:
    """Damage in names, sizes, checksums, methods and compressed data."""
    intact_path = tmp_path / f"whole.{form}"
    if not intact_path.exists() and form == "eval":
        eval_log(intact_path, [sample(), sample("t/2")])
    elif not intact_path.exists():
        intact_path.write_bytes(_zipped())
    content = bytearray(intact_path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / f"damaged.{form}"
    path.write_bytes(bytes(content))
    survives(path)


@examples(40)
@given(value=_VALUES)
@example(value=10**400)
@example(value=float("nan"))
def test_samples_with_other_values(tmp_path: Path, value: Any) -> None:
    """A log in JSON form in which a part of the sample is something else."""
    good = json.loads(sample().model_dump_json())
    path = tmp_path / "log.json"
    keys = ("id", "events", "output", "store", "metadata", "messages", "error", "started_at")
    bad = [{**good, key: value} for key in (*keys, "scores")]
    log = {"status": "success", "eval": {"model": "m", "task": "t"}, "samples": [*bad, good, value]}
    path.write_text(json.dumps(log), encoding="utf-8")
    survives(path)
    assert [r.id for r in open_runs(path).runs() if r.record is not None].count("t/1") >= 1


@pytest.fixture(scope="module")
def otters(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Four tasks that nobody has worked on."""
    return make_workspace(tmp_path_factory.mktemp("fuzz") / "ws")


@examples(40)
@given(row=changed(), number=st.integers(0, 10**9))
def test_what_is_read_is_stored_and_read_again(
    otters: Workspace, tmp_path: Path, row: Any, number: int
) -> None:
    """Through the recorder into the database; a second import finds the same run there."""
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    try:
        first = run(otters, path, system=f"agent-{number}-{len(stored_agent_events(otters))}")
    except InputFileError:
        return
    assert first.imported + len(first.left_out) == 1
    second = run(otters, path, system=first.system)
    assert (second.imported, second.already_there) == (0, first.imported)
