"""Northfield Rail Group, annual report: one builder for the editions 2023 and 2024."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents import northfield_finance as finance
from scripts.demo_documents import northfield_people as people
from scripts.demo_documents.blocks import (
    columns,
    figures,
    footnotes,
    h1,
    paras,
    quote,
    side_by_side,
    table,
)
from scripts.demo_documents.book import Book, Built, Mark, contents, marked, switch
from scripts.demo_documents.charts import bars, lines, ring, rows
from scripts.demo_documents.covers import Panorama, cover, rails
from scripts.demo_documents.northfield_data import FLEET, LINES, MONTHS, YEARS
from scripts.demo_documents.northfield_text import (
    CAUSES,
    CHAIR,
    CHIEF,
    FREIGHT,
    LINE_NOTES,
    PRIORITIES,
)
from scripts.demo_documents.style import Theme, num

_THEMES = {
    2023: Theme(HexColor("#123a5e"), HexColor("#e07b2e"), HexColor("#eef3f8"), size=10.3),
    2024: Theme(HexColor("#0e4a4f"), HexColor("#e0912e"), HexColor("#ecf4f3"), size=10.3),
}
_TAGLINES = {2023: "Back on the rails", 2024: "Nine trains in ten"}


def build(path: Path, year: int) -> Built:
    """Write the edition for ``year`` (2023 or 2024)."""
    theme = _THEMES[year]
    book = Book(
        path, theme, title=f"Annual Report {year}", organisation="Northfield Rail Group",
        running=f"Annual Report and Accounts {year}",
        cover=cover(
            rails, ["Annual Report", f"and Accounts {year}"],
            f"{_TAGLINES[year]}: the year to 31 December {year}", "rails",
            "Northfield Rail Group plc, 4 Viaduct Parade, Harrowmere. Registered number 0714 2210.",
        ),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (
        _glance, _chair, _chief, _operations, _lines, _fleet,
        people.safety, people.risks, people.board, people.pay, finance.review, finance.statements,
    ):
        story += part(book, year)
    return book.make(story)


def _glance(book: Book, year: int) -> list[Flowable]:
    now, before = YEARS[year], YEARS[year - 1]
    return [
        *h1(book, "The year at a glance"),
        marked(
            "glance",
            figures(book, [
                (f"£{num(now.turnover)}m", f"revenue ({year - 1}: £{num(before.turnover)}m)"),
                (f"£{num(now.profit)}m", f"operating profit ({year - 1}: £{num(before.profit)}m)"),
                (f"{now.journeys}m", f"passenger journeys ({year - 1}: {before.journeys}m)"),
                (f"{now.tonnes}m t", f"freight carried ({year - 1}: {before.tonnes}m t)"),
                (f"{now.punctuality}%", f"arrivals on time ({year - 1}: {before.punctuality}%)"),
                (f"{now.employees:,}", f"employees ({year - 1}: {before.employees:,})"),
                (f"{now.renewable:.0f}%", f"renewable traction ({year - 1}: "
                                          f"{before.renewable:.0f}%)"),
                (f"{now.dividend_pence}p", f"dividend a share ({year - 1}: "
                                           f"{before.dividend_pence}p)"),
            ]),
        ),
        *paras(
            book,
            "Northfield Rail Group runs passenger trains on five lines between Harrowmere, the "
            "coast and the moors, moves freight for the building, port and retail trades, lets "
            "property at 64 stations, and maintains rolling stock for itself and for others.",
        ),
        Paragraph("What is in this report", book.style["h2"]),
        contents(book.theme),
    ]


def _chair(book: Book, year: int) -> list[Flowable]:
    who, texts = CHAIR[year]
    name = who.split(",")[0]
    pull = {
        2023: "Drainage built in 1871 is no match for the rain of this decade.",
        2024: "That figure was reached without padding a single timetable.",
    }[year]
    return [
        PageBreak(), Mark("chair"),
        Panorama(book.body_width, 150, book.theme, "rails"), *h1(book, "Chair’s statement"),
        Paragraph(texts[0], book.style["lead"]),
        quote(book, pull, who),
        columns(book, paras(book, *texts[1:])),
        *paras(book, f"<b>{name}</b><br/>Chair, {'7' if year == 2023 else '6'} March {year + 1}"),
    ]


def _chief(book: Book, year: int) -> list[Flowable]:
    texts = CHIEF[year]
    return [
        PageBreak(), Mark("chief"),
        Panorama(book.body_width, 110, book.theme, "arcs"), *h1(book, "Chief Executive’s review"),
        Paragraph(texts[0], book.style["lead"]),
        *paras(book, *texts[1:]),
        marked(
            "priorities",
            Paragraph("Our four priorities and how we shall measure them",
                      book.style["caption"]),
            table(book, ["Priority", "Target"], [list(row) for row in PRIORITIES[year]],
                  [1, 2.4], text_columns=2),
        ),
        *paras(book, "<b>Imogen Tressider</b><br/>Chief Executive"),
    ]


def _operations(book: Book, year: int) -> list[Flowable]:
    now, before = YEARS[year], YEARS[year - 1]
    half = (book.body_width - 14) / 2
    best = MONTHS[now.punctual.index(max(now.punctual))]
    worst = MONTHS[now.punctual.index(min(now.punctual))]
    full = {"May": "May", "Jan": "January", "Feb": "February"}
    return [
        PageBreak(), *h1(book, "How the trains ran"),
        *paras(
            book,
            f"Across all lines {now.punctuality} per cent of trains reached their last station "
            f"within three minutes of the timetable, against {before.punctuality} per cent in "
            f"{year - 1}. The best month was {full[best]}; the weakest was {full[worst]}, when "
            "frost and low adhesion cost most minutes.<super>1</super>",
        ),
        marked(
            "punctuality",
            Paragraph(f"Arrivals on time by month, per cent, {year - 1} and {year}",
                      book.style["caption"]),
            lines(book.theme, MONTHS, [now.punctual, before.punctual], [str(year), str(year - 1)],
                  size=(book.body_width, 205), low=80, high=94, step=2),
        ),
        side_by_side(
            book,
            [Paragraph("Passenger journeys by year, million", book.style["caption"]),
             bars(book.theme, [str(y) for y in range(2022, year + 1)],
                  [[YEARS[y].journeys for y in range(2022, year + 1)]], ["Journeys"],
                  size=(half, 175), high=90, step=30)],
            [Mark("delay"), Paragraph("Minutes of delay by cause, per cent",
                                      book.style["caption"]),
             ring(book.theme, CAUSES[year], size=(half, 175), centre=str(year), fmt="%.0f%%")],
        ),
        Paragraph("Freight", book.style["h2"]),
        *paras(
            book,
            f"Freight trains carried {now.tonnes} million tonnes ({year - 1}: {before.tonnes} "
            f"million), {FREIGHT[year]}",
        ),
        *footnotes(book, "A train counts as on time when it arrives at its terminus no more than "
                         "2 minutes 59 seconds late, having called at every booked station."),
    ]


def _lines(book: Book, year: int) -> list[Flowable]:
    now, before = YEARS[year], YEARS[year - 1]
    body = [
        [line, num(now.line_journeys[i]), num(before.line_journeys[i]),
         f"{now.line_punctual[i]}%", f"{before.line_punctual[i]}%", f"{now.satisfaction[i]}%"]
        for i, line in enumerate(LINES)
    ]
    happy = sum(a * b for a, b in zip(now.satisfaction, now.line_journeys, strict=True))
    body.append(["All lines", num(sum(now.line_journeys)), num(sum(before.line_journeys)),
                 f"{now.punctuality}%", f"{before.punctuality}%", f"{happy / now.journeys:.0f}%"])
    return [
        PageBreak(), *h1(book, "Line by line"),
        marked(
            "lines",
            Paragraph("Journeys, punctuality and satisfaction of the five lines",
                      book.style["caption"]),
            table(
                book,
                ["Line", f"Journeys {year}, m", f"Journeys {year - 1}, m", f"On time {year}",
                 f"On time {year - 1}", f"Satisfied {year}"],
                body, [2, 1.2, 1.2, 1.1, 1.1, 1.1], totals=[-1],
            ),
            *paras(book, "On time for all lines is the mean of the twelve months; satisfaction is "
                         "weighted by journeys.", style="note"),
        ),
        *paras(book, *(
            f"<b>{line}.</b> {text}"
            for line, text in zip(LINES, LINE_NOTES[year], strict=True)
        )),
        Paragraph("Passengers who are satisfied, per cent", book.style["caption"]),
        rows(book.theme, LINES, now.satisfaction, size=(book.body_width, 150), high=100, step=20,
             labels="%d"),
    ]


def _fleet(book: Book, year: int) -> list[Flowable]:
    fleet = FLEET[year]
    body = [
        [name, kind, str(units), str(cars), str(units * cars), str(built), depot, traction,
         f"{power:,}", str(seats) if seats else "–", str(overhaul)]
        for name, kind, units, cars, built, depot, traction, power, seats, overhaul in fleet
    ]
    body.append(["Fleet", "", str(sum(row[2] for row in fleet)), "",
                 str(sum(row[2] * row[3] for row in fleet)), "", "", "", "", "", ""])
    return [
        *switch("wide"), Mark("fleet"), *h1(book, "Fleet register"),
        *paras(book, f"Rolling stock owned or leased on 31 December {year}. Power is the "
                     "continuous rating of one unit; seats are those of one unit."),
        table(
            book,
            ["Class", "Type", "Units", "Cars per unit", "Vehicles", "Built", "Home depot",
             "Traction", "Power, kW", "Seats", "Next overhaul"],
            body, [1.1, 1.9, 0.8, 0.9, 1, 0.8, 1.4, 1.1, 1, 0.8, 1.1], text_columns=2,
            totals=[-1], span=book.wide_width, pad=6,
        ),
        *paras(book, "Units on short-term hire (two in each year) are left out. The home depot is "
                     "the depot that carries out the 90-day examination.", style="note"),
        NextPageTemplate("body"),
    ]
