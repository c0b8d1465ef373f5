"""Outcome of importing a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pagetrail.annotation.events.agents import RunFormat
from pagetrail.storage.importers.files.kept_fields import FieldCounts


@dataclass(frozen=True)
class RunNote:
    """Reason why a run was left out, or a warning about it.

    Attributes:
        line: line in JSON Lines, otherwise the 1-based position in the file.
        id: the task's id if it could be read.
        file: file name, with the member's name for an archive.
    """

    line: int
    id: str | None
    reason: str
    file: str


@dataclass
class RunImportReport:
    """Outcome of importing a run.

    Attributes:
        format: of the file.
        imported: number of new attempts.
        already_there: number of runs stored identically by an earlier import.
        left_out: runs that could not be imported.
        warnings: on imported runs.
        searches, steps: totals of the new attempts.
        unanswered, failed: new attempts without an answer, and those that ended in an error.
        untimed, results_unknown: new attempts without times, and those without search results.
        excluded: runs of excluded tasks, which are stored but count nowhere; includes runs
            imported before.
        stopped: whether ``strict`` stopped the import.
        matched_by_id, matched_by_text: runs whose task was found by id, and by question; includes
            runs imported before.
        unmatched, ambiguous: runs left out because no task, or several tasks, have the question.
        runs: names under which the epochs of a log were imported, if it has several.
        not_kept: counts of fields that no event stores; they remain in the stored originals.
    """

    campaign: str
    system: str
    format: RunFormat
    file: str
    imported: int = 0
    already_there: int = 0
    left_out: list[RunNote] = field(default_factory=list)
    warnings: list[RunNote] = field(default_factory=list)
    searches: int = 0
    steps: int = 0
    unanswered: int = 0
    failed: int = 0
    untimed: int = 0
    results_unknown: int = 0
    excluded: int = 0
    stopped: bool = False
    matched_by_id: int = 0
    matched_by_text: int = 0
    unmatched: int = 0
    ambiguous: int = 0
    runs: list[str] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)

    def count_not_kept(self, counts: Mapping[str, int]) -> None:
        """Add the counts of one run."""
        total = FieldCounts(self.not_kept)
        total.add_all(counts)
        self.not_kept = total.counts()
