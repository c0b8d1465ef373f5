"""Pages to grade for a query, and people who grade, name modalities and draw boxes."""

from __future__ import annotations

from random import Random
from typing import Any

from pagetrail.app.demo.campaigns.layout import lines_with
from pagetrail.app.demo.corpus import Demo, NumberedPage, Record
from pagetrail.app.demo.simulated_work import SimulatedTab

QUESTION_IDS = ("water-01", "water-03", "rail-01", "form-02", "water-04")
FIRST_CANDIDATES = 30
CANDIDATES = 7
SCORED = 40
_MODALITIES = {"Chart": "chart", "Table": "table", "Form": "other", "Image": "image"}


def relevance_tasks(demo: Demo) -> list[Record]:
    """Questions with candidate pages: the gold ones among others; the first with thirty."""
    by_id = {row["id"]: row for row in demo.questions}
    questions = [by_id[key] for key in QUESTION_IDS if key in by_id]
    rows = [
        {
            **row,
            "candidates": _candidates(demo, row, FIRST_CANDIDATES if index == 0 else CANDIDATES),
        }
        for index, row in enumerate(questions)
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


def scored_tasks(demo: Demo) -> list[Record]:
    """Questions whose pages a model scored, most gold pages high; grades decide what it missed."""
    rows: list[Record] = []
    for row in relevance_tasks(demo)[1:-1]:
        gold = {(page["document"], page["page"]) for page in row["evidence"]}
        pages = _candidates(demo, row, SCORED)
        rng = Random(row["id"])
        scores = [
            {
                **page,
                "score": round(
                    rng.betavariate(6, 2)
                    if (page["document"], page["page"]) in gold
                    else rng.betavariate(1, 4),
                    3,
                ),
            }
            for page in pages
        ]
        rest = {name: value for name, value in row.items() if name != "candidates"}
        rows.append({**rest, "id": f"scored-{row['id']}", "page_scores": scores})
    return rows


def _candidates(demo: Demo, row: Record, count: int) -> list[dict[str, Any]]:
    """The gold pages among their neighbours and pages of other documents, in a fixed order."""
    gold: list[NumberedPage] = [(page["document"], page["page"]) for page in row["evidence"]]
    pages = set(gold)
    for distance in range(1, 40):
        for document, page in gold:
            for neighbour in (page - distance, page + distance):
                if len(pages) < count and 1 <= neighbour <= demo.documents[document].pages:
                    pages.add((document, neighbour))
    for name in sorted(demo.documents):
        for page in range(1, demo.documents[name].pages + 1):
            if len(pages) < count:
                pages.add((name, page))
    return [{"document": name, "page": page} for name, page in sorted(pages)]


def grade(tab: SimulatedTab, record: Record, *, accuracy: float, submit: bool = True) -> None:
    """Do a task: quality, then grade, modalities and boxes of each page, then the answer.

    Args:
        accuracy: 0–1, the chance to see a page as the gold does.
        submit: False stops half-way.
    """
    tab.do("opened", after_s=(0, 1), session="demo")
    gold = {(page["document"], page["page"]) for page in record["evidence"]}
    if not gold:
        tab.do("field_set", after_s=(6, 20), field="query_quality", value="poor")
        tab.do("submitted", after_s=(2, 6), outcome="completed")
        return
    tab.do("field_set", after_s=(5, 15), field="query_quality", value="good")
    pages = record["candidates"]
    for number, page in enumerate(pages, start=1):
        if not submit and number > len(pages) // 2:
            return
        tab.do("page_viewed", after_s=(2, 10), via="given" if number == 1 else "next", **page)
        relevant = (page["document"], page["page"]) in gold
        if tab.rng.random() > accuracy:
            relevant = not relevant and tab.rng.random() < 0.25
        value = "0" if not relevant else "2" if len(gold) == 1 else "1"
        tab.do("field_set", after_s=(2, 8), field="relevance", value=value, **page)
        if relevant:
            _mark(tab, record, page)
    answers = record["answer_variants"][0]
    tab.do("answer_edited", after_s=(8, 30), text=", ".join(answers))
    tab.do("submitted", after_s=(2, 6), outcome="answered")


def _mark(tab: SimulatedTab, record: Record, page: dict[str, Any]) -> None:
    """Name the modality and draw a box around the lines that hold the answer."""
    modalities = (_MODALITIES.get(name) for name in record.get("modality", []))
    modality = next((name for name in modalities if name), "text")
    tab.do("field_set", field="modalities", value=[modality], **page)
    info = tab.services.corpus.document(page["document"])
    assert info is not None
    words = tab.services.images.words(info.sha256, page["page"])
    answers = " ".join(record["answer_variants"][0]).split()
    size = info.pages[page["page"] - 1]
    rect = lines_with(words, answers) or (40.0, 80.0, size.width - 40, size.height / 2)
    slip = [round(tab.rng.uniform(-4, 4), 2) for _ in range(4)]
    x0, y0, x1, y1 = (value + shift for value, shift in zip(rect, slip, strict=True))
    padded = [max(0.0, x0 - 6), max(0.0, y0 - 6), min(size.width, x1 + 6), min(size.height, y1 + 6)]
    tab.do(
        "box_drawn",
        after_s=(4, 15),
        box=f"demo-{page['page']}-{len(page['document'])}",
        rect=[round(value, 2) for value in padded],
        label=modality.capitalize(),
        **page,
    )
