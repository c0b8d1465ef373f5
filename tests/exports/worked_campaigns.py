"""One worked campaign of each kind of protocol, for the tests of exports and the golden files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.tables.cells import CellText, LinesInserted
from pagetrail.annotation.tasks.page_scores import ScoredPage, TaskPageScores
from pagetrail.storage.campaigns.page_scores import store_page_scores
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign
from tests.exports.campaigns import Stage, make_stage

REPORT, ANNEX = "annual report.pdf", "b.pdf"
OPENED = ev.Opened(session="tab-1")
COMPLETED = ev.Submitted(outcome="completed")
ANSWERED = ev.Submitted(outcome="answered")


def page(number: int, document: str = REPORT) -> dict[str, Any]:
    """A page as task records name it."""
    return {"document": document, "page": number}


def task_field(name: str, value: Any) -> ev.FieldSet:
    """A field of the task is set."""
    return ev.FieldSet(field=name, value=value)


def page_field(name: str, number: int, value: Any, document: str = REPORT) -> ev.FieldSet:
    """A field of a page is set."""
    return ev.FieldSet(field=name, document=document, page=number, value=value)


def box_drawn(
    box: str,
    number: int,
    rect: tuple[float, float, float, float],
    label: str = "Text",
    document: str = REPORT,
) -> ev.BoxDrawn:
    """A box is drawn."""
    return ev.BoxDrawn(box=box, document=document, page=number, rect=rect, label=label)


def relevance(root: Path) -> Stage:
    """Two queries graded by two people who do not agree, one poor query, one not started."""
    pages = [page(1), page(2), page(1, ANNEX)]
    tasks = [
        {
            "id": "q 1",
            "question": "How many otters\nwere counted?",
            "candidates": pages,
            "evidence": [page(3)],
            "answer_variants": [["42"], ["forty-two"]],
            "query_type": ["extractive", "numerical"],
            "query_format": "question",
            "language": "english",
            "query_generator": "human",
            "source_type": "summary",
        },
        {"id": "q/2", "question": "otters rivers", "candidates": pages, "query_type": "multi-hop"},
        {"id": "q3", "question": "asdf", "candidates": pages[:1]},
        {"id": "q4", "question": "Who signed?", "candidates": pages[:1]},
    ]
    # As campaigns were before kinds of content had to match the boxes.
    protocol = with_overrides(
        preset("relevance"), {"fields.modalities.matches_boxes": False, "review.steps": 1}
    )
    stage = make_stage(root, protocol, tasks)
    good = task_field("query_quality", "good")
    stage.did(
        "q 1",
        "Ada",
        OPENED,
        good,
        page_field("relevance", 1, "2"),
        page_field("modalities", 1, ("table", "text")),
        box_drawn("b-1", 1, (71.5, 91.25, 300.75, 192.1), "Table"),
        box_drawn("b-2", 1, (10, 10, 60, 60)),
        ev.BoxDeleted(box="b-2"),
        ev.Undone(document=REPORT, page=1, change="c0107"),
        ev.BoxDeleted(box="b-2"),
        page_field("relevance", 2, "1"),
        page_field("modalities", 2, ("chart",)),
        box_drawn("b-3", 2, (0, 0, 792, 612), "Chart"),
        page_field("relevance", 1, "0", ANNEX),
        ev.AnswerEdited(text="Forty-two otters"),
        ANSWERED,
    )
    stage.did(
        "q 1",
        "Grace",
        OPENED,
        good,
        page_field("relevance", 1, "1"),
        page_field("modalities", 1, ("text",)),
        box_drawn("b-1", 1, (80, 100, 290, 180)),
        page_field("relevance", 2, "0"),
        page_field("relevance", 1, "0", ANNEX),
        ev.AnswerEdited(text="42 otters"),
        ANSWERED,
    )
    stage.did(
        "q/2",
        "Ada",
        OPENED,
        good,
        page_field("relevance", 1, "0"),
        page_field("relevance", 2, "0"),
        page_field("relevance", 1, "1", ANNEX),
        page_field("modalities", 1, ("image",), ANNEX),
        box_drawn("b-1", 1, (20.01, 79.99, 120, 140), "Image", ANNEX),
        ev.Submitted(outcome="unanswerable"),
    )
    stage.did("q/2", "Grace", OPENED, ev.Skipped(reason="page unreadable"))
    stage.did("q3", "Ada", OPENED, task_field("query_quality", "poor"), COMPLETED)
    stage.did("q4", "Ada", OPENED, good, page_field("relevance", 1, "2"))
    return stage


def element(name: str, number: int, rect: list[float], label: str, **more: Any) -> dict[str, Any]:
    """A model's element as the importer stores it."""
    return {"id": name, "document": REPORT, "page": number, "rect": rect, "label": label, **more}


