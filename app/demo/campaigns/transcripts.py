"""Texts of pages by a careless model, its patches in each round, and people who correct them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pagetrail.annotation.attempts.transcript_state import Transcript, TranscriptPatch
from pagetrail.annotation.ports import Clock
from pagetrail.app.demo.corpus import BUDGET, RAIL, WATER, Demo, Record
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.services.composition import Services
from pagetrail.exports.formats.transcripts import FILE
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.transcripts.importer import PatchReport, import_patches

MODEL = "scribe-demo"
_MISREADINGS = (("rn", "m"), ("0", "O"), ("1", "l"), ("8", "3"), ("e", "c"), ("a", "o"))
_MIN_WORDS = 3


class PlantedError(NamedTuple):
    """A line of a page as it is, and as a model has it; empty where the model left it out."""

    right: str
    wrong: str


@dataclass
class TranscribedPage:
    """A page with its lines, and the text of a model.

    Attributes:
        errors: in the model's text.
        bad_patches: errors that the model's patches would have made.
    """

    document: str
    page: int
    lines: list[str]
    text: str = ""
    errors: list[PlantedError] = field(default_factory=list)
    bad_patches: list[PlantedError] = field(default_factory=list)

    def errors_left(self, text: str) -> list[PlantedError]:
        """The model's errors that a text still has."""
        return [error for error in self.errors if _has_error(text, error)]

    def bad_patches_accepted(self, text: str) -> list[PlantedError]:
        """The errors in a text that came in with a patch."""
        return [error for error in self.bad_patches if _has_error(text, error)]

    def record(self, key: str, patches: Sequence[Record]) -> Record:
        """The task of correcting the page."""
        return {
            "id": key,
            "question": f"Correct the text of page {self.page} of {self.document}.",
            "candidates": [{"document": self.document, "page": self.page}],
            "transcript": self.text,
            "patches": list(patches),
            "model": MODEL,
        }


