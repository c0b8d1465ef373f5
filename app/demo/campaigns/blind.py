"""Summaries to write questions from, and variants of questions to check."""

from __future__ import annotations

from pagetrail.app.demo.corpus import BUDGET, HOSPITAL, RAIL, WATER, Record
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.workspace.question_checks import check_question

_SUMMARIES = (
    (
        WATER,
        "A water company reports on a year: less leakage, more burst mains after a cold winter, "
        "new meters, and commitments to customers of which some were missed.",
    ),
    (
        RAIL,
        "A railway group's annual report. Punctuality differs between lines; the oldest trains "
        "were withdrawn; pay rose; the board has a new chair.",
    ),
    (
        BUDGET,
        "A borough plans its budget for the next year: grants fall, council tax rises, and adult "
        "social care takes the largest share.",
    ),
    (
        HOSPITAL,
        "A hospital's report on quality compares waiting times, infections and complaints with "
        "the year before, and says what it will improve.",
    ),
)

_ORIGINALS = {
    "water-01": (
        "By how many million litres a day did the leakage of Tarn Valley Water fall between 2020 "
        "and 2024?",
        {
            "de": "Um wie viele Millionen Liter pro Tag sank die Leckage von Tarn Valley Water "
            "zwischen 2020 und 2024?",
            "obscured": "How much less water did the Tarn valley's supplier lose daily in 2024 "
            "than four years earlier?",
        },
    ),
    "rail-01": (
        "Who chaired the board of Northfield Rail Group before Marguerite Vaulx?",
        {
            "de": "Wer war vor Marguerite Vaulx Vorsitzender von Northfield Rail Group?",
            "obscured": "Whom did Marguerite Vaulx succeed at the head of the train operator?",
        },
    ),
}

_QUESTIONS = (
    "How did the number of burst mains change in the year of the cold winter?",
    "missed commitments to customers water company",
)


def summaries() -> list[Record]:
    """What to write about, and one page image; type and format are drawn."""
    rows: list[Record] = [
        {
            "id": f"summary-{number:02d}",
            "question": "Write one question that a reader of this document might ask.",
            "summary": summary,
            "source_documents": [document],
            "language": "en",
        }
        for number, (document, summary) in enumerate(_SUMMARIES, start=1)
    ]
    image = {
        "id": "image-01",
        "question": "Write one question about what this page shows.",
        "description": "A page of a water company's report, with a chart and a short text.",
        "candidates": [{"document": WATER, "page": 4}],
        "language": "en",
    }
    return [*rows, image]


def variants() -> list[Record]:
    """A translation and an obscured wording of two questions."""
    return [
        {
            "id": f"{key}-{name}",
            "question": text,
            "variant_of": key,
            "variant": "translation" if name == "de" else name,
            "original": original,
            "language": name if name == "de" else "en",
        }
        for key, (original, wordings) in _ORIGINALS.items()
        for name, text in wordings.items()
    ]


def write_blind(tab: SimulatedTab, *, submit: bool = True) -> None:
    """Write a question from what the task shows."""
    tab.do("opened", after_s=(0, 1), session="demo")
    tab.do("question_edited", after_s=(30, 90), text=tab.rng.choice(_QUESTIONS))
    check_question(tab.services, tab.person, tab.attempt_id, {})
    if submit:
        tab.do("submitted", after_s=(3, 9), outcome="completed")


def check_variant(tab: SimulatedTab, record: Record) -> None:
    """Correct a German text, leave others; then answer the two questions about it."""
    tab.do("opened", after_s=(0, 1), session="demo")
    if record["id"] == "rail-01-de":
        text = "Wer leitete vor Marguerite Vaulx den Verwaltungsrat von Northfield Rail Group?"
        tab.do("question_edited", after_s=(20, 60), text=text)
    for field in ("same_answer", "natural"):
        tab.do("field_set", after_s=(4, 15), field=field, value="yes")
    tab.do("submitted", after_s=(2, 6), outcome="completed")
