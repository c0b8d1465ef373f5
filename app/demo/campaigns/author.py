"""Briefs for new questions, and a person who writes some."""

from __future__ import annotations

from pagetrail.app.demo.corpus import BUDGET, HOSPITAL, RAIL, WATER, Demo, Record
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.workspace.question_checks import check_question

_BRIEFS = (
    (
        WATER,
        "The annual report of Tarn Valley Water: leakage and burst mains, reservoirs, prices, "
        "what was promised to customers and what was kept.",
        "numerical",
        "question",
    ),
    (
        RAIL,
        "Two annual reports of Northfield Rail Group: punctuality by line, fleet and depots, pay, "
        "accounts. Questions that need both editions are wanted.",
        "compare-contrast",
        "question",
    ),
    (
        BUDGET,
        "The borough's budget: where the money comes from, what it is spent on, what changed.",
        "enumerative",
        "instruction",
    ),
    (
        HOSPITAL,
        "A hospital's report on quality: waiting times, infections, staff, complaints.",
        "boolean",
        "keyword",
    ),
)


def briefs() -> list[Record]:
    """What to write about, with the type and the format asked for."""
    return [
        {
            "id": f"brief-{number:02d}",
            "question": f"Write a question whose answer is in {document}.",
            "summary": summary,
            "query_type": kind,
            "query_format": form,
            "language": "en",
        }
        for number, (document, summary, kind, form) in enumerate(_BRIEFS, start=1)
    ]


def write(tab: SimulatedTab, demo: Demo, *, submit: bool = True) -> None:
    """Search, read, write a question with its answer and evidence, check it, submit it."""
    page = demo.documents[WATER].anchors["bursts"]
    tab.do("opened", after_s=(0, 1), session="demo")
    tab.search("burst mains")
    tab.do("page_viewed", document=WATER, page=page, via="document")
    draft = "How many burst mains did Tarn Valley Water repair in 2021, as the chart on this page"
    tab.do("question_edited", after_s=(20, 60), text=f"{draft} shows?")
    tab.do("citation_added", after_s=(4, 12), document=WATER, page=page)
    tab.do("answer_edited", after_s=(6, 20), text="1790")
    check_question(tab.services, tab.person, tab.attempt_id, {})
    if not submit:
        return
    better = "How many burst mains did Tarn Valley Water repair in 2021?"
    tab.do("question_edited", after_s=(8, 30), text=better)
    for field, value in (
        ("hop", "single"),
        ("query_type", "numerical"),
        ("query_format", "question"),
        ("modality", ("artifacts",)),
        ("difficulty", "medium"),
    ):
        tab.do("field_set", after_s=(2, 6), field=field, value=value)
    check_question(tab.services, tab.person, tab.attempt_id, {})
    tab.do("submitted", after_s=(2, 6), outcome="answered")
