"""The adopted budget of the Borough of Harrowmere, 2025/26."""

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
    paras,
    table,
)
from scripts.demo_documents.book import Book, Built, Mark, contents, marked
from scripts.demo_documents.charts import bars, ring, rows
from scripts.demo_documents.covers import cover, tower
from scripts.demo_documents.style import Theme, change, num

NAME = "harrowmere-budget-2025-26.pdf"
_THEME = Theme(HexColor("#5a1f2b"), HexColor("#c79a3b"), HexColor("#f8f3ea"), text="Times",
               display="Times", size=11)
_SERVICES = (  # department, 2025/26, 2024/25, GBP thousand
    ("Adult social care", 61240, 58110), ("Children and families", 44870, 42350),
    ("Waste and street cleaning", 17460, 16980), ("Highways and lighting", 14920, 15340),
    ("Libraries and museums", 6380, 6710), ("Parks and leisure", 8150, 7940),
    ("Housing and homelessness", 12690, 10480), ("Planning and building control", 3870, 3790),
    ("Public health", 11230, 11060), ("Corporate and democratic services", 15640, 15980),
)
_INCOME = (
    ("Council tax", 98730, 93210), ("Business rates", 41560, 40120),
    ("Government grants", 33480, 34610), ("Fees and charges", 17240, 15870),
    ("Use of reserves", 5440, 4930),
)
_CAPITAL = (  # scheme, 2025/26, 2026/27, 2027/28
    ("Viaduct Parade bus station", 4200, 6850, 1100),
    ("Northgate primary school extension", 3650, 2400, 0),
    ("Street lighting, LED conversion", 1980, 1980, 1540),
    ("Affordable homes at Tanner's Yard", 5300, 8700, 7900),
    ("Town hall roof", 860, 1240, 0),
    ("Flood wall, Quay Street", 2150, 3300, 2750),
    ("Cycle routes", 740, 740, 740),
)
_SAVINGS = (
    ("Fortnightly collection of residual waste", "Waste and street cleaning", 412, "B"),
    ("Shared legal service with Isolde District", "Corporate and democratic services", 265, "A"),
    ("Dimming of lamps between 1 and 5 a.m.", "Highways and lighting", 198, "A"),
    ("Mobile library replaced by book lockers", "Libraries and museums", 143, "C"),
    ("Digital planning notices", "Planning and building control", 37, "A"),
    ("Letting of two floors of the annexe", "Corporate and democratic services", 221, "B"),
    ("Family hubs under one roof", "Children and families", 356, "B"),
)


