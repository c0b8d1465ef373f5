"""A workspace with small campaigns of the presets that verify, write and train."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.e2e.support.reused_tab import add_person, import_copies
from tests.e2e.support.shared_server import ACCOUNTS, add_accounts
from tests.e2e.support.small_workspace import IMAGE, PASSWORD
from tests.support.campaigns import add_campaign, make_collection

SURVEY = "survey.pdf"
LEDGER = "ledger.pdf"
RIVERS = "rivers.pdf"

LAYOUT = "Layout"
CHART = "Chart"
PATCHES = "Patches"
WRITING = "Writing"
STRICT = "Strict writing"
BLIND = "Blind writing"
WORDINGS = "Wordings"
TRIED = "Tried"
PILOT = "Pilot"
CUSTOM_FIELDS = "Fields of one's own"
TEXTS = "Texts"
TABLES = "Tables"

WIDTH, HEIGHT = 420, 560
LINES = {
    1: [
        ("Page-Header", "Otter survey 2024"),
        ("Text", "Counting took place on twelve mornings in spring."),
        ("Table", "River | Otters\nSaale | 42\nUnstrut | 17"),
        ("Text", "Figures are rounded to whole animals."),
        ("Picture", ""),
        ("Page-Footer", "Page 1"),
    ],
    2: [
        ("Text", "Autumn counts follow in October."),
        ("Text", f"The survey is paid for by {IMAGE} the counties."),
        ("Page-Footer", "Page 2"),
    ],
}
MANY_ELEMENTS = 150

POINTS = [
    {"labels": ["Saale", "spring"], "value": 42, "tolerance": 1},
    {"labels": ["Saale", "autumn"], "value": 57, "tolerance": 1},
    {"labels": ["Unstrut", "spring"], "value": 71, "tolerance": 1},
]
TRANSCRIPT = f"""# Otter survey 2023

Counting took p1ace on twelve mornings in spring.

| River | Otters |
|---|---|
| Saale | **42** |
| Unstrut | |

<script>window.hacked = 1</script> {IMAGE} [link](javascript:alert(1))