def verify(root: Path) -> Stage:
    """A page of elements: accepted, corrected in every way, deleted, added; a second person."""
    elements = [
        element("m-1", 1, [72, 92, 300, 192], "Table", content="<table></table>", order=1),
        element("m-2", 1, [72, 200, 300, 260], "Text", content="Otters <b>", order=2, score=0.75),
        element("m-3", 1, [72, 300, 300, 360], "Text", attributes={"title": "yes"}),
        element("m-4", 1, [0, 0, 612, 20], "Page-Header"),
        element("m-5", 3, [50, 751.89, 400, 791.89], "Picture"),
    ]
    tasks = [
        {
            "id": "v1",
            "question": "Verify",
            "candidates": [page(1), page(2), page(3)],
            "elements": elements,
        },
        {"id": "v2", "question": "Verify", "candidates": [page(1, ANNEX)]},
    ]
    stage = make_stage(root, preset("verify"), tasks)
    stage.did(
        "v1",
        "Ada",
        OPENED,
        ev.BoxAccepted(box="e1"),
        ev.BoxResized(box="e2", rect=(72, 200, 300, 240)),
        ev.BoxContentEdited(box="e2", content="Otters"),
        ev.BoxLabelled(box="e3", label="Picture"),
        ev.BoxOrdered(box="e3", order=3),
        ev.BoxAttributesEdited(box="e3", attributes={"title": "no"}),
        ev.BoxDeleted(box="e4"),
        ev.BoxAccepted(box="e5"),
        box_drawn("b-1", 2, (641.5, 100, 692.25, 200.5), "Page-Footer"),
        COMPLETED,
    )
    stage.did("v2", "Ada", OPENED, COMPLETED)
    stage.did(
        "v1",
        "Grace",
        OPENED,
        *(ev.BoxAccepted(box=f"e{n}") for n in range(1, 6)),
        COMPLETED,
    )
    return stage


def verify_chart(root: Path) -> Stage:
    """Data points of a chart: right, corrected, deleted and added."""
    points = [
        {"id": "p1", "labels": ["2024", "Otters"], "value": 42, "tolerance": 0.05},
        {"labels": "2025; Otters", "value": "4l"},
        {"labels": "2026", "value": "7"},
    ]
    task = {"id": "c1", "question": "Verify", "candidates": [page(1)], "data_points": points}
    stage = make_stage(root, preset("verify_chart"), [task])

    def row(name: str, **values: str) -> ev.RowSet:
        return ev.RowSet(field="data_points", row=name, values=values)

    stage.did(
        "c1",
        "Ada",
        OPENED,
        row("r1", verdict="right"),
        row("r2", value="41", verdict="corrected"),
        ev.RowDeleted(field="data_points", row="r3"),
        row("r-1", labels="2027; Otters", value="1,050 t", verdict="corrected"),
        task_field("readable", "yes"),
        COMPLETED,
    )
    return stage


def verify_transcript(root: Path) -> Stage:
    """Patches of a transcript: one approved, one rejected, one that takes a text away."""
    patches = [
        {"id": "x1", "old": "0tters", "new": "Otters"},
        {"id": "x2", "old": "here", "new": "there"},
        {"id": "x3", "old": "Page 1 of 3", "new": ""},
    ]
    task = {"id": "t1", "question": "Review", "candidates": [page(1)], "patches": patches}
    stage = make_stage(root, preset("verify_transcript"), [task])

    def row(name: str, **values: str) -> ev.RowSet:
        return ev.RowSet(field="patches", row=name, values=values)

    stage.did(
        "t1",
        "Grace",
        OPENED,
        row("r1", decision="approve"),
        row("r2", decision="reject", comment="It says here."),
        row("r3", decision="approve"),
        COMPLETED,
    )
    return stage


def verify_table(root: Path) -> Stage:
    """Two tables: one corrected, flagged and fixed by a model; one accepted as it is."""
    html = (
        '<table><tr><th rowspan="2">Otters</th><th colspan="2">2023</th></tr>'
        "<tr><th>seen</th><th>heard</th></tr><tr><td>River</td><td>12</td><td>= 4</td></tr></table>"
    )
    tasks = [
        {
            "id": key,
            "question": "Verify the table.",
            "candidates": [page(number)],
            "tables": [{"id": "t1", "html": html}],
            "model": "grid-1",
        }
        for key, number in (("p1", 1), ("p2", 3))
    ]
    stage = make_stage(root, preset("verify_table"), tasks)
    work: dict[str, Any] = {**page(1), "table": "t1", "structure": 0}
    answers = [ev.FieldSet(field=name, value="yes") for name in ("complete", "records")]
    stage.did(
        "p1",
        "Ada",
        OPENED,
        ev.TableEdited(**work, change=CellText(row=2, column=1, text="21", was="12")),
        ev.TableEdited(**work, change=LinesInserted(axis="row", at=3)),
        ev.CellFlagged(
            **work | {"structure": 1}, row=2, column=2, kind="text", note="The page says 40."
        ),
        ev.CellFlagged(**work | {"structure": 1}, kind="missing", note="A row Sea is missing."),
        *answers,
        COMPLETED,
    )
    stage.did("p2", "Grace", OPENED, *answers, COMPLETED)
    return stage