def build(path: Path) -> Built:
    """Write the budget book."""
    book = Book(
        path, _THEME, title="Budget 2025/26", organisation="Borough of Harrowmere",
        running="Adopted Budget 2025/26",
        cover=cover(tower, ["Adopted Budget", "2025/26"],
                    "and medium-term financial plan to 2027/28", "grid",
                    "Adopted by the Council on 26 February 2025, minute 114."),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (_overview, _foreword, _spending, _income, _tax, _capital, _savings, _reserves):
        story += part(book)
    return book.make(story)


def _total(rows_: tuple[tuple[str, int, int], ...], column: int) -> int:
    return sum(row[column] for row in rows_)  # type: ignore[misc]


def _overview(book: Book) -> list[Flowable]:
    return [
        *h1(book, "The budget on one page"),
        figures(book, [
            (f"£{_total(_SERVICES, 1) / 1000:.2f}m", "net spending on services"),
            ("4.9%", "rise in the borough’s council tax"),
            ("£1,684.32", "council tax, band D, borough only"),
            ("£1.6m", "new savings"),
        ]),
        Paragraph("Where the money comes from", book.style["caption"]),
        ring(book.theme, [(n, v / _total(_INCOME, 1) * 100) for n, v, _ in _INCOME],
             size=(book.body_width * 0.8, 150), centre=f"£{_total(_INCOME, 1) / 1000:.2f}m"),
        Paragraph("Contents", book.style["h2"]),
        contents(book.theme),
        callout(book, "How to read the tables", [
            "All sums are in thousands of pounds unless stated otherwise. Spending is shown net of "
            "specific grants and of charges that belong to a single service. The financial "
            "year runs from 1 April to 31 March.",
        ]),
    ]


def _foreword(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("foreword"), *h1(book, "Foreword by the Leader of the Council"),
        Paragraph("Setting a balanced budget is the one thing a council must do by law. This year "
                  "it took four rounds.", book.style["lead"]),
        columns(book, paras(
            book,
            "The demand for care grows faster than anything that pays for it. Six years ago, adult "
            "and children’s care took 46 pence of each pound of our spending; next year it "
            "takes 54. Everything else that a borough does, from bins to books, shares the "
            "remainder.",
            "Homelessness is the sharpest pressure. On an average night of last autumn 318 "
            "households were in temporary accommodation, against 204 three years ago. The homes at "
            "Tanner’s Yard, 126 of them at social rent, are our answer, and it will take "
            "until 2027 to finish them.",
            "We asked residents. Of 4,812 replies to the consultation, 61 per cent preferred a "
            "higher council tax to the closing of a leisure centre, and 70 per cent were against "
            "ending the mobile library. We have listened to the first and, with regret, not to "
            "the second: lockers in eleven villages will be open day and night.",
            "I thank officers for their patience and the opposition for two amendments, on "
            "school crossing patrols and on tree planting, which improved the document you "
            "are holding.",
        )),
        *paras(book, "<b>Councillor Winifred Astley-Okoro</b><br/>Leader of the Council"),
    ]


def _spending(book: Book) -> list[Flowable]:
    body = [[n, f"{a:,}", f"{b:,}", change(a, b)] for n, a, b in _SERVICES]
    now, before = _total(_SERVICES, 1), _total(_SERVICES, 2)
    body.append(["Net spending on services", f"{now:,}", f"{before:,}", change(now, before)])
    return [
        PageBreak(), *h1(book, "Spending by service"),
        marked("spending", table(
            book, ["£ thousand", "2025/26", "2024/25", "Change"], body, [2.8, 1, 1, 1],
            totals=[-1])),
        Paragraph("Net spending in 2025/26, £ million", book.style["caption"]),
        rows(book.theme, [r[0] for r in _SERVICES], [r[1] / 1000 for r in _SERVICES],
             size=(book.body_width, 235), high=70, step=10, room=165),
        *paras(book, "Highways and lighting falls, because lamps converted to LED use 58 per cent "
                     "less electricity. The increase for housing pays for temporary accommodation.",
               style="note"),
    ]


def _income(book: Book) -> list[Flowable]:
    body = [[n, f"{a:,}", f"{b:,}", change(a, b)] for n, a, b in _INCOME]
    now, before = _total(_INCOME, 1), _total(_INCOME, 2)
    body.append(["Total funding", f"{now:,}", f"{before:,}", change(now, before)])
    fees = [
        ["Residents’ parking permit, first car, a year", "£78.00", "£72.00"],
        ["Garden waste bin, a year", "£52.00", "£46.50"],
        ["Swim, adult", "£5.80", "£5.40"],
        ["Allotment, full plot, a year", "£61.00", "£58.00"],
        ["Marriage in the Council Chamber, Saturday", "£486.00", "£455.00"],
        ["Street market pitch, a day", "£24.00", "£24.00"],
        ["Adult burial, resident", "£1,240.00", "£1,165.00"],
    ]
    return [
        PageBreak(), *h1(book, "Funding and charges"),
        marked("income", table(
            book, ["£ thousand", "2025/26", "2024/25", "Change"], body, [2.8, 1, 1, 1],
            totals=[-1])),
        Paragraph("Selected fees and charges", book.style["h2"]),
        marked("fees", table(book, ["Charge", "From 1 April 2025", "Until then"], fees,
                             [3, 1.2, 1.2])),
        *paras(
            book,
            "Charges are reviewed each autumn. The aim is to recover the full cost of a service, "
            "except where the Council has decided otherwise: swimming for under-sixteens stays "
            "free on weekdays, and pitches on the street market have not become dearer since "
            "2022.<super>1</super>",
        ),
        *footnotes(book, "Decision of the Town Centre Committee, 14 January 2025, minute 9."),
    ]


def _tax(book: Book) -> list[Flowable]:
    base, ninths = 1684.32, {"A": 6, "B": 7, "C": 8, "D": 9, "E": 11, "F": 13, "G": 15, "H": 18}
    homes = {"A": 9840, "B": 12470, "C": 10310, "D": 7260, "E": 4180, "F": 1930, "G": 870, "H": 64}
    police, fire = 289.17, 84.60
    body = [[band, f"{homes[band]:,}", *(num(part * n / 9, 2) for part in (base, police, fire)),
             num(sum(round(part * n / 9, 2) for part in (base, police, fire)), 2)]
            for band, n in ninths.items()]
    return [
        PageBreak(), *h1(book, "Council tax"),
        *paras(book, "The borough’s own tax rises by 4.9 per cent, of which two points may "
                     "be spent on adult social care only. Police and fire set their own parts."),
        marked("tax", table(
            book, ["Band", "Homes", "Borough, £", "Police, £", "Fire, £", "Total, £"], body,
            [0.6, 1, 1.1, 1, 1, 1.1])),
        Paragraph("Homes by band", book.style["caption"]),
        bars(book.theme, list(homes), [list(homes.values())], ["Homes"],
             size=(book.body_width, 170), high=14000, step=2000, labels="%d"),
        *bullets(book, [
            "People who live alone pay three quarters.",
            "Empty homes pay double after one year, and three times the tax after five.",
            "Care leavers pay nothing until their twenty-fifth birthday.",
        ]),
    ]


def _capital(book: Book) -> list[Flowable]:
    body = [[n, *(f"{v:,}" if v else "–" for v in y), f"{sum(y):,}"] for n, *y in _CAPITAL]
    sums = [sum(row[i] for row in _CAPITAL) for i in (1, 2, 3)]  # type: ignore[misc]
    body.append(["Programme", *(f"{v:,}" for v in sums), f"{sum(sums):,}"])
    return [
        PageBreak(), *h1(book, "Capital programme"),
        *paras(book, "Schemes enter the programme once a business case has been approved. Tenders "
                     "for the flood wall are due on 30 June 2025."),
        marked("capital", table(
            book, ["£ thousand", "2025/26", "2026/27", "2027/28", "Three years"], body,
            [2.6, 1, 1, 1, 1.1], totals=[-1])),
        Paragraph("Programme by year, £ million", book.style["caption"]),
        bars(book.theme, ["2025/26", "2026/27", "2027/28"], [[v / 1000 for v in sums]],
             ["Programme"], size=(book.body_width, 160), high=30, step=10, labels="%.2f"),
        *paras(
            book,
            "<b>Viaduct Parade.</b> The new bus station has fourteen bays, a covered walk to the "
            "railway and a green roof. Buses will use Mill Street during the works.",
            "<b>Quay Street.</b> The wall protects 340 homes and 52 businesses against a tide of "
            "the height of December 2013 with 30 centimetres to spare.",
        ),
    ]


def _savings(book: Book) -> list[Flowable]:
    body = [[n, d, r, f"{v:,}"] for n, d, v, r in _SAVINGS]
    body.append(["All savings", "", "", f"{sum(row[2] for row in _SAVINGS):,}"])
    return [
        PageBreak(), *h1(book, "Savings"),
        *paras(book, "Each proposal was assessed for its effect on residents: A means no "
                     "noticeable effect, B some, C considerable."),
        marked("savings", table(
            book, ["Proposal", "Service", "Effect", "£ thousand"], body, [2.6, 2.2, 0.6, 0.9],
            text_columns=3, totals=[-1])),
    ]


def _reserves(book: Book) -> list[Flowable]:
    return [
        Paragraph("Reserves", book.style["h2"]),
        *paras(
            book,
            "The general reserve must not fall below £9.0 million, about a month’s net "
            "payroll. The drawing of £5.44 million in 2025/26 comes from earmarked reserves only.",
        ),
        marked("reserves", table(
            book, ["£ thousand, 31 March", "2025", "2026", "2027"],
            [["General reserve", "9,620", "9,620", "9,400"],
             ["Social care transformation", "7,840", "4,900", "2,650"],
             ["Insurance", "2,310", "2,310", "2,310"],
             ["Elections", "480", "620", "210"],
             ["Climate fund", "5,150", "2,510", "1,890"],
             ["All reserves", "25,400", "19,960", "16,460"]],
            [2.8, 1, 1, 1], totals=[-1])),
        Paragraph("Statement of the Chief Finance Officer", book.style["h2"]),
        *paras(
            book,
            "I am satisfied that the estimates are robust and that the reserves are adequate for "
            "one year. I draw members’ attention to the gap of £7.3 million forecast for 2027/28, "
            "for which no measures have yet been agreed.",
            "<b>Leopold Szymborski-Hale</b>, Chief Finance Officer",
        ),
    ]
