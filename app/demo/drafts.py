"""Drafts by a scripted model that merges annotators' answers, as one for figure 22 of ViDoRe V3."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.review.retention import marked_pages
from pagetrail.app.services.composition import Services
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.review.submissions import TaskWork

MODEL, VERSION = "answer-merger", "prompt 1"


def import_merged_answers(services: Services, campaign: str, task_ids: list[int]) -> None:
    """Import a draft of each answered task: the longest answer, and all marked pages."""
    streams = services.reviews.streams
    rows = [_reply(work) for work in map(streams.task_work, task_ids) if _answers(work)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "merged.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        import_drafts(services.workspace, path, campaign=campaign, model=MODEL, version=VERSION)


def _answers(task_work: TaskWork) -> list[Submission]:
    return [submission for submission in task_work.submissions() if submission.answer]


def _reply(task_work: TaskWork) -> dict[str, Any]:
    answers = _answers(task_work)
    longest = max(answers, key=lambda submission: len(" ".join(submission.answer)))
    pages = sorted({page for submission in answers for page in marked_pages(submission)})
    is_longest = [submission.answer == longest.answer for submission in answers]
    return {
        "task": task_work.task.key,
        "sources": task_work.sources(),
        "reasoning": f"{is_longest.count(True)} of {len(answers)} answers name everything that the "
        "marked pages say; the merged answer follows them.",
        "answer_correctness": is_longest,
        "reformulated_answer": "\n".join(longest.answer),
        "evidence": [{"document": document, "page": page} for document, page in pages],
        "score": round(0.5 + 0.45 * is_longest.count(True) / len(answers), 2),
    }
