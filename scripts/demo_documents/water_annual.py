"""Tarn Valley Water, annual report 2024."""

from __future__ import annotations

from pathlib import Path

from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import (
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
from scripts.demo_documents.book import Book, Built, Mark, contents, marked
from scripts.demo_documents.charts import bars, lines, ring
from scripts.demo_documents.covers import Panorama, cover, drop
from scripts.demo_documents.style import change, num
from scripts.demo_documents.water_data import (
    BURSTS,
    COSTS,
    DEMAND,
    INVESTMENT,
    LEAKAGE,
    ORGANISATION,
    RESERVOIRS,
    REVENUE,
    THEME,
)

NAME = "tarn-valley-water-annual-report-2024.pdf"


def build(path: Path) -> Built:
    """Write the report."""
    book = Book(
        path, THEME, title="Annual Report 2024", organisation=ORGANISATION,
        cover=cover(drop, ["Every drop", "accounted for"], "Annual report 2024", "waves",
                    "Tarn Valley Water Limited, Reservoir House, Skelder."),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (_glance, _letter, _leakage, _supply, _customers, _investment, _accounts, _pay):
        story += part(book)
    return book.make(story)


def _total(rows: tuple[tuple[str, float, float], ...], column: int) -> float:
    return sum(row[column] for row in rows)  # type: ignore[misc]


def _glance(book: Book) -> list[Flowable]:
    return [
        *h1(book, "2024 in figures"),
        figures(book, [
            ("1.31m", "people served in 214 towns and villages"),
            (f"{DEMAND[2024]}", "million litres supplied each day"),
            (f"{LEAKAGE[2024]}", "million litres lost each day"),
            ("£" + num(_total(REVENUE, 1)) + "m", "revenue"),
            ("7,940 km", "of water mains"),
            ("99.97%", "of samples met the drinking water standard"),
            ("£412", "average household bill for both services"),
            ("1,126", "colleagues"),
        ]),
        Paragraph("Contents", book.style["h2"]),
        contents(book.theme),
        callout(book, "Who we are", [
            "Tarn Valley Water supplies drinking water and takes wastewater away between the "
            "Whinmoor hills and the estuary at Port Isolde. It is owned by a public benefit "
            "trust; surpluses are invested or returned through the social tariff.",
        ]),
    ]


def _letter(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("letter"), Panorama(book.body_width, 130, book.theme, "waves"),
        *h1(book, "A letter from the Chief Executive"),
        Paragraph(
            "At the end of 2020 we promised to bring leakage down by a fifth within five years. "
            "We have done so in four.", book.style["lead"]),
        columns(book, paras(
            book,
            "The credit belongs to people who work at night, when flow in the mains is lowest and "
            "a leak can be heard. We doubled their number to 86 and gave them acoustic loggers "
            "that listen from 11,400 hydrants.",
            "It rained in 2024, and reservoirs entered the autumn four fifths full. Rain is "
            "also what makes storm overflows spill. We recorded 2,118 spills, 27 per cent fewer "
            "than in 2023 but far too many. Four storm tanks, at Skelder, Marle, Gannet Head and "
            "Low Haddon, will take a further 400 off that figure.",
            "On 9 May a valve failed at Whinmoor treatment works and 23,600 homes were without "
            "water for up to thirty-one hours. We delivered 410,000 bottles and paid £1.9 million "
            "in compensation. The valve had been inspected eight months earlier; inspections now "
            "include exercising every valve, and not merely looking at it.",
            "Bills will rise by 6.4 per cent in April 2025. One household in eleven is on our "
            "social tariff, which caps the bill at three per cent of income.",
        )),
        *paras(book, "<b>Henrietta Caldbeck-Rowe</b><br/>Chief Executive, 28 February 2025"),
    ]


def _leakage(book: Book) -> list[Flowable]:
    years = [str(year) for year in LEAKAGE]
    half = (book.body_width - 14) / 2
    return [
        PageBreak(), *h1(book, "Leakage and the network"),
        *paras(
            book,
            f"Leakage averaged {LEAKAGE[2024]} million litres a day, against {LEAKAGE[2023]} "
            f"million in 2023 ({change(LEAKAGE[2024], LEAKAGE[2023])}). It now amounts to "
            f"{LEAKAGE[2024] / DEMAND[2024] * 100:.1f} per cent of the water put into supply."
            "<super>1</super>",
        ),
        marked(
            "leakage",
            Paragraph("Leakage, million litres a day", book.style["caption"]),
            bars(book.theme, years, [list(LEAKAGE.values())], ["Leakage"],
                 size=(book.body_width, 170), high=80, step=20),
        ),
        side_by_side(
            book,
            [Mark("bursts"), Paragraph("Burst mains repaired", book.style["caption"]),
             lines(book.theme, years, [list(BURSTS.values())], ["Bursts"], size=(half, 165),
                   low=1400, high=2200, step=200, labels="%d")],
            [Paragraph("How leaks were found, 2024", book.style["caption"]),
             ring(book.theme, [("Acoustic loggers", 46.0), ("Night patrols", 27.0),
                               ("Customers", 18.0), ("Satellite", 9.0)],
                  size=(half, 165), centre="9,310", fmt="%.0f%%")],
        ),
        *bullets(book, [
            "72 km of cast-iron main from before 1920 were replaced by polyethylene.",
            "The median time from report to repair fell from 6.2 to 3.8 days.",
            "Pressure is now managed in 318 of 402 district metered areas.",
        ]),
        *footnotes(book, "Three-year averages are used for regulatory targets; the figures here "
                         "are those of single calendar years."),
    ]


def _supply(book: Book) -> list[Flowable]:
    body = [[name, str(opened), f"{capacity:,}", f"{before}%", f"{now}%",
             f"{capacity * now / 100:,.0f}"]
            for name, opened, capacity, before, now in RESERVOIRS]
    capacity = sum(row[2] for row in RESERVOIRS)
    held = sum(row[2] * row[4] / 100 for row in RESERVOIRS)
    earlier = sum(row[2] * row[3] / 100 for row in RESERVOIRS)
    body.append(["All reservoirs", "", f"{capacity:,}", f"{earlier / capacity * 100:.0f}%",
                 f"{held / capacity * 100:.0f}%", f"{held:,.0f}"])
    return [
        PageBreak(), *h1(book, "Water resources"),
        *paras(book, "Four fifths of our water comes from upland reservoirs, the rest from "
                     "boreholes in the Marle sandstone. No restriction on use was needed."),
        marked("reservoirs", table(
            book, ["Reservoir", "Opened", "Capacity, Ml", "Full, Sept 2023", "Full, Sept 2024",
                   "Held, Ml"], body, [1.8, 0.8, 1.1, 1.1, 1.1, 1], totals=[-1])),
        Paragraph("Demand, million litres a day", book.style["caption"]),
        bars(book.theme, [str(year) for year in DEMAND], [list(DEMAND.values())], ["Demand"],
             size=(book.body_width, 150), high=400, step=100),
        *paras(
            book,
            "Demand fell for the second year although the population grew by 0.6 per cent. Smart "
            "meters show each household its use by the hour; homes that have one use 11 per cent "
            "less on average. A household's continuous flow overnight, usually a leaking cistern, "
            "is reported to it within two days.",
        ),
        callout(book, "Drought plan", [
            "Level 1: appeals for restraint when storage falls below 55 per cent in July.",
            "Level 2: temporary ban on hosepipes below 45 per cent.",
            "Level 3: drought permits for the River Skelder below 35 per cent.",
        ]),
    ]


def _customers(book: Book) -> list[Flowable]:
    rows = [
        ["Supply interruptions, minutes per property", "5:00", "14:42", "6:18", "Missed"],
        ["Water quality contacts per 1,000 people", "1.10", "0.94", "1.21", "Met"],
        ["Internal sewer flooding, incidents", "190", "176", "214", "Met"],
        ["Pollution incidents, serious", "0", "1", "2", "Missed"],
        ["Customer satisfaction score, of 100", "82", "83.5", "80.9", "Met"],
        ["Homes on the social tariff", "46,000", "51,300", "42,700", "Met"],
        ["Smart meters fitted in the year", "90,000", "87,200", "61,500", "Missed"],
    ]
    return [
        PageBreak(), *h1(book, "What we promised customers"),
        *paras(book, "Seven commitments were agreed with the customer panel. We met four of them. "
                     "The long interruption at Whinmoor in May explains the first miss."),
        marked("promises", table(
            book, ["Commitment", "Target 2024", "Result 2024", "Result 2023", "Outcome"], rows,
            [3, 1, 1, 1, 0.9], pad=6)),
        quote(book, "You told us before we told you. That is what has to change first.",
              "Member of the customer panel, after the Whinmoor interruption"),
        Paragraph("After the interruption at Whinmoor", book.style["h2"]),
        *bullets(book, [
            "Text messages reach affected homes within 30 minutes; in May it took over four hours.",
            "The register of customers who need priority help grew from 38,900 to 57,400.",
            "A second trunk main between Whinmoor and Haddon Pike will be laid by 2027.",
        ]),
    ]


def _investment(book: Book) -> list[Flowable]:
    body = [[n, num(w), num(s), num(w + s)] for n, w, s in INVESTMENT]
    water, waste = sum(r[1] for r in INVESTMENT), sum(r[2] for r in INVESTMENT)
    body.append(["All programmes", num(water), num(waste), num(water + waste)])
    return [
        PageBreak(), *h1(book, "Investment"),
        *paras(book, f"We invested £{num(water + waste)} million, the largest sum in one year so "
                     "far. Wastewater takes the larger part for the first time."),
        marked("investment", table(
            book, ["£ million, 2024", "Water", "Wastewater", "Total"], body, [2.4, 1, 1, 1],
            totals=[-1])),
        Paragraph("Investment by programme, £ million", book.style["caption"]),
        bars(book.theme, [r[0] for r in INVESTMENT],
             [[r[1] for r in INVESTMENT], [r[2] for r in INVESTMENT]], ["Water", "Wastewater"],
             size=(book.body_width, 190), high=50, step=10, labels=None),
        *paras(
            book,
            "The storm tank at Skelder holds 18,500 cubic metres and was finished in November; "
            "those at Marle and Gannet Head follow in 2025. At Haddon Pike the spillway was "
            "widened from 24 to 31 metres so that the dam can pass a ten-thousand-year flood.",
        ),
    ]


def _accounts(book: Book) -> list[Flowable]:
    revenue, before = _total(REVENUE, 1), _total(REVENUE, 2)
    cost, cost_before = _total(COSTS, 1), _total(COSTS, 2)
    body = [[n, num(a), num(b)] for n, a, b in REVENUE]
    body.append(["Revenue", num(revenue), num(before)])
    body += [[n, num(-a), num(-b)] for n, a, b in COSTS]
    body += [
        ["Operating surplus", num(revenue - cost), num(before - cost_before)],
        ["Interest", num(-39.2), num(-36.8)],
        ["Surplus for the year", num(revenue - cost - 39.2), num(before - cost_before - 36.8)],
    ]
    return [
        PageBreak(), Mark("accounts"), *h1(book, "Summary accounts"),
        table(book, ["£ million", "2024", "2023"], body, [3.2, 1, 1], totals=[4, 12, 14]),
        *paras(
            book,
            f"Power cost £{num(41.3 - 34.9)} million less than in 2023, because half of it is now "
            "generated on our own sites. Net debt stood at £868 million at the end of the year, 61 "
            "per cent of the regulatory value.",
        ),
    ]


def _pay(book: Book) -> list[Flowable]:
    return [
        Paragraph("Executive pay", book.style["h2"]),
        marked("pay", table(
            book, ["£ thousand", "Salary", "Bonus", "Pension", "Total"],
            [["Henrietta Caldbeck-Rowe, Chief Executive", "312", "0", "31", "343"],
             ["Bartholomew Nkemelu, Finance Director", "228", "34", "23", "285"]],
            [3, 1, 1, 1, 1])),
        *paras(book, "The Chief Executive gave up the bonus for 2024 because of the interruption "
                     "in May.", style="note"),
    ]