PREFILTERED = with_overrides(
    preset("relevance"),
    {
        "answer.kind": "off",
        "boxes.required": False,
        "fields.modalities.required": False,
        "prefilter.cut": 0.5,
        "prefilter.model": "filter-1",
    },
)


def prefiltered(root: Path) -> Stage:
    """Pages that a model scored: two queries with grades, one of them by two people; a third."""
    scores = TaskPageScores(
        0.5,
        [
            ScoredPage(REPORT, 1, 0.9, "above"),
            ScoredPage(REPORT, 2, 0.6, "above"),
            ScoredPage(REPORT, 3, 0.05, "below"),
            ScoredPage(ANNEX, 1, 0.1, "sampled"),
        ],
    )
    candidates = [page(1), page(2), page(1, ANNEX)]
    keys = ("q1", "q2", "q3")
    tasks = [{"id": key, "question": f"{key}?", "candidates": candidates} for key in keys]
    stage = make_stage(root, PREFILTERED, tasks)
    with write_transaction(stage.workspace.engine) as connection:
        campaign = connection.execute(select(Campaign.id)).scalar_one()
        store_page_scores(connection, campaign, dict.fromkeys(keys, scores))
    for key, person, grades in (
        ("q1", "Ada", ("2", "0", "1")),
        ("q2", "Ada", ("1", "1", "0")),
        ("q1", "Grace", ("2", "1", "0")),
    ):
        graded_pages = zip(grades, ((1, REPORT), (2, REPORT), (1, ANNEX)), strict=True)
        stage.did(
            key,
            person,
            OPENED,
            task_field("query_quality", "good"),
            *(
                page_field("relevance", number, grade, document)
                for grade, (number, document) in graded_pages
            ),
            COMPLETED,
        )
    return stage


def transcribe(root: Path) -> Stage:
    """Two pages in rounds: one goes back to its annotator, one is accepted without an edit."""
    text = "# Otters\n\nThe 0tters 🦦 are here. Total 98.\n"
    patches = [
        {"id": "x1", "at": 14, "removed": "0tters", "inserted": "Otters", "reason": "a zero"},
        {"id": "x2", "at": 27, "removed": "here", "inserted": "there", "reason": ""},
    ]
    tasks = [
        {
            "id": key,
            "question": "Correct the text.",
            "candidates": [page(number)],
            "transcript": text,
            "patches": patches,
            "model": "scribe-1",
        }
        for key, number in (("p1", 1), ("p2", 3))
    ]
    stage = make_stage(root, preset("transcribe"), tasks)
    first, second = page(1), page(3)
    accepted_text = text.replace("0tters", "Otters").replace("98", "89")
    digest = text_hash(accepted_text)
    proposed = ev.ProposedPatch(id="r2-1", at=23, removed="are", inserted="were", reason="past")
    stage.did(
        "p1",
        "Ada",
        OPENED,
        ev.PatchDecided(**first, patch="x1", decision="accepted"),
        ev.PatchDecided(**first, patch="x2", decision="rejected"),
        ev.TextEdited(**first, edits=(ev.TextEdit(at=39, removed="98", inserted="89"),)),
        COMPLETED,
        ev.RoundStarted(number=2, model="scribe-2"),
        ev.PatchesGiven(**first, round=2, text_sha256=digest, patches=(proposed,)),
        OPENED,
        ev.PatchDecided(**first, patch="r2-1", decision="rejected"),
        ev.NoteEdited(text="The page says are."),
        COMPLETED,
    )
    stage.did(
        "p2",
        "Ada",
        OPENED,
        ev.PatchDecided(**second, patch="x1", decision="accepted"),
        ev.TextEdited(**second, edits=(ev.TextEdit(at=27, removed="here", inserted="there"),)),
        COMPLETED,
    )
    stage.did(
        "p1",
        "Grace",
        OPENED,
        ev.PatchesDecided(**first, patches=("x1", "x2"), decision="rejected"),
        COMPLETED,
    )
    return stage


