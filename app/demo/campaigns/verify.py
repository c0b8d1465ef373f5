"""Elements, chart data and transcript patches of a careless model, and people who verify them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from pagetrail.app.demo.campaigns.layout import Block, blocks, label_of
from pagetrail.app.demo.corpus import BUDGET, RAIL, WATER, Demo, NumberedPage, Record
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.services.composition import Services

MAX_BLOCKS = 24


@dataclass
class Planted:
    """What is wrong with a model's elements: the right values by element id, and what it missed."""

    right: dict[str, dict[str, Any]] = field(default_factory=dict)
    spurious: set[str] = field(default_factory=set)
    missed: list[dict[str, Any]] = field(default_factory=list)


def element_tasks(demo: Demo, services: Services) -> tuple[list[Record], dict[str, Planted]]:
    """Pages with elements to verify, and what was planted in each, by task id."""
    rng = Random(11)
    rows, planted = [], {}
    for name, anchor in (
        (WATER, "reservoirs"),
        (BUDGET, "tax"),
        (RAIL, "segments"),
    ):
        page = demo.documents[name].anchors[anchor]
        row, wrong = _elements(services, (name, page), rng)
        rows.append(row)
        planted[row["id"]] = wrong
    return rows, planted


def _elements(
    services: Services, document_page: NumberedPage, rng: Random
) -> tuple[Record, Planted]:
    name, page = document_page
    info = services.corpus.document(name)
    assert info is not None
    height = info.pages[page - 1].height
    words = services.images.words(info.sha256, page)
    page_blocks = [b for b in blocks(words) if not _is_scale(b, label_of(b, height))][:MAX_BLOCKS]
    elements: list[dict[str, Any]] = [
        {
            "id": f"p{page}-{number}",
            "document": name,
            "page": page,
            "rect": list(block.rect),
            "label": label_of(block, height),
            "content": block.text,
            "order": number,
            "attributes": {},
            "score": round(rng.uniform(0.55, 0.99), 3),
        }
        for number, block in enumerate(page_blocks, start=1)
    ]
    wrong = _spoil(elements, rng)
    record = {
        "id": f"{name.removesuffix('.pdf')}-p{page}",
        "question": f"Check the elements of page {page} of {name}.",
        "candidates": [{"document": name, "page": page}],
        "elements": elements,
    }
    return record, wrong


def _is_scale(block: Block, label: str) -> bool:
    """Whether the block has only numbers, like the axis of a chart."""
    return label in ("Text", "Table") and all(
        word.text.strip("-+%£().,").replace(",", "").replace(".", "").isdigit()
        for word in block.words
    )


def _spoil(elements: list[dict[str, Any]], rng: Random) -> Planted:
    """Shift a box, mistake a class, misread a text, invent an element and lose one."""
    wrong = Planted()
    body = [e for e in elements if not e["label"].startswith("Page-")]
    shifted, mistaken, misread, missing = rng.sample(body, 4)  # the chosen pages have more
    wrong.right[shifted["id"]] = {"rect": shifted["rect"]}
    x0, y0, x1, y1 = shifted["rect"]
    shifted["rect"] = [round(x0 + 14, 2), round(y0 + 6, 2), round(x1 + 14, 2), round(y1 + 6, 2)]
    wrong.right[mistaken["id"]] = {"label": mistaken["label"]}
    mistaken["label"] = "Picture" if mistaken["label"] == "Text" else "Text"
    wrong.right[misread["id"]] = {"content": misread["content"]}
    misread["content"] = misread["content"].replace("0", "O").replace("rn", "m") + " |"
    wrong.missed.append(missing)
    elements.remove(missing)
    ghost = {
        **elements[-1],
        "id": f"{elements[-1]['id']}x",
        "rect": [60.0, 740.0, 190.0, 770.0],
        "label": "Picture",
        "content": None,
        "order": len(elements) + 2,
        "score": 0.31,
    }
    elements.append(ghost)
    wrong.spurious.add(ghost["id"])
    return wrong


