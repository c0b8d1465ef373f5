"""Pages to grade for a query, and people who grade, name modalities and draw boxes."""

from __future__ import annotations

from typing import Any

from pagetrail.app.demo.campaigns.layout import around
from pagetrail.app.demo.corpus import Demo, Place, Record
from pagetrail.app.demo.simulated_work import SimulatedTab

WANTED = ("water-01", "water-03", "rail-01", "form-02", "water-04")
MANY = 30
FEW = 7
_MODALITIES = {"Chart": "chart", "Table": "table", "Form": "other", "Image": "image"}


def relevance_tasks(demo: Demo) -> list[Record]:
    """Questions with candidate pages: the gold ones among others; the first with thirty."""
    by_id = {row["id"]: row for row in demo.questions}
    chosen = [by_id[key] for key in WANTED if key in by_id]
    rows = [
        {**row, "candidates": _candidates(demo, row, MANY if place == 0 else FEW)}
        for place, row in enumerate(chosen)
    ]
    rows.append(
        {
            "id": "query-poor",
            "question": "it how much was the other one 2024 ??",
            "candidates": rows[1]["candidates"][:3],
            "answer_variants": [],
            "evidence": [],
            "query_format": "keyword",
            "language": "en",
        }
    )
    return rows


def _candidates(demo: Demo, row: Record, count: int) -> list[dict[str, Any]]:
    """The gold pages among their neighbours and pages of other documents, in a fixed order."""
    gold: list[Place] = [(place["document"], place["page"]) for place in row["evidence"]]
    pages = set(gold)
    for away in range(1, 40):
        for document, page in gold:
            for near in (page - away, page + away):
                if len(pages) < count and 1 <= near <= demo.documents[document].pages:
                    pages.add((document, near))
    for name in sorted(demo.documents):
        for page in range(1, demo.documents[name].pages + 1):
            if len(pages) < count:
                pages.add((name, page))
    return [{"document": name, "page": page} for name, page in sorted(pages)]


def grade(tab: SimulatedTab, record: Record, *, care: float, submit: bool = True) -> None:
    """Do a task: quality, then grade, modalities and boxes of each page, then the answer.

    Args:
        care: 0–1, the chance to see a page as the gold does.
        submit: False stops half-way.
    """
    tab.do("opened", after_s=(0, 1), session="demo")
    gold = {(place["document"], place["page"]) for place in record["evidence"]}
    if not gold:
        tab.do("field_set", after_s=(6, 20), field="query_quality", value="poor")
        tab.do("submitted", after_s=(2, 6), outcome="completed")
        return
    tab.do("field_set", after_s=(5, 15), field="query_quality", value="good")
    pages = record["candidates"]
    for number, place in enumerate(pages, start=1):
        if not submit and number > len(pages) // 2:
            return
        tab.do("page_viewed", after_s=(2, 10), via="given" if number == 1 else "next", **place)
        relevant = (place["document"], place["page"]) in gold
        if tab.rng.random() > care:
            relevant = not relevant and tab.rng.random() < 0.25
        value = "0" if not relevant else "2" if len(gold) == 1 else "1"
        tab.do("field_set", after_s=(2, 8), field="relevance", value=value, **place)
        if relevant:
            _mark(tab, record, place)
    answers = record["answer_variants"][0]
    tab.do("answer_edited", after_s=(8, 30), text=", ".join(answers))
    tab.do("submitted", after_s=(2, 6), outcome="answered")


def _mark(tab: SimulatedTab, record: Record, place: dict[str, Any]) -> None:
    """Name the modality and draw a box around the lines that hold the answer."""
    named = (_MODALITIES.get(name) for name in record.get("modality", []))
    modality = next((name for name in named if name), "text")
    tab.do("field_set", field="modalities", value=[modality], **place)
    info = tab.services.corpus.document(place["document"])
    assert info is not None
    words = tab.services.images.words(info.sha256, place["page"])
    answers = " ".join(record["answer_variants"][0]).split()
    size = info.pages[place["page"] - 1]
    rect = around(words, answers) or (40.0, 80.0, size.width - 40, size.height / 2)
    slip = [round(tab.rng.uniform(-4, 4), 2) for _ in range(4)]
    x0, y0, x1, y1 = (value + shift for value, shift in zip(rect, slip, strict=True))
    drawn = [max(0.0, x0 - 6), max(0.0, y0 - 6), min(size.width, x1 + 6), min(size.height, y1 + 6)]
    tab.do(
        "box_drawn",
        after_s=(4, 15),
        box=f"demo-{place['page']}-{len(place['document'])}",
        rect=[round(value, 2) for value in drawn],
        label=modality.capitalize(),
        **place,
    )
