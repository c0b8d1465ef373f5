"""The declaration of an export format, from which command, screens, checks and docs are derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pagetrail.exports.reading.source import Source, WrittenFiles

Option = Literal["columns", "page_content", "originals", "verdicts", "undecided", "prices"]
"""Options of an export that only some formats take."""


@dataclass(frozen=True)
class GoldRule:
    """What ``--gold adjudicated`` does.

    Attributes:
        replaces_work: whether the gold is written in place of people's work, so that submissions
            do not matter; else work is compared with it.
        effect: its effect on the files, for docs/researchers.md.
        follows_checks: whether the format can also go by the gold after or before checks of
            suspect gold, which is that of tasks.
    """

    replaces_work: bool
    effect: str
    follows_checks: bool = False


@dataclass(frozen=True)
class Format:
    """An export format.

    Attributes:
        name: as in the command.
        summary: what it is, in help texts and on screens.
        purpose: what it is for, in docs/researchers.md (Markdown).
        applies_to: the campaigns that have something to write; of others its files are empty.
        write: writes a campaign to an empty folder.
        options: that it takes.
        gold: what adjudicated gold does; None if it is refused.
        has_submissions: whether it matters which submission of an attempt counts.
        docs_anchor: anchor of its section in docs/formats.md, if not the format's name.
    """

    name: str
    summary: str
    purpose: str
    applies_to: str
    write: Callable[[Source, Path], WrittenFiles] = field(repr=False)
    options: frozenset[Option] = frozenset()
    gold: GoldRule | None = None
    has_submissions: bool = True
    docs_anchor: str = ""


GRADES_FROM_GOLD = GoldRule(
    replaces_work=True,
    effect="a page's score is its decided grade; `gold` is the only annotator; queries decided to "
    "be poor are left out. In `vidore`, `raw_answers` has every decided answer, `answer` the first "
    "accepted one",
)
BOXES_FROM_GOLD = GoldRule(
    replaces_work=True,
    effect="the decided boxes, rows, texts and tables alone, under the name `gold`; in Label "
    "Studio as ground truth",
)
COMPARED_WITH_GOLD = GoldRule(
    replaces_work=False,
    effect="people's and systems' work compared with decided answers and pages; a task that is not "
    "decided has no gold",
    follows_checks=True,
)