def verify(tab: SimulatedTab, record: Record, planted: Planted, *, submit: bool = True) -> None:
    """Go through the elements as a careful person does; without ``submit``, stop half-way."""
    tab.do("opened", after_s=(0, 1), session="demo")
    candidate = record["candidates"][0]
    tab.do("page_viewed", via="given", **candidate)
    elements = record["elements"]
    for number, element in enumerate(elements, start=1):
        if not submit and number > len(elements) // 2:
            return
        box = f"e{number}"
        right = planted.right.get(element["id"], {})
        if element["id"] in planted.spurious:
            tab.do("box_deleted", after_s=(2, 6), box=box)
        elif "rect" in right:
            tab.do("box_moved", after_s=(3, 9), box=box, rect=right["rect"])
        elif "label" in right:
            tab.do("box_labelled", after_s=(2, 5), box=box, label=right["label"])
        elif "content" in right:
            tab.do("box_content_edited", after_s=(5, 20), box=box, content=right["content"])
        else:
            tab.do("box_accepted", after_s=(1, 4), box=box)
    for number, missed in enumerate(planted.missed, start=1):
        tab.do(
            "box_drawn",
            after_s=(4, 12),
            box=f"demo-b{number}",
            rect=missed["rect"],
            label=missed["label"],
            **candidate,
        )
        tab.do(
            "box_content_edited",
            after_s=(5, 20),
            box=f"demo-b{number}",
            content=missed["content"],
        )
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def chart_tasks(demo: Demo) -> list[Record]:
    """Charts with what a model read from them: a misread point, a missing and an invented one."""
    chart_rows = []
    for name, anchor, title, unit, points in demo.charts:
        page = demo.documents[name].anchors[anchor]
        rows = [
            {"id": f"d{n}", "labels": f"{label}; {unit}", "value": f"{value:g}", "tolerance": "0.5"}
            for n, (label, value) in enumerate(points.items(), start=1)
        ]
        rows[1]["value"] = f"{list(points.values())[1] * 1.1:.1f}"
        rows[3] = {"id": "d9", "labels": f"total; {unit}", "value": "100", "tolerance": "0.5"}
        chart_rows.append(
            {
                "id": f"chart-{anchor}",
                "question": f"Check the data points of the chart on {title}.",
                "candidates": [{"document": name, "page": page}],
                "data_points": rows,
                "gold_points": [
                    [f"{label}; {unit}", f"{value:g}"] for label, value in points.items()
                ],
            }
        )
    return chart_rows


def read_chart(tab: SimulatedTab, record: Record) -> None:
    """Correct the points of a chart one by one."""
    tab.do("opened", after_s=(0, 1), session="demo")
    tab.do("page_viewed", via="given", **record["candidates"][0])
    gold = dict(record["gold_points"])
    for number, row in enumerate(record["data_points"], start=1):
        name = {"field": "data_points", "row": f"r{number}"}
        right = gold.pop(row["labels"], None)
        if right is None:
            tab.do("row_deleted", after_s=(3, 9), **name)
        elif right == row["value"]:
            tab.do("row_set", after_s=(2, 6), values={"verdict": "right"}, **name)
        else:
            values = {"value": right, "verdict": "corrected"}
            tab.do("row_set", after_s=(4, 12), values=values, **name)
    for number, (labels, value) in enumerate(gold.items(), start=1):
        values = {"labels": labels, "value": value, "tolerance": "0.5", "verdict": "corrected"}
        tab.do(
            "row_set", after_s=(6, 15), field="data_points", row=f"demo-r{number}", values=values
        )
    tab.do("field_set", field="readable", value="yes")
    tab.do("submitted", after_s=(2, 6), outcome="completed")


def patch_tasks(demo: Demo, services: Services) -> list[Record]:
    """Proposed changes of transcripts; some of them make a right line wrong."""
    rows = []
    for name, anchor in ((WATER, "promises"), (WATER, "accounts")):
        page = demo.documents[name].anchors[anchor]
        lines = [
            line.strip()
            for line in services.corpus.page_text(name, page).splitlines()
            if len(line.split()) >= 5
        ]
        patches = []
        for number, line in enumerate(lines[:6], start=1):
            worse = line.replace("e", "c", 1).replace("1", "l", 1)
            old, new = (worse, line) if number % 3 else (line, worse)
            patches.append({"id": f"t{number}", "old": old, "new": new})
        rows.append(
            {
                "id": f"patches-{anchor}",
                "question": f"Approve or reject the changes proposed for page {page} of {name}.",
                "candidates": [{"document": name, "page": page}],
                "patches": patches,
            }
        )
    return rows


def decide(tab: SimulatedTab, record: Record) -> None:
    """Approve what makes a line right, reject what makes it wrong."""
    tab.do("opened", after_s=(0, 1), session="demo")
    tab.do("page_viewed", via="given", **record["candidates"][0])
    for number, _ in enumerate(record["patches"], start=1):
        values = {"decision": "approve" if number % 3 else "reject"}
        tab.do("row_set", after_s=(3, 9), field="patches", row=f"r{number}", values=values)
    tab.do("submitted", after_s=(2, 6), outcome="completed")
