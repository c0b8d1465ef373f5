"""Transcriptions: the current text of each page, for people and for the model of the next round.

``transcripts`` has one page per row, with its round and state, and what is open for a model: the
round's rejected and stale patches, the note, the flag and the comments. ``import-patches`` reads a
model's answers to these rows. ``transcript_edits`` has every edit and decision with the working
time that it took.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.text_changes import text_changes
from pagetrail.annotation.attempts.transcript_state import Transcript
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.reading.attempts import leave_out_never_opened
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.people.system_roles import SYSTEM

FILE = "transcripts.jsonl"
EDITS_FILE = "transcript_edits.jsonl"
_OPEN_PATCHES = ("rejected", "stale", "open")


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the texts of all opened pages as they are now."""
    tally = WrittenFiles(counts={"pages": 0, "waiting": 0, "accepted": 0, "edits": 0})
    leave_out_never_opened(source, tally)
    with JsonLines(folder / FILE) as lines, JsonLines(folder / EDITS_FILE) as edit_lines:
        for attempt in source.attempts():
            state = fold(attempt.events)
            if attempt.head.role == SYSTEM:
                tally.leave_out("attempt", "of_a_system", attempt.head.id)
                continue
            if state.transcript is None:
                tally.leave_out("attempt", "no_transcript", attempt.head.id)
                continue
            key = {"task": attempt.head.task, "annotator": source.name(attempt.head.user)}
            row = transcript_row(state, state.transcript)
            row["open_remarks"]["comments"] = [
                {"by": source.name(comment.by), "text": comment.text} for comment in state.comments
            ]
            lines.write(key | row)
            tally.count("pages")
            if row["state"] in ("waiting", "accepted"):
                tally.count(row["state"])
            for change in text_changes(attempt.events):
                edit_lines.write(key | {"attempt_id": attempt.head.id} | vars(change))
        tally.count("edits", edit_lines.rows)
        tally.rows |= {FILE: lines.rows, EDITS_FILE: edit_lines.rows}
    return tally


FORMAT = Format(
    name="transcripts",
    summary="current texts of pages with open remarks",
    purpose="texts for the model of the next round (`import-patches`), and the time per edit",
    applies_to="transcriptions",
    write=write,
    has_submissions=False,
)


def transcript_row(state: AttemptState, transcript: Transcript) -> dict[str, Any]:
    """A page's text with its round, its state and what is open."""
    patches = [
        {
            "id": patch.id,
            "at": patch.at,
            "old": patch.removed,
            "new": patch.inserted,
            "reason": patch.reason,
            "decision": patch.state,
        }
        for patch in transcript.patches
        if patch.state in _OPEN_PATCHES
    ]
    return {
        "document": transcript.document,
        "page": transcript.page,
        "round": transcript.round,
        "state": round_stage(state),
        "model": transcript.model,
        "text": transcript.text,
        "text_sha256": transcript.text_sha256,
        "open_remarks": {"patches": patches, "note": state.note, "flag": state.flag},
    }
