"""Questions on the two editions of Northfield Rail Group's annual report."""

from __future__ import annotations

from collections.abc import Mapping

from scripts.demo_documents.book import Built
from scripts.demo_documents.northfield_data import LINES, YEARS
from scripts.demo_documents.records import Place, Record, ask
from scripts.demo_documents.style import num

EDITIONS = {2023: "northfield-annual-report-2023.pdf", 2024: "northfield-annual-report-2024.pdf"}


def northfield_questions(built: Mapping[str, Built]) -> list[Record]:
    """Nine questions: one page, several pages, both editions, a chart, the turned table."""

    def at(year: int, anchor: str) -> Place:
        name = EDITIONS[year]
        return name, built[name].anchors[anchor]

    def question(number: int, text: str, answers: list[str], *evidence: Place, **more: object
                 ) -> Record:
        return ask(f"rail-{number:02d}", text, answers, evidence, category="Annual report",
                   domain="Transport", **more)

    late = [line for line, share in zip(LINES, YEARS[2023].line_punctual, strict=True)
            if share < 87]
    return [
        question(
            1, "Who chaired the board of Northfield Rail Group before Marguerite Vaulx?",
            ["Sir Aldous Fenhallow"], at(2024, "chair"),
        ),
        question(
            2, "On which lines of Northfield Rail Group did fewer than 87% of trains arrive on "
            "time in 2023?", late, at(2023, "lines"),
        ),
        question(
            3, "What share of the minutes of delay did passengers cause in 2024 at Northfield "
            "Rail Group?", ["17%"], at(2024, "delay"), modality=["Chart"],
        ),
        question(
            4, "What is the continuous power, in kW, of one Class 61 battery hybrid unit?",
            ["1,800"], at(2024, "fleet"), modality=["Table"],
        ),
        question(
            5, "In which years does the fleet register of Northfield Rail Group give the next "
            "overhaul of the Class 27 railcars: in the 2023 edition, and in the 2024 edition?",
            ["2024", "2027"], at(2023, "fleet"), at(2024, "fleet"),
        ),
        question(
            6, "By how many million pounds did the budget of the Harrow Tor tunnel relining rise "
            "from the 2023 to the 2024 annual report?",
            ["8.4"], at(2023, "projects"), at(2024, "projects"), query_type="numerical",
        ),
        question(
            7, "How much did Northfield's dividend for 2024 come to in all, in millions of pounds?",
            [num(YEARS[2024].dividend_pence * 2)], at(2024, "income"),
        ),
        question(
            8, "Which target did Northfield set itself in 2023 for the lost-time injury rate, and "
            "what was the rate in 2024?",
            ["Below 2.8", f"{YEARS[2024].injuries:.2f}"], at(2023, "priorities"),
            at(2024, "signals"), modality=["Table", "Chart"],
        ),
        question(
            9, "Which directors of Northfield Rail Group missed at least one board meeting in "
            "2024 that was held while they were in office?",
            ["Rafe Okonjo-Lind", "Callum Dreghorn-Way"], at(2024, "board"),
        ),
        question(
            10, "How many passengers did Northfield Rail Group's bus division carry in 2024?",
            [], unanswerable=True,
        ),
    ]
