"""Tarn Valley Water, sustainability report 2024."""

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
    quote,
    side_by_side,
    table,
)
from scripts.demo_documents.book import Book, Built, Mark, contents, marked
from scripts.demo_documents.charts import bars, lines, ring, rows
from scripts.demo_documents.covers import cover, drop
from scripts.demo_documents.style import Theme, change, num
from scripts.demo_documents.water_data import CARBON, ENERGY_MIX, ORGANISATION

NAME = "tarn-valley-water-sustainability-report-2024.pdf"
_THEME = Theme(HexColor("#1f5c3f"), HexColor("#6fae4a"), HexColor("#eef6ec"), size=10.2)
_YEARS = ("2022", "2023", "2024")


def build(path: Path) -> Built:
    """Write the report."""
    book = Book(
        path, _THEME, title="Sustainability Report 2024", organisation=ORGANISATION,
        cover=cover(drop, ["Rivers, peat", "and power"], "Sustainability report 2024", "arcs",
                    "Prepared with reference to the annual report 2024. Printed on waste paper."),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (_summary, _carbon, _energy, _rivers, _land, _people):
        story += part(book)
    return book.make(story)


def _totals() -> tuple[float, ...]:
    return tuple(sum(values[i] for _, values in CARBON) for i in range(3))


def _summary(book: Book) -> list[Flowable]:
    totals = _totals()
    return [
        *h1(book, "Where we stand"),
        figures(book, [
            (f"{num(totals[2])} kt", "CO<sub>2</sub>e in 2024"),
            ("50%", "of electricity made on our own sites"),
            ("1,840 ha", "of blanket bog restored since 2019"),
            ("27%", "fewer storm overflow spills than in 2023"),
            ("64 km", "of river of good ecological status"),
            ("38%", "of leaders are women"),
        ], per_row=3),
        Paragraph("Contents", book.style["h2"]),
        contents(book.theme),
        *paras(
            book,
            "This report covers the calendar year 2024 and every site that Tarn Valley Water "
            "operates: 14 water treatment works, 97 wastewater treatment works, 1,210 pumping "
            "stations and 9,600 hectares of catchment land.",
        ),
        quote(book, "A water company is a river with a payroll.",
              "Dr Odalys Fenwright, Head of Catchments"),
    ]


def _carbon(book: Book) -> list[Flowable]:
    totals = _totals()
    body = [[name, *(num(v) for v in values), change(values[2], values[1])]
            for name, values in CARBON]
    body.append(["All emissions", *(num(v) for v in totals), change(totals[2], totals[1])])
    return [
        PageBreak(), *h1(book, "Greenhouse gases"),
        *paras(
            book,
            f"We emitted {num(totals[2])} thousand tonnes of carbon dioxide equivalent, "
            f"{num(totals[1] - totals[2])} thousand tonnes less than in 2023. Nitrous oxide and "
            "methane from treatment are now the largest source.<super>1</super>",
        ),
        marked("carbon", table(
            book, ["kt CO<sub>2</sub>e", *_YEARS, "Change on 2023"], body, [2.2, 1, 1, 1, 1.2],
            totals=[-1])),
        Paragraph("Emissions by source, kt CO<sub>2</sub>e", book.style["caption"]),
        bars(book.theme, _YEARS, [values for _, values in CARBON], [n for n, _ in CARBON],
             size=(book.body_width, 210), high=120, step=20, stacked=True),
        *paras(
            book,
            "Emissions from construction rose, because storm tanks need concrete. From 2025 every "
            "design above £2 million must show a variant with less of it.",
        ),
        *footnotes(book, "Process emissions are measured at nine works and estimated from load at "
                         "the others; the uncertainty is 22 per cent either way."),
    ]


def _energy(book: Book) -> list[Flowable]:
    half = (book.body_width - 14) / 2
    return [
        PageBreak(), *h1(book, "Energy"),
        *paras(book, "Our works used 248 GWh of electricity. Half of it was generated from sewage "
                     "gas, sunlight and falling water on our own sites."),
        side_by_side(
            book,
            [Mark("mix"), Paragraph("Electricity by source, 2024", book.style["caption"]),
             ring(book.theme, ENERGY_MIX, size=(half, 180), centre="248 GWh", fmt="%.0f%%")],
            [Paragraph("Own generation, GWh", book.style["caption"]),
             lines(book.theme, ("2020", "2021", "2022", "2023", "2024"),
                   [(71, 78, 86, 104, 124)], ["Own"], size=(half, 180), low=60, high=140,
                   step=20, labels="%d")],
        ),
        marked("sites", table(
            book, ["Site", "Technology", "Commissioned", "Capacity, MW", "Output 2024, GWh"],
            [["Low Haddon sludge centre", "Biogas engines", "2011, renewed 2023", "9.6", "58.4"],
             ["Marle works", "Biogas engines", "2016", "3.1", "18.5"],
             ["Whinmoor solar field", "Photovoltaic", "2022", "24.0", "22.9"],
             ["Reservoir House roof", "Photovoltaic", "2019", "0.4", "0.3"],
             ["Skelder floating array", "Photovoltaic", "2024", "7.2", "6.5"],
             ["Upper Tarn outlet", "Hydro turbine", "1998", "2.5", "11.2"],
             ["Haddon Pike spillway", "Hydro turbine", "2020", "1.4", "6.2"],
             ["All sites", "", "", "48.2", "124.0"]],
            [2.2, 1.4, 1.6, 1.1, 1.3], text_columns=3, totals=[-1])),
        callout(book, "The floating array", [
            "The 13,400 panels on Skelder Beck reservoir shade a fifth of its surface. In its "
            "first summer evaporation fell by an estimated 31 million litres and no bloom of "
            "blue-green algae was seen.",
        ]),
    ]


def _rivers(book: Book) -> list[Flowable]:
    names = ("Skelder", "Upper Tarn", "Marle Water", "Haddon Beck", "Isolde estuary")
    spills = {"Skelder": (812, 566), "Upper Tarn": (204, 171), "Marle Water": (967, 731),
              "Haddon Beck": (388, 262), "Isolde estuary": (530, 388)}
    body = [[n, *(f"{v:,}" for v in spills[n]), change(spills[n][1], spills[n][0]), q]
            for n, q in zip(names, ("Moderate", "Good", "Poor", "Good", "Moderate"), strict=True)]
    total = [sum(v[i] for v in spills.values()) for i in (0, 1)]
    body.append(["All waters", *(f"{v:,}" for v in total), change(total[1], total[0]), ""])
    return [
        PageBreak(), *h1(book, "Rivers and the estuary"),
        *paras(book, "Every one of our 284 storm overflows has a monitor. Spills are counted by "
                     "the 12-and-24-hour method and published within an hour of their start."),
        marked("spills", table(
            book, ["Receiving water", "Spills 2023", "Spills 2024", "Change", "Ecological status"],
            body, [1.8, 1, 1, 1, 1.4], totals=[-1])),
        Paragraph("Spills in 2024", book.style["caption"]),
        rows(book.theme, names, [spills[n][1] for n in names], size=(book.body_width, 140),
             high=800, step=200, labels="%d"),
        columns(book, paras(
            book,
            "<b>Phosphorus.</b> Six works now remove it with iron salts and reed beds; the load to "
            "Marle Water fell by 41 per cent. The reeds at Thornby are cut each February and sold "
            "to thatchers.",
            "<b>Fish.</b> A rock ramp of 38 steps replaced the weir at Gannet Mill in June. By the "
            "end of October, 312 salmon and 1,907 sea trout had been counted above it, the first "
            "there since 1868.",
            "<b>Bathing.</b> Two of three bathing waters were rated excellent. Port Isolde South "
            "slipped from good to sufficient after storms in late August.",
            "<b>Fines.</b> We paid £165,000 for the release of chlorinated water into Haddon Beck "
            "on 3 March, which killed about 240 brown trout.",
        )),
    ]


def _land(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("peat"), *h1(book, "Peat and catchments"),
        *paras(
            book,
            "Blanket bog is our oldest filter. Where it is drained and burnt, water turns brown "
            "and treatment needs more coagulant. Since 2019 we have blocked 212 kilometres of "
            "ditches with coir rolls and planted sphagnum on 1,840 hectares of Whinmoor.",
        ),
        Paragraph("Colour of raw water at Whinmoor, Hazen units, yearly mean",
                  book.style["caption"]),
        lines(book.theme, ("2018", "2019", "2020", "2021", "2022", "2023", "2024"),
              [(142, 139, 128, 117, 121, 104, 93)], ["Colour"], size=(book.body_width, 170),
              low=80, high=160, step=20, labels="%d"),
        *bullets(book, [
            "Grazing agreements were signed with 31 of 44 tenants; stocking is limited to 0.6 ewes "
            "a hectare between October and April.",
            "Golden plover nests rose from 57 to 83 pairs on the restored ground.",
            "Two wildfires in April burnt 46 hectares, both started by disposable barbecues.",
        ]),
        callout(book, "What it saves", [
            "Coagulant use at Whinmoor fell by 26 per cent between 2019 and 2024, which is worth "
            "£0.7 million a year. The restoration has cost £5.2 million so far.",
        ]),
    ]


def _people(book: Book) -> list[Flowable]:
    return [
        Paragraph("People", book.style["h2"]),
        marked("people", table(
            book, ["Measure", "2022", "2023", "2024", "Goal 2030"],
            [["Women in leadership", "31%", "35%", "38%", "45%"],
             ["Apprentices in training", "58", "71", "84", "120"],
             ["Lost-time injuries per million hours", "2.05", "1.76", "1.62", "1.00"],
             ["Days of volunteering", "640", "905", "1,130", "2,000"],
             ["Gap in median pay, women and men", "9.8%", "8.1%", "7.4%", "4.0%"]],
            [2.6, 1, 1, 1, 1])),
        *paras(
            book,
            "Two hundred and six colleagues retrained when Skelder control room was automated; "
            "nobody was made redundant. The figures on injuries include contractors on our sites.",
        ),
    ]