תרגום 😀
"""
TEXT_PATCHES = [
    {"old": "2023", "new": "2024", "reason": f"The heading says 2024. {IMAGE}"},
    {"old": "p1ace", "new": "place", "reason": "A digit instead of a letter."},
    {"old": "| Unstrut | |", "new": "| Unstrut | 17 |", "reason": "The number is missing."},
]
COUNTS = """<table><caption>Otters</caption>
<tr><th>River</th><th>Otters</th></tr>
<tr><td>Saale</td><td>4Z</td></tr>
<tr><td>Unstrut</td><td>17</td></tr>
</table>"""
MERGED_COUNTS = f"""<table><caption>Otters</caption>
<tr><th rowspan="2">River</th><th colspan="2">Otters</th></tr>
<tr><th>spring</th><th>autumn</th></tr>
<tr><td>Saale {IMAGE.replace("<", "&lt;")}</td><td>42</td><td>51</td></tr>
<tr><td>נהר הירדן</td><td>17</td><td>71</td></tr>
</table>"""
LARGE_ROWS, LARGE_COLUMNS = 100, 12


def _large_table() -> str:
    """Numbers under a row of headers; the names of years span three rows."""
    header = "".join(f"<th>Column {column}</th>" for column in range(LARGE_COLUMNS))
    rows = [f"<tr>{header}</tr>"]
    for row in range(1, LARGE_ROWS):
        cells = [f"<td>{row}.{column}</td>" for column in range(1, LARGE_COLUMNS)]
        if row % 3 == 1:
            cells.insert(0, f'<th rowspan="3">Year {2000 + row // 3}</th>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


CHANGES = [
    {
        "old": "Counting took p1ace on twelve mornings.",
        "new": "Counting took place on twelve mornings.",
    },
    {
        "old": "The survey is paid for by the counties.",
        "new": "The survey is paid for by the cities.",
    },
    {"old": "Autumn counts follow in 0ctober.", "new": "Autumn counts follow in October."},
]
SUPERVISOR = "sven"
OWN_FIELDS = [
    {
        "name": "legible",
        "label": "Legible",
        "scope": "box",
        "kind": "choice",
        "required": True,
        "options": [
            {"value": "yes", "label": "Yes", "key": "y"},
            {"value": "no", "label": "No", "key": "n"},
        ],
    },
    {
        "name": "figures",
        "label": "Figures",
        "scope": "page",
        "kind": "records",
        "columns": [
            {"name": "what", "label": "What", "required": True},
            {"name": "value", "label": "Value", "kind": "number"},
        ],
    },
]
TASKS: dict[str, list[dict[str, Any]]] = {
    LAYOUT: [
        {
            "id": "two-pages",
            "question": "Check the elements of pages 1 and 2 of the survey.",
            "candidates": [{"document": SURVEY, "page": 1}, {"document": SURVEY, "page": 2}],
            "elements": [],
        },
        {
            "id": "many",
            "question": "Check the lines of the ledger.",
            "candidates": [{"document": LEDGER, "page": 1}],
            "elements": [],
        },
    ],
    CUSTOM_FIELDS: [
        {
            "id": "two-pages",
            "question": "Draw a box around each table and note its figures.",
            "candidates": [{"document": SURVEY, "page": 1}, {"document": SURVEY, "page": 2}],
        }
    ],
    CHART: [
        {
            "id": "otters",
            "question": "Check the points of the chart on page 1.",
            "candidates": [{"document": SURVEY, "page": 1}],
            "data_points": POINTS,
        }
    ],
    PATCHES: [
        {
            "id": "survey",
            "question": "Approve or reject each change of the transcript of page 1.",
            "candidates": [{"document": SURVEY, "page": 1}],
            "patches": CHANGES,
        }
    ],
    TEXTS: [
        {
            "id": "survey",
            "question": "Make the text say what the page says.",
            "candidates": [{"document": SURVEY, "page": 1}],
            "transcript": TRANSCRIPT,
            "patches": TEXT_PATCHES,
            "model": "scribe-1",
        }
    ],
    TABLES: [
        {
            "id": "counts",
            "question": "Make the table say what the page says.",
            "candidates": [{"document": SURVEY, "page": 1}],
            "tables": [{"id": "counts", "html": COUNTS}],
            "model": "scribe-1",
        },
        {
            "id": "merged",
            "question": "Make the table say what the page says.",
            "candidates": [{"document": SURVEY, "page": 1}],
            "tables": [{"id": "t1", "html": MERGED_COUNTS}],
            "model": "grid-1",
        },
        {
            "id": "large",
            "question": "Check the large table.",
            "candidates": [{"document": LEDGER, "page": 1}],
            "tables": [{"id": "t1", "html": _large_table()}],
        },
    ],
    TRIED: [
        {
            "id": "otters",
            "question": "How many otters live in the Saale?",
            "answer_variants": [["42"]],
            "evidence": [{"document": RIVERS, "page": 1}],
            "candidates": [
                *({"document": RIVERS, "page": number} for number in (1, 2, 3)),
                {"document": SURVEY, "page": 1},
            ],
            "prediction": {"system": "somebody", "answer": ["17"]},
            "steps": [
                {
                    "what": "Searched for “otters”: 2 pages found, 2 shown\n"
                    f"1. {RIVERS} page 1; 2. {SURVEY} page 1"
                },
                {"what": f"Read {SURVEY} page 1"},
                {"what": f"Read {RIVERS} pages 2, 3"},
                {"what": "Submitted with an answer"},
            ],
        }
    ],
    WRITING: [
        {
            "id": f"brief-{number}",
            "question": "Write a question about the rivers.",
            "summary": "Which rivers hold otters, and how many.",
            "query_type": "numerical",
        }
        for number in (1, 2)
    ],
    STRICT: [{"id": "brief", "question": "Write a question about the rivers."}],
    BLIND: [
        {"id": "text", "question": "Write.", "summary": "A survey counted otters in two rivers."},
        {
            "id": "image",
            "question": "Write about this page.",
            "candidates": [{"document": RIVERS, "page": 1}],
        },
    ],
    WORDINGS: [
        {
            "id": "otters-de",
            "question": "Wie viele Otter gab es in der Saale?",
            "original": "How many otters were counted in the Saale?",
            "variant_of": "otters",
            "variant": "translation",
            "language": "de",
        }
    ],
    PILOT: [
        {
            "id": "spring",
            "question": "How many otters live in the Saale?",
            "answer_variants": [["42"], ["forty-two"]],
            "evidence": [{"document": RIVERS, "page": 1}],
        },
        {
            "id": "length",
            "question": "How long is the Unstrut in kilometres?",
            "answer_variants": [["192"]],
            "evidence": [{"document": RIVERS, "page": 2}],
        },
    ],
}
CAMPAIGNS: dict[str, tuple[str, dict[str, Any]]] = {
    LAYOUT: ("verify", {}),
    CUSTOM_FIELDS: (
        "verify",
        {"boxes.seed": False, "boxes.check_all": False, "boxes.order": False, "fields": OWN_FIELDS},
    ),
    CHART: ("verify_chart", {}),
    PATCHES: ("verify_transcript", {}),
    TEXTS: ("transcribe", {}),
    TABLES: ("verify_table", {}),
    TRIED: ("trajectory", {}),
    WRITING: ("author", {}),
    STRICT: ("author", {"question.blocking": ["giveaway"]}),
    BLIND: ("author_blind", {}),
    WORDINGS: ("variants", {}),
    PILOT: ("search", {"pilot.enabled": True}),
}


COPIED = {
    LAYOUT: ("two-pages",),
    CHART: ("otters",),
    PATCHES: ("survey",),
    TEXTS: ("survey",),
    TABLES: ("counts", "merged", "large"),
    TRIED: ("otters",),
    WRITING: ("brief-1", "brief-2"),
    STRICT: ("brief",),
    BLIND: ("text", "image"),
    WORDINGS: ("otters-de",),
    CUSTOM_FIELDS: ("two-pages",),
}


def element_rect(number: int) -> list[float]:
    """Rectangle of the nth element of a page of the survey, in points, counted from 0."""
    top = 40 + 80 * number
    return [40, top, 380, top + 50]


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; nobody has worked."""
    workspace = make_collection(root, {SURVEY: _survey, LEDGER: _ledger, RIVERS: _rivers})
    add_person(workspace)
    for campaign, keys in COPIED.items():
        rows = [row for row in TASKS[campaign] if row["id"] in keys]
        if campaign == LAYOUT:
            rows = [row | {"elements": _elements(row["id"])} for row in rows]
        import_copies(workspace, campaign, *CAMPAIGNS[campaign], rows)
    add_accounts(workspace)
    add_user(workspace, SUPERVISOR, "supervisor", PASSWORD)
    for campaign, (protocol, settings) in CAMPAIGNS.items():
        rows = TASKS[campaign]
        if campaign == LAYOUT:
            rows = [row | {"elements": _elements(row["id"])} for row in rows]
        report = add_campaign(
            workspace,
            campaign,
            rows,
            protocol=protocol,
            settings=settings,
            overlap=len(ACCOUNTS),
            seed=3,
        )
        # The pilot has two tasks, too few to say much: that and its gold are remarked on.
        remarks = ("A batch of this pilot has 2 tasks", "Compared with the gold: ")
        pilot_warnings = [warning for warning in report.warnings if warning.startswith(remarks)]
        expected = pilot_warnings if campaign == PILOT else []
        if report.warnings != expected:
            raise AssertionError(f"{campaign} was not imported as it is: {report}")
    return workspace


