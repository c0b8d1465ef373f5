"""The input of every format, and the record of what it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.storage.snapshot.pages import ExportPages
from pagetrail.storage.snapshot.result_cache import ResultCache
from pagetrail.storage.snapshot.rows import AttemptEvents, CampaignInfo, TaskRow
from pagetrail.storage.snapshot.snapshot import Snapshot

PAGE_DPI = 200
"""Default resolution of exported page images; that of ViDoRe V3."""

MAX_LISTED = 1_000
"""Maximum number of ids listed per reason in a manifest; the count is always complete."""

TASK_EXCLUDED = "task_excluded"
"""Reason for leaving out tasks that a supervisor excluded."""

Progress = Callable[[int, int], None]
"""Called with (items done, total items)."""

DrawProgress = Callable[[int], None]
"""Called with the number of bootstrap intervals computed so far."""

Columns = Literal["published", "mteb"]
"""Naming scheme of columns, see ``Source``."""

PageContent = Literal["reference", "text", "image"]
"""Result of ``read_page`` calls in exports of runs, see ``Source``."""


@dataclass
class LeftOut:
    """Items left out for one reason.

    Attributes:
        what: a singular noun: ``attempt``, ``task``, ``search``, ``page``, ``box``, …
        reason: machine-readable.
        count: number of items.
        ids: the first thousand ids, in the order of the export; empty for items without id.
    """

    what: str
    reason: str
    count: int = 0
    ids: list[str] = field(default_factory=list)


@dataclass
class LeftOutOf(LeftOut):
    """Items left out of one campaign, in a report on several."""

    campaign: str = ""


@dataclass
class WrittenFiles:
    """Record of the files that a format wrote, or of what a report counts and leaves out.

    Attributes:
        counts: counts for the manifest, by name.
        rows: path relative to the export's folder → number of rows.
        index_ids: identities of the indexes that the exported searches used.
        choices: rules and settings that shaped the files, by name.
    """

    counts: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    index_ids: set[str] = field(default_factory=set)
    choices: dict[str, Any] = field(default_factory=dict)
    _left_out: dict[tuple[str, str], LeftOut] = field(default_factory=dict)

    def count(self, name: str, n: int = 1) -> None:
        """Add to a count; adding 0 makes the count appear in the manifest."""
        self.counts[name] = self.counts.get(name, 0) + n

    def leave_out(self, kind: str, reason: str, id_: str | None = None, n: int = 1) -> None:
        """Count items as left out."""
        entry = self._left_out.setdefault((kind, reason), LeftOut(kind, reason))
        entry.count += n
        if id_ is not None and len(entry.ids) < MAX_LISTED:
            entry.ids.append(id_)

    @property
    def left_out(self) -> list[LeftOut]:
        """Everything left out, sorted by kind and reason."""
        return [entry for _, entry in sorted(self._left_out.items()) if entry.count]

    def note_indexes(self, events: list[ev.Event]) -> None:
        """Record the indexes that the searches in these events used."""
        searches = (e.payload for e in events if isinstance(e.payload, ev.Searched))
        self.index_ids |= {search.index_id for search in searches if search.index_id}


CheckedGoldName = Literal["corrected", "original"]
"""Gold of tasks after or before checks of suspect gold."""


@dataclass(frozen=True)
class Source:
    """One campaign, read from one snapshot, with the options of an export or report.

    Attributes:
        database: the snapshot.
        identify: whether people appear under their names instead of pseudonyms.
        pseudonyms: user name → pseudonym.
        progress: called with the number of attempts, tasks or pages done.
        dpi: resolution of page images, and of boxes in pixels.
        adjudicated: whether adjudicated gold replaces people's work and the imported gold;
            ``exports.formats.export_format.GoldRule`` has the rules.
        checked_gold: gold after or before checks of suspect gold, in place of the imported gold.
        submission: which submission of an attempt counts; gold is not affected.
        columns: naming scheme for formats with two (``vidore``): ``published`` or ``mteb``.
        page_content: result of ``read_page`` calls in exports of runs: the page reference only, or
            also its text or image.
        originals: whether the original files of imported runs are exported as well.
        verdicts: set of imported verdicts that judge answers.
        undecided: for ``trajectory-tasks``: only the answers that people should judge: what the
            rule leaves undecided, and a random share of what it decided.
        prices: prices of models, and rates of currencies.
        drawn: called with the number of bootstrap intervals computed.
        cache: results computed earlier in this workspace.
    """

    database: Snapshot
    campaign: CampaignInfo
    identify: bool
    pseudonyms: Mapping[str, str]
    progress: Progress | None = None
    dpi: int = PAGE_DPI
    adjudicated: bool = False
    checked_gold: CheckedGoldName | None = None
    submission: SubmissionVersion = "first"
    columns: Columns = "published"
    page_content: PageContent = "reference"
    originals: bool = False
    verdicts: str | None = None
    undecided: bool = False
    prices: PriceTable | None = None
    drawn: DrawProgress | None = None
    cache: ResultCache = field(default_factory=ResultCache)

    def for_campaign(self, campaign: str) -> Source:
        """Another campaign in the same snapshot.

        Raises:
            NotFoundError: no such campaign.
        """
        return replace(self, campaign=self.database.campaign(campaign))

    @property
    def pages(self) -> ExportPages:
        """The collection's pages."""
        return self.database.pages

    def attempts(self) -> Iterator[AttemptEvents]:
        """All attempts with events, in a stable order."""
        for attempts_done, attempt in enumerate(self.database.attempts(self.campaign.id), start=1):
            yield attempt
            if self.progress is not None:
                self.progress(attempts_done, self.campaign.opened)

    def leave_out_excluded(self, tally: WrittenFiles) -> None:
        """Count the excluded tasks as left out, once."""
        if all(entry.reason != TASK_EXCLUDED for entry in tally.left_out):
            for task in self.campaign.excluded:
                tally.leave_out("task", TASK_EXCLUDED, task)

    def exclusion_reasons(self) -> dict[str, int]:
        """Reason → number of tasks excluded for it, the most frequent first."""
        return dict(Counter(self.campaign.excluded.values()).most_common())

    def gold_streams(self) -> Iterator[AttemptEvents]:
        """The event streams in which reviewers decided gold, at most one per task."""
        return self.database.gold_streams(self.campaign.id)

    def tasks(self) -> Iterator[TaskRow]:
        """The tasks, in a stable order."""
        for tasks_done, task in enumerate(self.database.tasks(self.campaign.id), start=1):
            yield task
            if self.progress is not None:
                self.progress(tasks_done, self.campaign.tasks)

    def name(self, user: str) -> str:
        """A person's name in the export; "unknown" for people without an account."""
        return user if self.identify else self.pseudonyms.get(user, "unknown")
