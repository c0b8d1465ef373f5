"""Northfield Rail Group, annual report: one builder for the editions 2023 and 2024."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from app.demo.documents import northfield_finance as finance
from app.demo.documents.blocks import (
    bullets,
    callout,
    columns,
    figures,
    footnotes,
    h1,
    paras,
    quote,
    side_by_side,
    table,
)
from app.demo.documents.book import Book, Built, Mark, contents, marked, switch
from app.demo.documents.charts import bars, lines, ring, rows
from app.demo.documents.covers import Panorama, cover, rails
from app.demo.documents.northfield_data import (
    BOARD,
    DEPARTMENTS,
    FLEET,
    LINES,
    MONTHS,
    PAY,
    YEARS,
)
from app.demo.documents.northfield_text import CHAIR, CHIEF, PRIORITIES, RISKS, SAFETY
from app.demo.documents.style import Theme, change, num

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
        _glance, _chair, _chief, _operations, _lines, _fleet, _safety, _risks, _board, _pay,
        finance.review, finance.statements,
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
             ring(book.theme, _CAUSES[year], size=(half, 175), centre=str(year), fmt="%.0f%%")],
        ),
        Paragraph("Freight", book.style["h2"]),
        *paras(
            book,
            f"Freight trains carried {now.tonnes} million tonnes ({year - 1}: {before.tonnes} "
            f"million), {_FREIGHT[year]}",
        ),
        *footnotes(book, "A train counts as on time when it arrives at its terminus no more than "
                         "2 minutes 59 seconds late, having called at every booked station."),
    ]


_CAUSES = {
    2023: [("Infrastructure", 38.0), ("Weather", 24.0), ("Train faults", 17.0),
           ("Crew", 12.0), ("Passengers", 9.0)],
    2024: [("Infrastructure", 35.0), ("Weather", 19.0), ("Train faults", 21.0),
           ("Crew", 8.0), ("Passengers", 17.0)],
}
_FREIGHT = {
    2023: "the most since the Group was formed. Cement from the Marlpit works, aggregates from "
          "the Tarnside quarries and containers from Saltmarsh Port made up four fifths of it.",
    2024: "after the closure of the Marlpit cement works. Containers from Saltmarsh Port grew by "
          "a tenth and are now our largest commodity.",
}


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
            for line, text in zip(LINES, _LINE_NOTES[year], strict=True)
        )),
        Paragraph("Passengers who are satisfied, per cent", book.style["caption"]),
        rows(book.theme, LINES, now.satisfaction, size=(book.body_width, 150), high=100, step=20,
             labels="%d"),
    ]


_LINE_NOTES = {
    2023: (
        "A third track between Port Isolde and Gannet Head let fast trains pass the stoppers. "
        "Summer Saturdays were the busiest on record.",
        "Platforms at Lower Marle and Thornby were lengthened for five-car trains, which ended "
        "the practice of locking the rear doors.",
        "Tap-in ticketing arrived in February: 71 per cent of travellers now use no paper.",
        "Closed from 4 to 22 November by the landslip at Coldharbour Cutting; buses carried "
        "61,000 passengers.",
        "The fifteen-minute service began in December after a signalling trial in the autumn.",
    ),
    2024: (
        "Fast trains now cover the distance from Harrowmere to Gannet Head in 52 minutes, four "
        "minutes less than before.",
        "Single-line working through Harrow Tor tunnel has cost the line punctuality since "
        "August, and it is the only line that missed its own target.",
        "Two more trains allowed a departure every ten minutes at peak. Tap-in ticketing is used "
        "by 83 per cent of travellers.",
        "Battery hybrid trains took over from diesel railcars on 2 September; journeys in the "
        "last quarter were up by a ninth.",
        "The first full year of the fifteen-minute service brought 1.2 million extra journeys.",
    ),
}


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


def _safety(book: Book, year: int) -> list[Flowable]:
    now, before = YEARS[year], YEARS[year - 1]
    half = (book.body_width - 14) / 2
    staff = [[name, f"{now.staff[i]:,}", f"{before.staff[i]:,}", change(now.staff[i],
             before.staff[i])] for i, name in enumerate(DEPARTMENTS)]
    staff.append(["All employees", f"{now.employees:,}", f"{before.employees:,}",
                  change(now.employees, before.employees)])
    return [
        PageBreak(), *h1(book, "Safety, people and the environment"),
        columns(book, [Paragraph("Safety", book.style["h2"]), *paras(book, *SAFETY[year])]),
        side_by_side(
            book,
            [Mark("signals"), Paragraph("Signals passed at danger", book.style["caption"]),
             bars(book.theme, [str(y) for y in range(2022, year + 1)],
                  [[YEARS[y].signals_passed for y in range(2022, year + 1)]], ["Signals"],
                  size=(half, 165), high=40, step=10, labels="%d")],
            [Paragraph("Lost-time injuries per million hours", book.style["caption"]),
             bars(book.theme, [str(y) for y in range(2022, year + 1)],
                  [[YEARS[y].injuries for y in range(2022, year + 1)]], ["Injuries"],
                  size=(half, 165), high=4, step=1, labels="%.2f")],
        ),
        Paragraph("People", book.style["h2"]),
        marked("staff", table(
            book, ["Employees at year end", str(year), str(year - 1), "Change"], staff,
            [2.4, 1, 1, 1], totals=[-1])),
        callout(book, "Carbon", [
            f"Emissions fell to {now.carbon} g CO<sub>2</sub>e per passenger-kilometre "
            f"({year - 1}: {before.carbon} g). Renewable sources supplied {now.renewable:.0f} per "
            f"cent of traction energy ({year - 1}: {before.renewable:.0f} per cent).",
        ]),
    ]


def _risks(book: Book, year: int) -> list[Flowable]:
    return [
        PageBreak(), Mark("risks"), *h1(book, "Principal risks"),
        *paras(book, "The Board reviews the register of risks twice a year and the five below at "
                     "every meeting. Likelihood and impact are judged after the measures named."),
        table(book, ["Risk", "What could happen", "What we do about it", "Likelihood", "Impact",
                     "Trend"],
              [[f"<b>{row[0]}</b>", *row[1:]] for row in RISKS[year]],
              [1.3, 1.7, 2, 1.08, 0.82, 0.75], text_columns=6, pad=6),
        Paragraph("Viability", book.style["h2"]),
        *paras(
            book,
            "The directors tested the three-year plan against a combination of a four-week closure "
            "of the Coastal Line, a rise of 40 per cent in energy prices and the loss of the "
            "largest freight customer. In the combined case the Group stays within its covenants "
            "with headroom of " + {2023: "£28 million", 2024: "£43 million"}[year] + ".",
        ),
        *bullets(book, [
            "Interest cover must not fall below 2.5 times operating profit.",
            "Net borrowings must not exceed 65 per cent of property, plant and equipment.",
            "At least £60 million must be available in cash or committed facilities.",
        ]),
    ]


def _board(book: Book, year: int) -> list[Flowable]:
    held = max(row[4] for row in BOARD[year])
    return [
        PageBreak(), *h1(book, "Governance"),
        *paras(book, f"The Board met {held} times in {year}. Directors who could not attend sent "
                     "their comments to the Chair in advance."),
        marked("board", table(
            book, ["Director", "Role", "Joined", "Attended", "Held while in office"],
            [[n, r, str(j), str(a), str(h)] for n, r, j, a, h in BOARD[year]],
            [1.7, 2, 0.7, 0.8, 1.1], text_columns=2)),
    ]


def _pay(book: Book, year: int) -> list[Flowable]:
    pay = PAY[year]
    kinds = ("Salary", "Benefits", "Pension", "Annual bonus", "Long-term award")
    body = [[kind, *(f"{pay[name][i]:,}" for name in pay)] for i, kind in enumerate(kinds)]
    body.append([f"Total {year}", *(f"{sum(pay[name]):,}" for name in pay)])
    body.append([f"Total {year - 1}", *(f"{sum(PAY[year - 1][name]):,}" for name in pay)])
    weights = {2023: (40, 35, 25), 2024: (40, 30, 30)}[year]
    return [
        Paragraph("Pay of the executive directors", book.style["h2"]),
        marked("pay", table(book, ["£ thousand", *pay], body, [2, 1.2, 1.2], totals=[-2])),
        *paras(
            book,
            f"The annual bonus rests on punctuality ({weights[0]} per cent), operating profit "
            f"({weights[1]} per cent) and safety ({weights[2]} per cent). No bonus is paid in a "
            "year in which a passenger or colleague dies through a failing of the Group.",
        ),
        Paragraph("Committees", book.style["h2"]),
        columns(book, paras(
            book,
            "<b>Audit.</b> Reviewed the carrying value of diesel rolling stock, the treatment of "
            "penalty payments and the independence of the auditor, Quillfeather and Moss LLP.",
            "<b>Safety.</b> Walked every depot at night at least once, and received each inquiry "
            "report within thirty days of its completion.",
            "<b>Remuneration.</b> Consulted the employee forum on pay ratios before it set "
            "the executives’ awards.",
            "<b>Nomination.</b> Ran an open search for non-executive directors through an agency "
            "that has no other tie to the Group.",
        )),
    ]
