"""Questions on the utility, the borough, the hospital, a survey, a policy and a brochure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scripts.demo_documents import (
    brochure,
    budget,
    hospital,
    insurance,
    minutes,
    survey_slides,
    water_annual,
    water_sustainability,
)
from scripts.demo_documents.book import Built
from scripts.demo_documents.questions_northfield import EDITIONS
from scripts.demo_documents.records import Place, Record, ask

_At = Callable[[str, str], Place]
ANNUAL, SUSTAINABILITY = water_annual.NAME, water_sustainability.NAME


def public_questions(built: Mapping[str, Built]) -> list[Record]:
    """Questions on one page, on several, and across documents."""

    def at(name: str, anchor: str) -> Place:
        return name, built[name].anchors[anchor]

    return [*_water(at), *_town(at), *_hospital(at), *_trade(at)]


def _water(at: _At) -> list[Record]:
    kind = {"category": "Annual report", "domain": "Utilities"}
    return [
        ask("water-01", "By how many million litres a day did the leakage of Tarn Valley Water "
            "fall between 2020 and 2024?", ["14.2"], [at(ANNUAL, "leakage")],
            modality=["Chart"], query_type="numerical", **kind),
        ask("water-02", "In which year between 2020 and 2024 did Tarn Valley Water repair the most "
            "burst mains, and how many?", ["2022", "2084"], [at(ANNUAL, "bursts")],
            modality=["Chart"], **kind),
        ask("water-03", "Which of its commitments to customers did Tarn Valley Water miss in 2024?",
            ["Supply interruptions", "Pollution incidents", "Smart meters fitted"],
            [at(ANNUAL, "promises")], modality=["Table"], query_type="enumerative", **kind),
        ask("water-04", "What did power cost Tarn Valley Water in 2024 in million pounds, and how "
            "many GWh of electricity did its works use?", ["34.9", "248"],
            [at(ANNUAL, "accounts"), at(SUSTAINABILITY, "mix")], query_type="multi-hop", **kind),
        ask("water-05", "Who received the higher total pay for 2024, the chief executive of "
            "Northfield Rail Group or that of Tarn Valley Water, and by how many thousand pounds?",
            ["Northfield Rail Group", "799"], [at(EDITIONS[2024], "pay"), at(ANNUAL, "pay")],
            query_type="compare-contrast", **kind),
        ask("water-06", "Which receiving water took the most storm overflow spills of Tarn Valley "
            "Water in 2024, and how many?", ["Marle Water", "731"],
            [at(SUSTAINABILITY, "spills")], category="Sustainability report",
            domain="Utilities"),
        ask("water-07", "What share of the electricity of Tarn Valley Water in 2024 was wind power "
            "that it bought?", ["28%"], [at(SUSTAINABILITY, "mix")], modality=["Chart"],
            category="Sustainability report", domain="Utilities"),
        ask("water-08", "What did it cost Tarn Valley Water to build the floating solar array on "
            "the Skelder Beck reservoir?", [], [], unanswerable=True,
            category="Sustainability report", domain="Utilities"),
    ]


def _town(at: _At) -> list[Record]:
    kind = {"category": "Budget", "domain": "Local government"}
    town, committee = budget.NAME, minutes.NAME
    return [
        ask("town-01", "What does a garden waste bin cost a resident of Harrowmere a year from "
            "April 2025?", ["£52.00"], [at(town, "fees")], modality=["Table"], **kind),
        ask("town-02", "The Leader of Harrowmere council names a housing scheme as the answer to "
            "homelessness. What is to be spent on it over three years, in thousands of pounds?",
            ["21,900"], [at(town, "foreword"), at(town, "capital")], query_type="multi-hop",
            **kind),
        ask("town-03", "Which proposal among the savings in the Harrowmere budget for 2025/26 was "
            "judged to have a considerable effect on residents?",
            ["Mobile library replaced by book lockers"], [at(town, "savings")], **kind),
        ask("town-04", "How much was Harrowmere to apply for from its climate fund for heating the "
            "market hall, and what will that fund hold on 31 March 2026, in thousands of pounds?",
            ["£20,000", "2,510"], [at(committee, "offers"), at(town, "reserves")],
            query_type="multi-hop", **kind),
        ask("town-05", "Whose applications for tables on the pavement did the Town Centre "
            "Committee refuse or defer in January 2025?", ["The Gilded Pike", "Café Orla"],
            [at(committee, "licences")], category="Minutes", domain="Local government"),
        ask("town-06", "Which bidder for heating the market hall in Harrowmere offered the lowest "
            "price?", ["Corvane Energy"], [at(committee, "offers")], modality=["Table"],
            category="Minutes", domain="Local government"),
        ask("town-07", "What percentage of people in Harrowmere who never take the bus say that it "
            "does not go where they are going?", ["38%"], [at(survey_slides.NAME, "reasons")],
            modality=["Chart"], category="Slides", domain="Transport"),
        ask("town-08", "Of users of which mode of transport in Harrowmere is the share that is "
            "discontent or very discontent highest, and what is that share?", ["Bus", "38%"],
            [at(survey_slides.NAME, "satisfied")], modality=["Table"], category="Slides",
            domain="Transport"),
        ask("town-09", "Which research firm will carry out the Harrowmere travel survey of 2026, "
            "and at what fee?", [], [], unanswerable=True, category="Slides",
            domain="Transport"),
    ]


def _hospital(at: _At) -> list[Record]:
    kind = {"category": "Quality report", "domain": "Health"}
    name = hospital.NAME
    return [
        ask("care-01", "On which ward of St Brannoc's Hospital was hand hygiene lowest in 2024?",
            ["Cedar"], [at(name, "wards")], modality=["Table"], **kind),
        ask("care-02", "In which month of 2024 did the emergency department of St Brannoc's "
            "Hospital see the largest share of people within four hours?", ["July"],
            [at(name, "fourhours")], modality=["Chart"], **kind),
        ask("care-03", "Which outcomes of treatment at St Brannoc's Hospital were worse than the "
            "national median in 2024?",
            ["Bowel cancer: treated within 62 days", "Major bleeding after birth"],
            [at(name, "outcomes")], query_type="enumerative", **kind),
    ]


def _trade(at: _At) -> list[Record]:
    policy, bikes = insurance.NAME, brochure.NAME
    return [
        ask("trade-01", "What is to be paid for the year, tax included, for the Wrenfield Mutual "
            "policy on 17 Saddler’s Row?", ["£482.72"], [at(policy, "schedule")],
            category="Policy", domain="Insurance"),
        ask("trade-02", "For how much are bicycles insured in the Wrenfield Mutual policy, and up "
            "to which sum are the batteries of electric bicycles?", ["£3,200", "£600"],
            [at(policy, "schedule"), at(policy, "contents")], category="Policy",
            domain="Insurance"),
        ask("trade-03", "How many kilometres does a Martlet Heron go with two batteries, and what "
            "does the second battery cost?", ["124", "£690"],
            [at(bikes, "range"), at(bikes, "prices")], modality=["Chart", "Table"],
            category="Brochure", domain="Consumer products"),
        ask("trade-04", "Which models of Martlet cargo bicycles are driven by a belt?",
            ["Swift", "Heron"], [at(bikes, "data")], modality=["Table"], category="Brochure",
            domain="Consumer products"),
    ]
