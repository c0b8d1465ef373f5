"""Questions on forms with ticks, a scan, a manual and a research paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scripts.demo_documents import forms, manual, paper, scans, water_sustainability
from scripts.demo_documents.book import Built
from scripts.demo_documents.questions_northfield import EDITIONS
from scripts.demo_documents.records import Place, Record, ask

_At = Callable[[str, str], Place]


def technical_questions(built: Mapping[str, Built]) -> list[Record]:
    """Questions most of which need the eye: ticks, a stamp, a drawing, figures."""

    def at(name: str, anchor: str) -> Place:
        return name, built[name].anchors[anchor]

    return [*_forms(at), *_scan(at), *_manual(at), *_paper(at)]


def _forms(at: _At) -> list[Record]:
    kind = {"category": "Form", "domain": "Administration", "modality": ["Form"]}
    return [
        ask("form-01", "Which items failed at the building inspection of Quayside Mill?",
            ["Party wall, fire stopping at roof", "Smoke detection, mezzanine"],
            [at(forms.PERMIT, "findings")], query_type="enumerative", **kind),
        ask("form-02", "What was the decision of building control on Quayside Mill, by the "
            "box that is ticked?", ["Approved with conditions"], [at(forms.PERMIT, "decision")],
            **kind),
        ask("form-03", "Who will benefit from the grant for Quayside Brass for Beginners, by the "
            "boxes that are ticked?",
            ["Children under 12", "Young people 12–18", "People over 65",
             "Newcomers to the town"],
            [at(forms.GRANT, "applicant")], query_type="enumerative", **kind),
        ask("form-04", "Has Quayside Brass for Beginners had a grant from the Foundation before, "
            "and what is the total cost of its project, in pounds?", ["No", "7,120"],
            [at(forms.GRANT, "costs")], **kind),
    ]


def _scan(at: _At) -> list[Record]:
    kind = {"category": "Letter", "domain": "Engineering"}
    return [
        ask("scan-01", "Before which date had the screw of lifting jack number 2 at Brackwater "
            "depot to be renewed?", ["30 August 2024"], [at(scans.NAME, "letter")], **kind),
        ask("scan-02", "What is the serial number of the jack whose use the lifting certificate "
            "of Ostrander & Pell restricts?", ["KT-20612"], [at(scans.NAME, "certificate")],
            **kind),
        ask("scan-03", "Which date stands in the round stamp on the certificate of Ostrander & "
            "Pell?", ["24 May 2024"], [at(scans.NAME, "certificate")], modality=["Image"], **kind),
        ask("scan-04", "Ostrander & Pell wrote to a depot of Northfield Rail Group about a worn "
            "screw. Which classes had that depot as their home at the end of 2024?",
            ["Class 61", "Class 27"], [at(scans.NAME, "letter"), at(EDITIONS[2024], "fleet")],
            query_type="multi-hop", **kind),
    ]


def _manual(at: _At) -> list[Record]:
    kind = {"category": "Manual", "domain": "Consumer products"}
    return [
        ask("manual-01", "Which code does the Kelvara DW 640 show when the water does not get "
            "warm?", ["E7"], [at(manual.NAME, "faults")], modality=["Table"], **kind),
        ask("manual-02", "Which programme of the Kelvara dishwasher uses the most water, and how "
            "many litres?", ["P1 Intensive 70", "15.5"], [at(manual.NAME, "programmes")],
            modality=["Table"], **kind),
        ask("manual-03", "How often is the filter of the Kelvara DW 640 cleaned, and for how many "
            "years does the guarantee on the machine run?", ["Every week", "Three years"],
            [at(manual.NAME, "care"), at(manual.NAME, "data")], query_type="multi-hop", **kind),
        ask("manual-04", "What is the price of the Kelvara DW 640?", [], [], unanswerable=True,
            **kind),
    ]


def _paper(at: _At) -> list[Record]:
    kind = {"category": "Research paper", "domain": "Environment"}
    return [
        ask("paper-01", "Which treated catchment on Whinmoor had the largest fall in water colour "
            "against its control, and how steep is it in degrees?", ["B", "2.6"],
            [at(paper.NAME, "table1")], modality=["Table"], **kind),
        ask("paper-02", "What was the mean colour of the water of the treated catchments on "
            "Whinmoor in 2020, in degrees Hazen?", ["132"], [at(paper.NAME, "figure2")],
            modality=["Chart"], **kind),
        ask("paper-03", "How many kilometres of ditches has Tarn Valley Water blocked since 2019, "
            "and how many did Brennock and colleagues block in their study?", ["212", "38"],
            [at(water_sustainability.NAME, "peat"), at(paper.NAME, "abstract")],
            query_type="compare-contrast", **kind),
    ]