class CarelessModel:
    """A scripted model: it misreads and leaves out lines, and notices some of its errors.

    Attributes:
        noticed: share of the errors for which it proposes a right patch.
        bad: wrong patches that it proposes for each page and round.
    """

    def __init__(self, rng: Random, *, noticed: float = 0.5, bad: int = 1) -> None:
        self._rng = rng
        self.noticed = noticed
        self.bad = bad

    def transcribe(
        self, document: str, page: int, page_text: str, errors: int = 5
    ) -> TranscribedPage:
        """The text of a page with that many errors, as far as it has lines for them."""
        lines = list(dict.fromkeys(" ".join(line.split()) for line in page_text.splitlines()))
        transcribed = TranscribedPage(document, page, [line for line in lines if line])
        usable = [
            number
            for number, line in enumerate(transcribed.lines)
            if len(line.split()) >= _MIN_WORDS and number > 0
        ]
        chosen = sorted(self._rng.sample(usable, min(errors, len(usable) // 2)))
        text_lines = list(transcribed.lines)
        for count, number in enumerate(chosen):
            line = transcribed.lines[number]
            wrong = "" if count == len(chosen) - 1 else self._misread(line, transcribed.lines)
            if wrong != line:
                transcribed.errors.append(PlantedError(line, wrong))
                text_lines[number] = wrong
        written = [line for line in text_lines if line]
        transcribed.text = "\n\n".join(written) + "\n" if written else ""
        return transcribed

    def patches(self, page: TranscribedPage, text: str) -> list[Record]:
        """Patches for a text: right ones for some of the errors, and wrong ones."""
        proposals: list[Record] = []
        for error in page.errors_left(text):
            if self._rng.random() < self.noticed:
                proposals.append(_correction(page, text, error))
        lines = text.split("\n")
        right_lines = [
            line
            for line in page.lines
            if lines.count(line) == 1 and len(line.split()) >= _MIN_WORDS
        ]
        for line in self._rng.sample(right_lines, min(self.bad, len(right_lines))):
            error = PlantedError(line, self._misread(line, page.lines))
            if error.wrong != line:
                page.bad_patches.append(error)
                at = _line_position(text, line)
                proposals.append(
                    {"at": at, "old": line, "new": error.wrong, "reason": "The scan reads so."}
                )
        return proposals

    def _misread(self, line: str, lines: Sequence[str]) -> str:
        """The line with one misread place; the line itself where nothing can be misread."""
        pairs = [(old, new) for old, new in _MISREADINGS if old in line]
        for old, new in self._rng.sample(pairs, len(pairs)):
            wrong = line.replace(old, new, 1)
            if wrong not in lines:
                return wrong
        return line


def transcript_tasks(demo: Demo, services: Services) -> tuple[list[Record], dict[str, Any]]:
    """Pages to correct, and each page with its errors by task id."""
    model = CarelessModel(Random(17))
    rows, pages = [], {}
    for name, anchor in (
        (WATER, "promises"),
        (WATER, "accounts"),
        (WATER, "reservoirs"),
        (BUDGET, "tax"),
        (RAIL, "segments"),
    ):
        number = demo.documents[name].anchors[anchor]
        page = model.transcribe(name, number, services.corpus.page_text(name, number))
        key = f"text-{anchor}"
        rows.append(page.record(key, model.patches(page, page.text)))
        pages[key] = page
    return rows, pages


def correct(tab: SimulatedTab, page: TranscribedPage, *, care: float, submit: bool = True) -> None:
    """Decide the patches and correct some of the other errors; without ``submit``, stop half-way.

    Args:
        care: probability to decide a patch rightly; half of it, to see an error without a patch.
    """
    tab.do("opened", after_s=(0, 1), session="demo")
    target: dict[str, Any] = {"document": page.document, "page": page.page}
    tab.do("page_viewed", via="given", **target)
    patches = _transcript(tab).in_state("open")
    for patch in patches if submit else patches[: len(patches) // 2]:
        if _transcript(tab).patch(patch.id) in _transcript(tab).in_state("open"):
            is_good = _is_right(page, patch) == (tab.rng.random() < care)
            decision = "accepted" if is_good else "rejected"
            tab.do("patch_decided", after_s=(3, 9), patch=patch.id, decision=decision, **target)
    if not submit:
        return
    for error in [*page.errors, *page.bad_patches]:
        text = _transcript(tab).text
        if _has_error(text, error) and tab.rng.random() < care / 2:
            correction = _correction(page, text, error)
            edit = {
                "at": correction["at"],
                "removed": correction["old"],
                "inserted": correction["new"],
            }
            tab.do("text_edited", after_s=(6, 25), edits=[edit], **target)
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def leave(tab: SimulatedTab, page: TranscribedPage) -> None:
    """Reject all patches and submit the page without a change."""
    tab.do("opened", after_s=(0, 1), session="demo")
    target: dict[str, Any] = {"document": page.document, "page": page.page}
    for patch in _transcript(tab).in_state("open"):
        tab.do("patch_decided", after_s=(3, 9), patch=patch.id, decision="rejected", **target)
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def start_next_round(
    workspace: Workspace,
    campaign: str,
    model: CarelessModel,
    pages: Mapping[str, TranscribedPage],
    folder: Path,
    clock: Clock,
) -> PatchReport:
    """Export the texts, have the model answer those that wait for it, and import its patches."""
    export(workspace, campaign, "transcripts", folder / "texts")
    answers = folder / "patches.jsonl"
    with answers.open("w", encoding="utf-8") as file:
        for row in _exported_rows(folder / "texts" / FILE):
            if row["state"] != "waiting":
                continue
            patches = model.patches(pages[row["task"]], row["text"])
            answer = {name: row[name] for name in ("task", "annotator", "round", "text_sha256")}
            file.write(json.dumps({**answer, "model": MODEL, "patches": patches}) + "\n")
    return import_patches(workspace, answers, campaign=campaign, clock=clock)


def _exported_rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _transcript(tab: SimulatedTab) -> Transcript:
    transcript = tab.services.log.state(tab.attempt_id).transcript
    if transcript is None:
        raise RuntimeError(f"{tab.attempt_id} has no text")
    return transcript


def _has_error(text: str, error: PlantedError) -> bool:
    lines = text.split("\n")
    return error.wrong in lines if error.wrong else error.right not in lines


def _is_right(page: TranscribedPage, patch: TranscriptPatch) -> bool:
    return patch.inserted.strip("\n") in page.lines


def _correction(page: TranscribedPage, text: str, error: PlantedError) -> Record:
    """The patch that makes an error right."""
    if error.wrong:
        at = _line_position(text, error.wrong)
        return {"at": at, "old": error.wrong, "new": error.right, "reason": "Misread."}
    lines = text.split("\n")
    earlier = reversed(page.lines[: page.lines.index(error.right)])
    previous = next((line for line in earlier if line in lines), None)
    at = 0 if previous is None else _line_position(text, previous) + len(previous)
    new = f"{error.right}\n\n" if previous is None else f"\n\n{error.right}"
    return {"at": at, "old": "", "new": new, "reason": "A line of the page is missing."}


def _line_position(text: str, line: str) -> int:
    """Where the first of the lines that are the same begins."""
    position = 0
    for text_line in text.split("\n"):
        if text_line == line:
            return position
        position += len(text_line) + 1
    raise ValueError(f"the text has no line {line!r}")
