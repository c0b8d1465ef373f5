"""A workspace with small campaigns that grade pages, review answers and judge predictions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pymupdf

from pagetrail.annotation.protocols.protocol import Protocol, parse
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.reused_tab import add_person, import_copies
from tests.e2e.support.shared_server import ACCOUNTS, add_accounts
from tests.support.campaigns import add_campaign, make_collection

REPORT = "river report.pdf"
LETTER = "letter.pdf"
N_PAGES = 28

GRADING = "Grading"
REVIEW = "Review"
JUDGING = "Judging"
TIMED = "Against the clock"
KINDS = "Of all kinds"

PAGES = [{"document": REPORT, "page": page} for page in range(1, N_PAGES + 1)] + [
    {"document": LETTER, "page": page} for page in (1, 2)
]
QUERY = "How many otters live along the Saale, and how was that counted?"
TASKS: dict[str, list[dict[str, Any]]] = {
    GRADING: [
        {"id": "saale", "question": QUERY, "candidates": PAGES},
        {"id": "vague", "question": "Is it good?", "candidates": PAGES[:3]},
    ],
    REVIEW: [
        {
            "id": "pair",
            "question": "How many otters were counted along the Saale?",
            "answer_variants": [["42"]],
            "response": "Forty-two otters, counted on twelve mornings in spring.",
            "evidence": PAGES[:3],
        }
    ],
    JUDGING: [
        {
            "id": "spring",
            "question": "How many otters were counted along the Saale?",
            "answer_variants": [["42"], ["forty-two"]],
            "evidence": PAGES[:1],
            "prediction": {"system": "hidden", "answer": "There were about forty otters."},
        }
    ],
    KINDS: [{"id": "kinds", "question": "What is on these pages?", "candidates": PAGES[:3]}],
    TIMED: [{"id": "quick", "question": QUERY, "candidates": PAGES[:3]}],
}
LIMIT_S = 15
ALL_KINDS = parse(
    """
    name = "kinds"
    title = "Fields of all kinds"
    pages = "given"
    browse = false
    answer = { kind = "off" }
    search = { enabled = false }
    evidence = { enabled = false }
    [[fields]]
    name = "usable"
    label = "Usable"
    kind = "boolean"
    required = true
    [[fields]]
    name = "topics"
    label = "Topics"
    kind = "multi"
    options = [
        { value = "river", label = "River", key = "x" },
        { value = "animal", label = "Animal" },
        { value = "none", label = "None of these", exclusive = true },
    ]
    [[fields]]
    name = "remark"
    label = "Remark"
    kind = "text"
    when = { field = "usable", values = ["true"] }
    [[fields]]
    name = "figures"
    label = "Figures on the page"
    scope = "page"
    kind = "number"
    integer = true
    min = 0
    max = 99
    [[fields]]
    name = "gist"
    label = "Gist"
    scope = "page"
    kind = "text"
    required = true
    max_length = 300
    """,
    source="kinds.toml",
)
CAMPAIGNS: dict[str, tuple[str | Protocol, dict[str, Any]]] = {
    KINDS: (ALL_KINDS, {}),
    GRADING: ("relevance", {}),
    REVIEW: ("qa_review", {}),
    JUDGING: ("judge", {}),
    TIMED: ("relevance", {"clock.limit_s": LIMIT_S}),
}


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; nobody has worked."""
    workspace = make_collection(
        root, {REPORT: partial(_write, count=N_PAGES), LETTER: partial(_write, count=2)}
    )
    add_person(workspace)
    for campaign in (KINDS, GRADING, REVIEW, JUDGING, TIMED):
        import_copies(workspace, campaign, *CAMPAIGNS[campaign], TASKS[campaign])
    add_accounts(workspace)
    for campaign, (protocol, settings) in CAMPAIGNS.items():
        add_campaign(
            workspace,
            campaign,
            TASKS[campaign],
            protocol=protocol,
            settings=settings,
            overlap=len(ACCOUNTS),
            seed=3,
        )
    return workspace


def _write(path: Path, count: int) -> None:
    document = pymupdf.open()
    for number in range(1, count + 1):
        page = document.new_page(width=420, height=560)
        page.insert_text((40, 60), f"{path.stem.capitalize()}, section {number}", fontsize=18)
        page.insert_textbox(
            (40, 90, 380, 200),
            f"Between kilometre {number * 7} and {number * 7 + 6} of the Saale {number + 3} otters "
            "were seen on twelve mornings in spring, by two people walking on either bank.",
            fontsize=12,
        )
        for column, height in enumerate((60, 90, 40, 120, number * 4)):
            x = 60 + 60 * column
            page.draw_rect((x, 440 - height, x + 40, 440), fill=(0.2, 0.45, 0.7))
        page.insert_text((40, 530), str(number), fontsize=9)
    document.save(path)
    document.close()
