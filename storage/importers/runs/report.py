"""What an import of a run did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pagetrail.annotation.events.agents import RunFormat
from pagetrail.storage.importers.files.kept_fields import FieldCounts


@dataclass(frozen=True)
class RunNote:
    """A sentence about one run of the file: why it was left out, or what is odd about it.

    Attributes:
        line: line of JSON Lines, else the place in the file, from 1.
        id: the task's id, where it could be read.
        file: the file's name, with the member's for an archive.
    """

    line: int
    id: str | None
    reason: str
    file: str


@dataclass
class RunImportReport:
    """What an import of a run did.

    Attributes:
        format: of the file.
        imported: attempts that were made now.
        already_there: runs that an earlier import had stored, the same in all.
        left_out: what could not be imported.
        warnings: what was imported and is odd.
        searches, steps: of what was imported now.
        unanswered, failed: of these: without an answer; ended in an error.
        untimed, results_unknown: of these: without times; without what the searches returned.
        stopped: whether ``strict`` kept everything from being imported.
        matched_by_id, matched_by_text: runs that are of a task of the campaign, by how it was
            found; these may have been imported before.
        unmatched, ambiguous: of those left out: no task has the question, or several have.
        runs: names under which the epochs of a log were imported, where it has several.
        not_kept: fields of what was imported now that no event holds, by name → how often they
            occur. They are in the stored originals.
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
    stopped: bool = False
    matched_by_id: int = 0
    matched_by_text: int = 0
    unmatched: int = 0
    ambiguous: int = 0
    runs: list[str] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)

    def count_not_kept(self, counts: Mapping[str, int]) -> None:
        """Add the fields of one run that are not kept."""
        total = FieldCounts(self.not_kept)
        total.add_all(counts)
        self.not_kept = total.counts()
