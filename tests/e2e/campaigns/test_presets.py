"""Every preset from its first key to its exports: one scripted journey each, on the demo's tasks.

Details of each screen have tests of their own; here it counts that the parts fit together. What
nora does in the browser is compared with her stored events, and these with the exported files.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pagetrail.app.demo.build import ASSISTED, ORACLE
from pagetrail.app.demo.campaigns import build
from pagetrail.app.demo.corpus import RAIL, WATER
from pagetrail.storage.corpus.documents import Corpus
from tests.e2e.support.drawing import Sheet
from tests.e2e.support.form_steps import take_box_tool
from tests.e2e.support.journeys import (
    DPI,
    NORA,
    Site,
    cite,
    film,
    find,
    load,
    rows,
    values_set,
)
from tests.e2e.support.screen import Screen, of_type
from tests.exports.trajectory_files import read_trajectories

A_PIXEL = 72 / DPI
"""Of an exported page image, points."""


def sheet_of(site: Site, screen: Screen, document: str, page: int) -> Sheet:
    """The open page to draw on: fitted to the pane, with snapping off."""
    screen.wait_until_painted(document, page)
    screen.part("fit-page").click()
    if screen.part("snap").get_attribute("aria-pressed") == "true":
        screen.part("snap").click()
    info = Corpus(site.workspace).document(document)
    assert info is not None
    size = info.pages[page - 1]
    return Sheet(screen, (size.width, size.height))


def test_search(site: Site) -> None:
    """Search, read on, cite, answer: the results file holds query, results, answer and page."""
    screen = site.open(ASSISTED, "trade-01")
    policy = site.record(ASSISTED, "trade-01")["evidence"][0]["document"]
    find(screen, "premium tax included", policy, 1)
    screen.part("page-next").click()
    screen.wait_until_painted(policy, 2)
    screen.part("page-previous").click()
    screen.wait_until_painted(policy, 1)
    cite(screen)
    screen.part("answer").fill("£482.72")
    attempt = screen.attempt
    events, _ = site.submit(screen)

    assert [e.type for e in of_type(events, "searched", "citation_added", "submitted")] == [
        "searched",
        "citation_added",
        "submitted",
    ]
    assert [e.fields()["via"] for e in of_type(events, "page_viewed")] == [
        "result",
        "next",
        "previous",
    ]
    (searched,) = of_type(events, "searched")
    (row,) = rows(site.export(ASSISTED, "madqa") / "by-annotator" / "nora.jsonl")
    assert (row["id"], row["answer"], row["model"]) == ("trade-01", ["£482.72"], "human:nora")
    assert [(c["file"], c["page"]) for c in row["citations"]] == [(policy, 1)]
    (history,) = row["search_history"]
    assert history["query"] == "premium tax included"
    assert history["results"] == [
        {"file": hit["file"], "page": hit["page"]} for hit in searched.fields()["results"]
    ]
    folder = site.export(ASSISTED, "trajectories")
    assert read_trajectories(folder)[attempt] == events
    (line,) = rows(folder / "attempts.jsonl", attempt_id=attempt)
    assert (line["annotator"], line["n_searches"], line["n_page_views"]) == (NORA, 1, 3)
    (gold,) = rows(site.export(ASSISTED, "gold") / "gold.jsonl", id="trade-01")
    assert gold["answer_variants"] == [["£482.72"]]


def test_oracle(site: Site) -> None:
    """The evidence is there and nothing can be searched; both pages and both answers count."""
    screen = site.open(ORACLE, "trade-02")
    pages = [(e["document"], e["page"]) for e in site.record(ORACLE, "trade-02")["evidence"]]
    expect(screen.part("search-input")).to_be_hidden()
    expect(screen.part("film")).to_have_count(2)
    for page in pages:
        film(screen, *page).click()
        screen.wait_until_painted(*page)
        cite(screen)
    screen.part("answer").fill("£3,200\n£600")
    events, state = site.submit(screen)

    assert [(c.document, c.page) for c in state.citations] == pages
    assert not of_type(events, "searched")
    assert {e.fields()["via"] for e in of_type(events, "page_viewed")} == {"given"}
    (row,) = rows(site.export(ORACLE, "madqa") / "by-annotator" / "nora.jsonl")
    assert row["answer"] == ["£3,200", "£600"]
    assert [(c["file"], c["page"]) for c in row["citations"]] == pages
    assert (row["search_history"], row["iterations"]) == ([], 1)


def test_relevance(site: Site) -> None:
    """Quality, seven grades by key, modality, a box with the mouse, answer: in all five formats."""
    screen = site.open(build.RELEVANCE, "water-03")
    keys = screen.page.keyboard
    candidates = [
        (c["document"], c["page"]) for c in site.record(build.RELEVANCE, "water-03")["candidates"]
    ]
    grades = {candidate: "2" if candidate == (WATER, 6) else "0" for candidate in candidates}
    screen.wait_until_painted(*candidates[0])
    screen.judge("y")
    for candidate, grade in grades.items():
        expect(film(screen, *candidate)).to_have_attribute("aria-current", "true")
        screen.wait_until_painted(*candidate)
        screen.judge(grade)
        expect(film(screen, *candidate)).to_have_attribute("data-grade", grade)
        if grade != "0":  # modality and box are missing: the page stays
            keys.press("ArrowRight")
    film(screen, WATER, 6).click()
    sheet = sheet_of(site, screen, WATER, 6)
    take_box_tool(screen)
    box = sheet.draw((62, 120, 530, 320))
    keys.press("2")
    expect(sheet.drawn_box(box.id)).to_have_attribute("data-label", "Table")
    screen.judge("v")  # what the box says of the page is right
    for _ in range(2):
        keys.press("Escape")
    keys.press("a")
    keys.type("Supply interruptions, pollution incidents, smart meters fitted")
    events, state = site.submit(screen)

    assert values_set(events) == [
        ("query_quality", None, "good"),
        *(("relevance", page, grade) for (_, page), grade in grades.items()),
        ("modalities", 6, ["table"]),
    ]
    (stored,) = state.boxes.boxes
    assert (stored.rect, stored.label, state.outcome) == (box.rect, "Table", "answered")

    vidore = site.export(build.RELEVANCE, "vidore")
    (me,) = rows(vidore / "annotators.parquet", name=NORA)
    nora_ratings = rows(vidore / "ratings.parquet", annotator=me["annotator"])
    assert {(r["doc_id"], r["page_number_in_doc"]): str(r["score"]) for r in nora_ratings} == grades
    (rated,) = (r for r in nora_ratings if r["score"] == 2)
    assert (rated["content_type"], rated["box_content_type"]) == (["Table"], ["Table"])
    edges = [rated["bounding_boxes"][0][edge] * A_PIXEL for edge in ("x1", "y1", "x2", "y2")]
    assert edges == pytest.approx(box.rect, abs=A_PIXEL)
    task_ratings = rows(vidore / "ratings.parquet", task_id="water-03")
    relevant_pages = [(r["doc_id"], r["page_number_in_doc"]) for r in task_ratings if r["score"]]
    assert relevant_pages.count((WATER, 6)) == 1  # hers alone, so the page is open, and unjudged
    dropped = {f"{document}#{page}" for document, page in set(candidates) - set(relevant_pages)}
    assert dropped
    qrels = (site.export(build.RELEVANCE, "trec") / "qrels.txt").read_text().splitlines()
    qrel_scores = {
        line.split()[2]: line.split()[3] for line in qrels if line.startswith("water-03 ")
    }
    assert f"{WATER}#6" not in qrel_scores
    assert {page for page, score in qrel_scores.items() if score == "0"} == dropped
    tsv = site.export(build.RELEVANCE, "beir") / "qrels" / "test.tsv"
    lines = [line.split("\t") for line in tsv.read_text().splitlines()]
    assert {page: score for task, page, score in lines if task == "water-03"} == qrel_scores
    coco = load(site.export(build.RELEVANCE, "coco") / "annotations/instances_merged.json")
    (annotation,) = (a for a in coco["annotations"] if a["annotator"] == NORA)
    x, y, width, height = (edge * A_PIXEL for edge in annotation["bbox"])
    assert (x, y, x + width, y + height) == pytest.approx(box.rect, abs=A_PIXEL)
    labels = rows(site.export(build.RELEVANCE, "labels") / "labels.jsonl", annotator=NORA)
    label_values = [(r["field"], r["page"], r["values"], r["implied"]) for r in labels]
    assert ("modalities", 6, ["table"], False) in label_values
    assert ("modalities", 8, ["na"], True) in label_values
    assert len(label_values) == 1 + 2 * len(candidates)


def test_verify(site: Site) -> None:
    """Accept, correct a class, move, delete, draw: the export is what is on the page now."""
    screen = site.open(build.VERIFY, "northfield-annual-report-2024-p11")
    elements = {
        f"e{n}": e
        for n, e in enumerate(site.record(build.VERIFY, f"{RAIL[:-4]}-p11")["elements"], 1)
    }
    keys = screen.page.keyboard
    sheet = sheet_of(site, screen, RAIL, 11)

    def pick(box: str) -> None:
        screen.part("element").and_(screen.page.locator(f"[data-id={box}]")).click()
        expect(screen.page.locator(f".box-tag.selected[data-id='{box}']")).to_have_count(1)

    pick("e1")
    screen.judge("1")
    take_box_tool(screen)
    pick("e8")
    x0, y0, x1, y1 = elements["e8"]["rect"]
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    sheet.drag(middle, (middle[0] - 14, middle[1] - 6))
    screen.has("box_moved")
    pick("e11")
    screen.judge("Delete")
    screen.has("box_deleted")
    new = sheet.draw((61, 664, 535, 692)).id
    keys.press("1")
    screen.part("element-content").fill("Capital expenditure in all was £168.2 million.")
    pick("e2")
    for number in range(2, 11):
        if number != 8:
            screen.judge("v")
    expect(screen.part("elements-count")).to_contain_text("11 of 11 checked")
    events, state = site.submit(screen)

    assert [len(e.fields()["elements"]) for e in of_type(events, "elements_seeded")] == [
        len(elements)
    ]
    boxes = {box.id: box for box in state.boxes.boxes}
    changed_verdicts = {"e1": "corrected", "e8": "corrected", "e11": "deleted", new: "added"}
    assert {name: box.verdict for name, box in boxes.items()} == {
        **dict.fromkeys(elements, "accepted"),
        **changed_verdicts,
    }
    assert boxes["e8"].rect == pytest.approx((x0 - 14, y0 - 6, x1 - 14, y1 - 6), abs=1)

    rules = load(site.export(build.VERIFY, "parsebench") / f"{RAIL[:-4]}.test.json")["test_rules"]
    by_id = {rule["id"]: rule for rule in rules}
    assert len(rules) == len(elements)  # one deleted, one added
    assert by_id[elements["e1"]["id"]]["canonical_class"] == "Text"
    assert by_id[elements["e2"]["id"]]["tags"] == ["accepted"]
    assert elements["e11"]["id"] not in by_id
    assert by_id[new]["content"]["text"] == "Capital expenditure in all was £168.2 million."
    left, top = by_id[elements["e8"]["id"]]["bbox"][:2]
    assert (left * sheet.size[0], top * sheet.size[1]) == pytest.approx((x0 - 14, y0 - 6), abs=1)
    quality = load(site.export(build.VERIFY, "model-quality") / "model_quality.json")
    nora_quality = quality["annotators"][NORA]
    assert [nora_quality[n] for n in ("given", "accepted", "corrected", "deleted", "added")] == [
        11,
        8,
        2,
        1,
        1,
    ]
    assert (nora_quality["corrected_parts"]["label"], nora_quality["corrected_parts"]["rect"]) == (
        1,
        1,
    )
    tasks = load(site.export(build.VERIFY, "labelstudio") / "tasks.json")
    (task,) = (t for t in tasks if t["data"]["document"] == RAIL)
    (model,) = task["predictions"]
    assert {r["id"] for r in model["result"]} == {e["id"] for e in elements.values()}
    results = {r["id"] for r in task["annotations"][-1]["result"]}
    assert results == set(boxes) - {"e11"} | {"annotator"}
