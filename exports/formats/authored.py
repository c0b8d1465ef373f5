"""Questions that annotators wrote, as MADQA dataset records that ``import-tasks`` reads.

The question's id is the task's, with the author behind it where several wrote on one task. The
brief's own question and gold are not in the records. ``checks`` are the findings of the live checks
as the author last saw them; ``checks_current`` says whether they saw the question as it is.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.tasks.task import PageRef, hop_type
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import Work, submitted
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reading.values import plain
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "authored.jsonl"
REQUESTED = ("query_type", "query_format")
"""Asked for by the brief, and said by the author where the protocol asks."""
KEPT = ("document_category", "domain", "language")
"""Fields of the brief that describe what is written on it as well."""


def write(source: Source, folder: Path) -> Written:
    """Write the questions of all submitted attempts."""
    written = Written(counts={"rows": 0, "multi_hop": 0, "authors": 0})
    authors = set()
    with JsonLines(folder / FILE) as lines:
        for key, group in groupby(submitted(source, written), key=lambda work: work.head.task):
            works = []
            for work in group:
                if (work.state.question_text or "").strip():
                    works.append(work.without_events())
                else:
                    written.leave_out("attempt", "no_question_written", work.head.id)
            for work in works:
                record = _record(work, key if len(works) == 1 else f"{key}/{work.name}")
                lines.write(record)
                written.count("multi_hop", int(len(record["evidence"]) > 1))
                authors.add(work.name)
        written.rows[FILE] = lines.rows
    written.counts |= {"rows": lines.rows, "authors": len(authors)}
    return written


FORMAT = Format(
    name="authored",
    summary="written questions as a task file",
    purpose="written questions, for `import-tasks`",
    applies_to="writing of questions",
    write=write,
)


def _record(work: Work, key: str) -> dict[str, Any]:
    state, brief = work.state, work.head.record
    fields = {
        spec.name: work.form.value(spec)
        for spec in work.form.protocol.scoped("task")
        if spec.kind != "records"
    }
    evidence = [{"document": c.document, "page": c.page} for c in state.citations]
    answer = submitted_answer(state, work.form.protocol)
    kinds = {name: fields.pop(name, None) or brief.get(name) for name in REQUESTED}
    hop = fields.pop("hop", None) or hop_type([PageRef(**page) for page in evidence])
    record = {
        "id": key,
        "question": state.question_text,
        "answer_variants": [answer] if answer else [],
        "evidence": evidence,
        **{name: brief.get(name) for name in KEPT},
        **kinds,
        "unanswerable": True if state.outcome == "unanswerable" else None,
        "hop": hop,
        **{name: plain(value) for name, value in fields.items()},
        "author": work.name,
        "brief": work.head.task,
        "checks": [finding.model_dump(mode="json") for finding in state.checks.findings]
        if state.checks
        else None,
        "checks_current": state.checks_current if state.checks else None,
    }
    return {
        name: value
        for name, value in record.items()
        if value is not None or name == "answer_variants"
    }