def _elements(task: str) -> list[dict[str, Any]]:
    if task == "many":
        return [
            {
                "id": f"line-{number}",
                "document": LEDGER,
                "page": 1,
                "rect": [
                    20 + 130 * (number % 3),
                    10 + 10.5 * (number // 3),
                    140 + 130 * (number % 3),
                    19 + 10.5 * (number // 3),
                ],
                "label": "Text",
                "content": f"entry {number}",
                "order": number + 1,
            }
            for number in range(MANY_ELEMENTS)
        ]
    elements = []
    for page, lines in LINES.items():
        for number, (label, content) in enumerate(lines):
            elements.append(
                {
                    "id": f"p{page}-{number}",
                    "document": SURVEY,
                    "page": page,
                    "rect": element_rect(number),
                    "label": label,
                    "content": content,
                    "order": number + 1,
                    "attributes": {"font": "serif"} if label == "Text" else {},
                    "score": 0.9,
                }
            )
    return elements


def _survey(path: Path) -> None:
    document = pymupdf.open()
    for page_number, lines in LINES.items():
        page = document.new_page(width=WIDTH, height=HEIGHT)
        for number, (label, content) in enumerate(lines):
            x0, y0, x1, y1 = element_rect(number)
            if label == "Picture":
                page.draw_rect((x0, y0, x1, y1), color=(0.1, 0.3, 0.6), fill=(0.85, 0.9, 1))
            else:
                page.insert_textbox((x0, y0, x1, y1 + 10), content, fontsize=11)
        page.insert_text((10, HEIGHT - 8), f"{page_number}", fontsize=6)
    document.save(path)
    document.close()


def _ledger(path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    for number in range(MANY_ELEMENTS):
        page.insert_text(
            (22 + 130 * (number % 3), 17 + 10.5 * (number // 3)), f"entry {number}", fontsize=7
        )
    document.save(path)
    document.close()


def _rivers(path: Path) -> None:
    document = pymupdf.open()
    for text in (
        "In the Saale river 42 otters were counted, in the Unstrut 17.",
        "The Unstrut is 192 kilometres long, the Saale 413 kilometres.",
        "Herons and beavers live along both banks.",
    ):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        page.insert_textbox((40, 60, 380, 200), text, fontsize=14)
    document.save(path)
    document.close()
