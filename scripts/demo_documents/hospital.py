"""St Brannoc's Hospital, quality report 2024."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import (
    bullets,
    callout,
    columns,
    figures,
    footnotes,
    h1,
    numbered,
    paras,
    quote,
    side_by_side,
    table,
)
from scripts.demo_documents.book import Book, Built, Mark, contents, marked
from scripts.demo_documents.charts import bars, lines, rows
from scripts.demo_documents.covers import cover, plus
from scripts.demo_documents.style import Theme

NAME = "st-brannoc-quality-report-2024.pdf"
_THEME = Theme(HexColor("#27406b"), HexColor("#4fa3a5"), HexColor("#eef3f7"), text="Vera",
               display="Vera", size=8.8)
_WARDS = (  # ward, speciality, beds, falls per 1,000 bed days, pressure ulcers, hand hygiene
    ("Ash", "Acute medicine", 32, 5.8, 9, 94), ("Beech", "Stroke", 24, 6.9, 6, 97),
    ("Cedar", "Orthopaedics", 28, 4.1, 4, 91), ("Hazel", "Surgery", 30, 2.7, 3, 95),
    ("Linden", "Cardiology", 22, 3.2, 2, 98), ("Rowan", "Care of older people", 34, 8.4, 14, 96),
    ("Willow", "Maternity", 20, 0.4, 0, 99),
)


def build(path: Path) -> Built:
    """Write the report."""
    book = Book(
        path, _THEME, title="Quality Report 2024", organisation="St Brannoc’s Hospital",
        cover=cover(plus, ["Quality Report", "2024"], "How safe, how quick, how kind", "arcs",
                    "St Brannoc's Hospital, Priory Road, Port Isolde. Annexes online."),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (_overview, _waiting, _wards, _infection, _surgery, _patients, _plans):
        story += part(book)
    return book.make(story)


def _overview(book: Book) -> list[Flowable]:
    return [
        *h1(book, "Overview"),
        figures(book, [
            ("190", "in-patient beds"), ("64,218", "emergency attendances"),
            ("21,340", "operations"), ("1,962", "births"),
            ("2,874", "staff"), ("92%", "would recommend us"),
            ("4.3 days", "mean length of stay"), ("3", "never events"),
        ]),
        *paras(
            book,
            "This report tells the people of Port Isolde and the coast how good the care at their "
            "hospital was in 2024. It is written by the clinicians in charge of each service and "
            "was read before printing by the patients’ council, whose comments stand at the end.",
        ),
        Paragraph("Contents", book.style["h2"]),
        contents(book.theme),
        callout(book, "Three never events", [
            "A retained swab after a caesarean section (February), a wrong-side nerve block (June) "
            "and a misplaced feeding tube (October). None of the three patients suffered lasting "
            "harm. Each was told within a day and took part in the inquiry.",
        ]),
    ]


def _waiting(book: Book) -> list[Flowable]:
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return [
        PageBreak(), *h1(book, "Waiting"),
        *paras(book, "Seventy-six per cent of people who came to the emergency department were "
                     "admitted, transferred or discharged within four hours, against 71 per cent "
                     "in 2023. The goal is 80 per cent."),
        marked(
            "fourhours",
            Paragraph("Emergency department: seen within four hours, per cent",
                      book.style["caption"]),
            lines(book.theme, months,
                  [(69, 70, 73, 76, 79, 80, 84, 80, 78, 75, 74, 75),
                   (64, 66, 69, 72, 74, 76, 77, 75, 73, 70, 67, 69)], ["2024", "2023"],
                  size=(book.body_width, 190), low=60, high=90, step=5),
        ),
        Paragraph("Planned care", book.style["h2"]),
        marked("planned", table(
            book, ["Speciality", "On the list", "Median wait, weeks", "Over 52 weeks",
                   "Change on 2023"],
            [["Orthopaedics", "2,914", "21", "118", "−34%"],
             ["Ophthalmology", "2,306", "14", "22", "−61%"],
             ["General surgery", "1,487", "16", "41", "−28%"],
             ["Gynaecology", "1,120", "18", "57", "+12%"],
             ["Ear, nose and throat", "1,043", "19", "63", "−9%"],
             ["Cardiology", "688", "9", "0", "−100%"],
             ["All specialities", "9,558", "17", "301", "−30%"]],
            [2.2, 1, 1.3, 1.1, 1.2], totals=[-1])),
        *paras(
            book,
            "Cataract operations are now done in the Seaview surgical centre six days a week; one "
            "list has eleven patients, and nobody waits for a bed. Gynaecology lost two "
            "consultants in spring and could replace only one.",
        ),
    ]


def _wards(book: Book) -> list[Flowable]:
    body = [[n, s, str(b), f"{f:.1f}", str(u), f"{h}%"] for n, s, b, f, u, h in _WARDS]
    beds = sum(row[2] for row in _WARDS)
    falls = sum(row[2] * row[3] for row in _WARDS) / beds
    hygiene = sum(row[2] * row[5] for row in _WARDS) / beds
    body.append(["Hospital", "", str(beds), f"{falls:.1f}", str(sum(row[4] for row in _WARDS)),
                 f"{hygiene:.0f}%"])
    return [
        PageBreak(), *h1(book, "Safety on the wards"),
        marked("wards", table(
            book, ["Ward", "Speciality", "Beds", "Falls per 1,000 bed days", "Pressure ulcers",
                   "Hand hygiene"],
            body, [1, 1.8, 0.7, 1.3, 1.1, 1], text_columns=2, totals=[-1])),
        *paras(book, "Hospital rates are weighted by beds. Pressure ulcers of category 2 and above "
                     "that began on the ward.", style="note"),
        Paragraph("Falls per 1,000 bed days", book.style["caption"]),
        rows(book.theme, [row[0] for row in _WARDS], [row[3] for row in _WARDS],
             size=(book.body_width, 150), high=10, step=2, room=60),
        columns(book, paras(
            book,
            "<b>Rowan.</b> Older people fall most often on the way to the toilet at night. Since "
            "September, a nurse asks at ten, two and six; falls in the last quarter were a third "
            "lower than in the first.",
            "<b>Cedar.</b> Hand hygiene was the lowest of all wards. Dispensers stood behind "
            "curtains; they were moved to the foot of each bed in November.",
            "<b>Medicines.</b> Barcode checks at the bedside were introduced on Linden and Hazel. "
            "Errors of dose fell from 3.1 to 1.2 per 1,000 administrations.",
            "<b>Staffing.</b> Ninety-four per cent of nursing shifts were filled as planned; "
            "agency staff worked 6 per cent of hours, half of the 2022 figure.",
        )),
    ]


def _infection(book: Book) -> list[Flowable]:
    half = (book.body_width - 14) / 2
    years = ("2021", "2022", "2023", "2024")
    return [
        PageBreak(), *h1(book, "Infection"),
        side_by_side(
            book,
            [Mark("cdiff"), Paragraph("<i>Clostridioides difficile</i>, cases",
                                      book.style["caption"]),
             bars(book.theme, years, [(38, 41, 33, 27)], ["Cases"], size=(half, 160), high=50,
                  step=10, labels="%d")],
            [Paragraph("Norovirus, ward closures in days", book.style["caption"]),
             bars(book.theme, years, [(12, 57, 44, 31)], ["Days"], size=(half, 160), high=60,
                  step=20, labels="%d")],
        ),
        *paras(
            book,
            "One bloodstream infection with resistant <i>Staphylococcus aureus</i> was traced to a "
            "cannula left in place for six days. Cannulas are now dated in red, and any that is "
            "older than 72 hours must be justified in the notes.",
            "Antibiotics are reviewed by a pharmacist within 48 hours. The proportion of patients "
            "who were switched from drip to tablet on the day this became possible rose from 44 to "
            "67 per cent.",
        ),
        quote(book, "Nobody goes home and boasts about an infection that did not happen. "
                    "We should.", "Sister Perpetua Lanwarne, infection prevention"),
        Paragraph("Vaccination of staff, per cent", book.style["caption"]),
        bars(book.theme, ("Doctors", "Nurses", "Therapists", "Porters", "Laboratory", "Kitchen"),
             [(81, 72, 76, 58, 88, 64), (74, 65, 71, 49, 86, 52)], ["2024", "2023"],
             size=(book.body_width, 175), high=100, step=20, labels="%d"),
    ]


def _surgery(book: Book) -> list[Flowable]:
    return [
        PageBreak(), *h1(book, "Outcomes of treatment"),
        marked("outcomes", table(
            book, ["Measure", "2024", "2023", "National median"],
            [["Hip fracture: operated within 36 hours", "83%", "74%", "71%"],
             ["Hip fracture: death within 30 days", "5.2%", "6.1%", "6.0%"],
             ["Stroke: scan within one hour", "68%", "66%", "59%"],
             ["Stroke: clot removed or dissolved", "14%", "13%", "12%"],
             ["Heart attack: artery open within 150 minutes", "79%", "81%", "77%"],
             ["Bowel cancer: treated within 62 days", "64%", "70%", "65%"],
             ["Unplanned readmission within 30 days", "9.7%", "10.4%", "10.1%"],
             ["Major bleeding after birth", "3.1%", "2.8%", "2.9%"]],
            [3, 0.9, 0.9, 1.3], pad=5)),
        *paras(
            book,
            "Six of the eight measures are better than the national median.<super>1</super> Bowel "
            "cancer treatment became slower because the endoscopy suite was closed for nineteen "
            "weeks while its ventilation was renewed.",
        ),
        Paragraph("Learning from deaths", book.style["h2"]),
        *paras(
            book,
            "Of 1,046 deaths in hospital, 212 were reviewed in detail by two clinicians who had "
            "not cared for the patient. In seven the panel found that death was more likely than "
            "not to have been avoidable. Four concerned late recognition of sepsis.",
        ),
        *numbered(book, [
            "An alarm in the electronic record now pages the outreach team when the early warning "
            "score reaches seven.",
            "Every ward has a sepsis trolley, sealed and checked each Monday.",
            "Families may call the outreach team themselves on extension 4400.",
        ]),
        *footnotes(book, "Medians of 128 acute hospitals; rates are adjusted for age only."),
    ]


def _patients(book: Book) -> list[Flowable]:
    return [
        PageBreak(), *h1(book, "What patients say"),
        *paras(book, "We received 11,870 questionnaires, 612 complaints and 3,044 letters of "
                     "thanks. The most frequent subject of complaint was discharge."),
        Paragraph("Complaints by subject", book.style["caption"]),
        Mark("complaints"),
        rows(book.theme, ("Discharge", "Waiting", "Communication", "Food", "Car park", "Noise",
                          "Lost property"),
             (148, 131, 119, 74, 63, 46, 31), size=(book.body_width, 150), high=160, step=40,
             labels="%d", room=85),
        quote(book, "The food was warm, the night was loud, and the student nurse remembered my "
                    "dog’s name.", "Patient on Beech ward"),
        Paragraph("Comment of the patients’ council", book.style["h2"]),
        *paras(
            book,
            "We welcome the plain language of this report and the honest account of the three "
            "never events. We asked for figures on people with learning disabilities, as in last "
            "year, and again they are not in it. <b>Ottoline Brackenbury, Chair</b>",
        ),
    ]


def _plans(book: Book) -> list[Flowable]:
    return [
        Paragraph("Priorities for 2025", book.style["h2"]),
        *bullets(book, [
            "<b>Leave by lunch.</b> Forty per cent of discharges before noon; 23 per cent in 2024.",
            "<b>Quiet nights.</b> Soft-closing bins and no trolleys between eleven and five.",
            "<b>Sepsis within the hour.</b> Antibiotics for 90 per cent of patients; 78 per cent "
            "in 2024.",
            "<b>Learning disabilities.</b> A liaison nurse from March, and figures in next "
            "year’s report.",
        ]),
    ]