def compared_tables(root: Path) -> Stage:
    """Two tables of a page, corrected by two people, of whom the second submitted last."""
    tables = [
        {
            "id": "counts",
            "html": "<table><tr><th>River</th><th>2003</th><th>2004</th></tr>"
            "<tr><td>Saale</td><td>1O</td><td>12</td></tr>"
            "<tr><td>Unstrut</td><td>20</td><td>=24</td></tr></table>",
        },
        {"id": "notes", "html": "<table><tr><th colspan=2>Notes</th></tr>"
         "<tr><td>a</td><td>estimated &lt;b&gt;</td></tr></table>"},
    ]  # fmt: skip
    task = {"id": "g1", "question": "Verify", "candidates": [page(1)], "tables": tables}
    stage = make_stage(root, preset("verify_table"), [task])
    place = {**page(1), "table": "counts", "structure": 0}

    def cell(row: int, column: int, was: str, text: str) -> ev.TableEdited:
        change = {"kind": "text", "row": row, "column": column, "was": was, "text": text}
        return ev.TableEdited.model_validate({**place, "change": change})

    answers = (task_field("complete", "yes"), task_field("records", "yes"))
    stage.did("g1", "Ada", OPENED, cell(1, 1, "1O", "10"), *answers, COMPLETED)
    stage.did(
        "g1",
        "Grace",
        OPENED,
        cell(1, 1, "1O", "10"),
        cell(0, 2, "2004", "2005"),
        *answers,
        COMPLETED,
    )
    return stage


REVIEW = ("self_contained", "human_like", "question_factual", "response_factual", "complete")


def qa_review(root: Path) -> Stage:
    """Three people on two pairs: they disagree on one field and one page of the first."""
    tasks = [
        {
            "id": key,
            "question": "How many otters?",
            "response": "Forty-two.",
            "evidence": [page(1), page(2)],
        }
        for key in ("r1", "r2")
    ]
    people = ("Ada", "Grace", "Mary")
    stage = make_stage(root, preset("qa_review"), tasks, people)
    for key in ("r1", "r2"):
        for person in people if key == "r1" else people[:2]:
            is_dissenting = key == "r1" and person == "Mary"
            stage.did(
                key,
                person,
                OPENED,
                *(
                    task_field(n, "no" if is_dissenting and n == "complete" else "yes")
                    for n in REVIEW
                ),
                page_field("source_required", 1, "required"),
                page_field("source_required", 2, "not_required" if is_dissenting else "required"),
                COMPLETED,
            )
    return stage


def judge(root: Path) -> Stage:
    """Predictions of two systems, judged by two people without seeing whose they are."""
    tasks = [
        {
            "id": f"q1#{n}",
            "question": "How many otters?",
            "answer_variants": [["42"]],
            "evidence": [page(1)],
            "prediction": {"system": system, "answer": answer},
        }
        for n, (system, answer) in enumerate([("model-b", "42"), ("model-a", "some")], start=1)
    ]
    stage = make_stage(root, preset("judge"), tasks)
    stage.did("q1#1", "Ada", OPENED, task_field("verdict", "correct"), COMPLETED)
    stage.did("q1#1", "Grace", OPENED, task_field("verdict", "correct"), COMPLETED)
    stage.did(
        "q1#2",
        "Ada",
        OPENED,
        task_field("verdict", "partial"),
        task_field("issue", "verbosity"),
        COMPLETED,
    )
    stage.did(
        "q1#2",
        "Grace",
        OPENED,
        task_field("issue", None),
        task_field("verdict", "incorrect"),
        task_field("issue", "wrong_content"),
        COMPLETED,
    )
    return stage


def author(root: Path) -> Stage:
    """Questions written by two people on the same brief, and one brief skipped."""
    brief = {
        "question": "Write a question about otters.",
        "summary": "Otters are counted each year.",
        "domain": "Wildlife",
        "document_category": "Report",
        "query_type": "numerical",
        "language": "english",
    }
    tasks = [{"id": "w1", **brief}, {"id": "w2", **brief}]
    protocol = with_overrides(preset("author"), {"question.checks": True})
    stage = make_stage(root, protocol, tasks)
    finding = Finding(check="giveaway", status="warning", message="Gives away.", words=("page",))
    for person, pages in (("Ada", (1, 2)), ("Grace", (2,))):
        stage.did(
            "w1",
            person,
            OPENED,
            *(ev.CitationAdded(document=REPORT, page=n) for n in pages),
            ev.QuestionEdited(text=f"How many otters did {len(pages)} rivers have?"),
            ev.AnswerEdited(text="42\nforty-two"),
            task_field("hop", "comparison" if len(pages) > 1 else "single"),
            task_field("query_format", "question"),
            ev.Checked(at_seq=6 + len(pages), findings=(finding,)),
            ANSWERED,
        )
    stage.did("w2", "Ada", OPENED, ev.Skipped(reason="nothing to ask"))
    return stage


SCENES: dict[str, Callable[[Path], Stage]] = {
    "relevance": relevance,
    "verify": verify,
    "verify_chart": verify_chart,
    "verify_transcript": verify_transcript,
    "transcribe": transcribe,
    "compared_tables": compared_tables,
    "verify_table": verify_table,
    "qa_review": qa_review,
    "judge": judge,
    "author": author,
}
