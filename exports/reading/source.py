"""What every format is given to work from, and what it hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Which
from pagetrail.storage.snapshot.pages import ExportPages
from pagetrail.storage.snapshot.result_cache import ResultCache
from pagetrail.storage.snapshot.rows import AttemptEvents, CampaignInfo, TaskRow
from pagetrail.storage.snapshot.snapshot import Snapshot

PAGE_DPI = 200
"""Resolution of exported page images unless another is asked for; that of ViDoRe V3's."""

MAX_LISTED = 1_000
"""How many ids one reason in a manifest lists; the count is always complete."""

Progress = Callable[[int, int], None]
"""Called with (things done, things in all)."""

Drawn = Callable[[int], None]
"""Called with the number of intervals drawn so far."""


Columns = Literal["published", "mteb"]
"""Names of columns, see ``Source``."""

PageContent = Literal["reference", "text", "image"]
"""What a call of ``read_page`` returns in exports of runs, see ``Source``."""


@dataclass
class LeftOut:
    """What was left out for one reason.

    Attributes:
        what: a singular noun: ``attempt``, ``task``, ``search``, ``page``, ``box``, …
        reason: machine-readable.
        count: how many.
        ids: the first thousand of them, in the order of the export; empty where they have none.
    """

    what: str
    reason: str
    count: int = 0
    ids: list[str] = field(default_factory=list)


@dataclass
class LeftOutOf(LeftOut):
    """What was left out of one campaign, in a report of several."""

    campaign: str = ""


@dataclass
class Written:
    """What a format wrote.

    Attributes:
        counts: things counted along the way, by name.
        rows: rows by file, relative to the export's folder.
        index_ids: identities of the indexes that the exported searches ran on.
        choices: rules and settings that shaped the files, by name.
    """

    counts: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    index_ids: set[str] = field(default_factory=set)
    choices: dict[str, Any] = field(default_factory=dict)
    _left_out: dict[tuple[str, str], LeftOut] = field(default_factory=dict)

    def count(self, name: str, n: int = 1) -> None:
        """Add to a count; a count of 0 is printed too once it was named."""
        self.counts[name] = self.counts.get(name, 0) + n

    def leave_out(self, what: str, reason: str, id_: str | None = None, n: int = 1) -> None:
        """Note that something was left out."""
        entry = self._left_out.setdefault((what, reason), LeftOut(what, reason))
        entry.count += n
        if id_ is not None and len(entry.ids) < MAX_LISTED:
            entry.ids.append(id_)

    @property
    def left_out(self) -> list[LeftOut]:
        """Everything left out, sorted by kind and reason."""
        return [entry for _, entry in sorted(self._left_out.items()) if entry.count]

    def saw(self, events: list[ev.Event]) -> None:
        """Take down the indexes that the searches of an attempt ran on."""
        searches = (e.payload for e in events if isinstance(e.payload, ev.Searched))
        self.index_ids |= {search.index_id for search in searches if search.index_id}


@dataclass(frozen=True)
class Source:
    """One campaign, seen at one moment.

    Attributes:
        database: the snapshot that everything is read from.
        identify: whether people appear under their names instead of pseudonyms.
        pseudonyms: user name → pseudonym.
        progress: told how many attempts, tasks or pages are done.
        dpi: resolution of page images, and of boxes in pixels.
        adjudicated: whether the gold decided in review counts in place of people's work, and of
            what the tasks came with; ``exports.formats.export_format.GoldRule`` has the rules.
        submission: which submission of an attempt counts; gold is not affected.
        columns: names of columns, where a format has them in two ways (``vidore``): ``published``
            or ``mteb``.
        page_content: what a call of ``read_page`` returned in exports of runs: which page it was,
            or its text or image as well.
        originals: whether what imported runs were read from is exported with them.
        verdicts: set of outside verdicts that answers are judged by.
        undecided: of ``trajectory-tasks``, only the answers that people should judge.
        drawn: told how many intervals are drawn.
        cache: what reports have computed of this workspace before.
    """

    database: Snapshot
    campaign: CampaignInfo
    identify: bool
    pseudonyms: Mapping[str, str]
    progress: Progress | None = None
    dpi: int = PAGE_DPI
    adjudicated: bool = False
    submission: Which = "first"
    columns: Columns = "published"
    page_content: PageContent = "reference"
    originals: bool = False
    verdicts: str | None = None
    undecided: bool = False
    drawn: Drawn | None = None
    cache: ResultCache = field(default_factory=ResultCache)

    def of(self, campaign: str) -> Source:
        """Another campaign, seen at the same moment.

        Raises:
            NotFoundError: no such campaign.
        """
        return replace(self, campaign=self.database.campaign(campaign))

    @property
    def pages(self) -> ExportPages:
        """The collection's pages."""
        return self.database.pages

    def attempts(self) -> Iterator[AttemptEvents]:
        """The attempts that have events, all of them, in a stable order."""
        for done, attempt in enumerate(self.database.attempts(self.campaign.id), start=1):
            yield attempt
            if self.progress is not None:
                self.progress(done, self.campaign.opened)

    def gold_streams(self) -> Iterator[AttemptEvents]:
        """The streams in which reviewers made gold, at most one per task."""
        return self.database.gold_streams(self.campaign.id)

    def tasks(self) -> Iterator[TaskRow]:
        """The tasks, in a stable order."""
        for done, task in enumerate(self.database.tasks(self.campaign.id), start=1):
            yield task
            if self.progress is not None:
                self.progress(done, self.campaign.tasks)

    def name(self, user: str) -> str:
        """What a person goes under in the export; somebody without an account is unknown."""
        return user if self.identify else self.pseudonyms.get(user, "unknown")
