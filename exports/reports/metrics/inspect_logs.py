"""Logs of Inspect AI (``.eval``), one per person or system, which ``inspect view`` opens together.

A log is a zip of JSON files: ``header.json``, ``summaries.json`` and one file per sample below
``samples/``. A sample is a submitted attempt: what was said and the tools that were called, as
messages and, where times are known, as events of the transcript; what was submitted as the model's
output; and its scores (docs/metrics.md). People are models named ``human/NAME``, systems
``agent/NAME``; a run that was read from a log of Inspect keeps its model and parameters.
Source: inspect.aisi.org.uk/eval-logs.html, and the models of the package inspect_ai.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import parse_iso
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.page_replies import PageReplies
from pagetrail.exports.formats.tool_calls import tool_run
from pagetrail.exports.reading.attempts import ReadAttempt, submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.inspect_samples import (
    OWN_FORMAT,
    SampleWriter,
    scores_of,
    summary_of,
)
from pagetrail.exports.reports.per_task.attempt_results import work_row
from pagetrail.exports.writing.file_formats import encoded_stem, json_text
from pagetrail.storage.people.system_roles import SYSTEM

LOG_VERSION = 2
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ID_CHARACTERS = 22
_COMPRESSION = 3
_EVAL_FIELDS = (
    "task_version",
    "task_args",
    "solver",
    "solver_args",
    "model_generate_config",
    "model_args",
    "model_base_url",
    "model_roles",
    "revision",
    "packages",
    "tags",
)
"""Parameters of a run from a log of Inspect that have the same place in ours."""


@dataclass
class _Log:
    """The log of one person or system while it is written."""

    archive: ZipFile
    name: str
    model: str
    summaries: list[dict[str, Any]] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    undecided: int = 0
    parameters: dict[str, Any] = field(default_factory=dict)
    epochs: int = 1
    samples_of_run: int = 0

    def save(self, name: str, value: Any) -> None:
        """Write a member; the same value gives the same bytes."""
        entry = ZipInfo(name, _EPOCH)
        entry.compress_type = ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        self.archive.writestr(entry, json_text(value), compresslevel=_COMPRESSION)


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the logs of all submitted attempts."""
    tally = WrittenFiles(counts={"samples": 0, "logs": 0}, choices={"rule": "first"})
    with ExitStack() as stack:
        logs: dict[str, _Log] = {}
        for submission in submitted_works(source, tally):
            path = f"{encoded_stem(submission.name)}.eval"
            if path not in logs:
                archive = stack.enter_context(ZipFile(folder / path, "w", allowZip64=True))
                logs[path] = _Log(archive, submission.name, _model(submission))
                tally.count("logs")
            _add(logs[path], source, submission, tally)
            tally.count("samples")
        for path, log in logs.items():
            header = _header(source, log)
            log.save("_journal/start.json", {k: header[k] for k in ("version", "eval", "plan")})
            log.save("summaries.json", log.summaries)
            log.save("header.json", header)
            tally.rows[path] = len(log.summaries)
    return tally


FORMAT = Format(
    name="inspect",
    summary="logs of Inspect (.eval), one per person or system, with searches and scores",
    purpose="logs that `inspect view` opens, people and agents alike: searches as tool calls, "
    "pages, times, scores",
    applies_to="any",
    write=write,
    options=frozenset({"originals", "page_content"}),
    docs_anchor="inspect-and-atif",
)


def _model(submission: ReadAttempt) -> str:
    first = submission.attempt.events[0].payload
    if isinstance(first, ev.RunImported) and first.format == OWN_FORMAT and first.model:
        return first.model
    return f"{'agent' if submission.head.role == SYSTEM else 'human'}/{submission.name}"


def _row(source: Source, submission: ReadAttempt) -> Row | None:
    return work_row(source, submission, "first", submission.head.record, submission.name)


def _add(log: _Log, source: Source, submission: ReadAttempt, tally: WrittenFiles) -> None:
    run, row = tool_run(source, submission, tally), _row(source, submission)
    sample = SampleWriter(run, log.model, PageReplies(source, tally)).sample(submission, row)
    log.epochs = max(log.epochs, sample["epoch"])
    if not log.samples_of_run and run.run is not None and run.run.format == OWN_FORMAT:
        log.parameters = run.run.parameters
    log.samples_of_run += 1
    log.save(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
    log.summaries.append(summary_of(sample))
    for name, value in scores_of(row).items():
        log.scores[name].append(value)
    log.undecided += row is not None and row.is_undecided
    if run.started is not None and run.finished is not None:
        log.started.append(run.started)
        log.finished.append(run.finished)
    log.stored.append(submission.attempt.events[-1].server_ts)


def _header(source: Source, log: _Log) -> dict[str, Any]:
    campaign, count = source.campaign, len(log.summaries)
    # Inspect needs to know when a log was made, even where no run of it has times.
    started = min(log.started or log.stored, key=parse_iso)
    finished = max(log.finished or log.stored, key=parse_iso)
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": {
            "eval_id": _id("eval", campaign.name, log.model),
            "run_id": _id("run", campaign.name),
            "created": started,
            "task": campaign.name,
            "task_id": _id("task", campaign.name),
            "dataset": {
                "name": campaign.name,
                "samples": count,
                "sample_ids": [summary["id"] for summary in log.summaries],
            },
            "model": log.model,
            **{name: log.parameters[name] for name in _EVAL_FIELDS if name in log.parameters},
            "config": {**log.parameters.get("config", {}), "epochs": log.epochs},
            "metadata": {"protocol": campaign.protocol.name, "name": log.name},
        },
        "plan": log.parameters.get("plan", {"name": "plan", "steps": []}),
        "results": {
            "total_samples": count,
            "completed_samples": count,
            "scores": list(mean_scores(log.scores, count, log.undecided)),
        },
        "stats": {"started_at": started, "completed_at": finished},
    }


def mean_scores(
    scores: Mapping[str, list[float]], samples: int, undecided: int
) -> Iterator[dict[str, Any]]:
    """The mean of each score over its samples, as Inspect's ``EvalScore``.

    Args:
        samples: of the log, with a score or without.
        undecided: answers that are incorrect because nothing decided them; not 0, the accuracy has
            their number and its upper end in its metadata (docs/metrics.md).
    """
    for name, values in scores.items():
        metric: dict[str, Any] = {
            "name": "accuracy" if name == "correct" else "mean",
            "value": sum(values) / len(values),
            "params": {},
        }
        if name == "correct" and undecided:
            upper = (sum(values) + undecided) / len(values)
            metric["metadata"] = {"undecided": undecided, "upper": upper}
        yield {
            "name": name,
            "scorer": name,
            "scored_samples": len(values),
            "unscored_samples": samples - len(values),
            "params": {},
            "metrics": {metric["name"]: metric},
        }


def _id(*parts: str) -> str:
    return hashlib.sha256(json_text(parts).encode()).hexdigest()[:_ID_CHARACTERS]
