"""A product brochure: electric cargo bicycles, four pages in colour."""

from __future__ import annotations

from pathlib import Path

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect
from reportlab.lib.colors import HexColor, white
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import (
    bullets,
    callout,
    columns,
    h1,
    paras,
    quote,
    side_by_side,
    table,
)
from scripts.demo_documents.book import Book, Built, Mark, marked
from scripts.demo_documents.charts import rows
from scripts.demo_documents.covers import bird
from scripts.demo_documents.style import Theme

NAME = "brochure-martlet-cargo-bicycles-2025.pdf"
_THEME = Theme(HexColor("#16324f"), HexColor("#f26b38"), HexColor("#fdf1ea"), size=10.4)


def build(path: Path) -> Built:
    """Write the brochure."""
    book = Book(
        path, _THEME, title="Martlet cargo bicycles 2025", organisation="Martlet Cycles",
        running="Cargo bicycles 2025", cover=_front,
    )
    return book.make([NextPageTemplate("body"), PageBreak(), *_models(book), PageBreak(),
                      *_data(book), PageBreak(), *_prices(book)])


def _front(c: Canvas, book: Book) -> None:
    width, height = book.pagesize
    c.setFillColor(book.theme.accent)
    c.rect(0, 0, width, height, stroke=0, fill=1)
    c.setFillColor(book.theme.primary)
    c.circle(width * 0.5, 0, width * 0.72, stroke=0, fill=1)
    drawing = _bicycle(2.5, white)
    drawing.drawOn(c, width * 0.5 - 190, 120)
    bird(c, 24 * mm, height - 42 * mm, 16 * mm, white, book.theme.primary)
    c.setFillColor(white)
    c.setFont(book.theme.heading, 13)
    c.drawString(46 * mm, height - 34 * mm, book.organisation)
    c.setFont(book.theme.heading, 44)
    c.drawString(24 * mm, height - 92 * mm, "Leave the car.")
    c.drawString(24 * mm, height - 110 * mm, "Bring the sofa.")
    c.setFont(book.theme.regular, 14)
    c.drawString(24 * mm, height - 124 * mm, "Electric cargo bicycles, model year 2025")



def _bicycle(scale: float, colour: object) -> Drawing:
    """A long-tail bicycle with a box in front, as a line drawing 152 × 72 units large."""
    drawing = Drawing(152 * scale, 72 * scale)
    pen = {"strokeColor": colour, "strokeWidth": 2.2, "strokeLineCap": 1}
    for x, radius in ((128, 15), (22, 20)):
        drawing.add(Circle(x, radius + 1, radius, fillColor=None, **pen))
        drawing.add(Circle(x, radius + 1, 2.2, fillColor=colour, strokeColor=None))
    for line in ((22, 21, 46, 24), (22, 21, 38, 54), (46, 24, 38, 54), (46, 24, 64, 52),
                 (38, 50, 63, 48), (64, 58, 62, 44), (62, 44, 72, 18), (72, 18, 128, 16),
                 (31, 56, 44, 56), (58, 60, 70, 60), (46, 24, 72, 18)):
        drawing.add(Line(*line, **pen))
    drawing.add(Rect(74, 22, 44, 26, fillColor=None, **pen))
    drawing.add(Circle(46, 24, 5, fillColor=colour, strokeColor=None))
    drawing.scale(scale, scale)
    return drawing


def _models(book: Book) -> list[Flowable]:
    half = (book.body_width - 14) / 2
    return [
        *h1(book, "Three birds, one nest"),
        Paragraph("Every Martlet is welded in Kingsholt from chrome-molybdenum steel, painted with "
                  "powder, and ridden for twelve kilometres before it is sold.",
                  book.style["lead"]),
        Mark("models"),
        table(
            book, ["Swift", "Heron", "Pelican"],
            [["A long tail for two children or a week’s shopping. As nimble as a city bicycle.",
              "A box in front with a low floor. Belts for three, and a tent for rain.",
              "A flat bed for euro pallets, half size. Made for trades and couriers."],
             ["Colours: moss, brick, night blue", "Colours: moss, cream, signal yellow",
              "Colours: white, ready for your lettering"]],
            [1, 1, 1], text_columns=3, pad=8),
        side_by_side(
            book,
            [Paragraph("How far it goes", book.style["caption"]), Mark("range"),
             rows(book.theme, ("Swift", "Heron", "Heron, two batteries", "Pelican"),
                  (85, 62, 124, 48), size=(half, 150), high=140, step=20, labels="%d km",
                  room=95)],
            [_bicycle(1.5, book.theme.primary)], share=0.52),
        *paras(book, "Range in kilometres with half the permitted load, on the flat at 15 °C, "
                     "assistance at the second of four levels.", style="note"),
        columns(book, paras(
            book,
            "<b>The motor</b> sits at the crank, is as loud as rain on leaves, and pushes with up "
            "to 95 newton metres. It can be taken out with one tool.",
            "<b>The brakes</b> have four pistons each. From 25 km/h a Heron with 100 kilograms in "
            "the box stands after 5.2 metres.",
            "<b>The stand</b> lifts the wheel by itself when you let go. A child can climb in, "
            "and the bicycle will not budge.",
            "<b>The lock</b> is part of the frame and opens by key, never by telephone.",
        )),
        quote(book, "We sold the second car in the third week.", "Family Osei-Lundgren, Thornby"),
    ]


def _data(book: Book) -> list[Flowable]:
    return [
        *h1(book, "Technical data"),
        marked("data", table(
            book, ["", "Swift", "Heron", "Pelican"],
            [["Length, cm", "198", "252", "268"], ["Width, cm", "64", "72", "89"],
             ["Weight with battery, kg", "31.4", "44.8", "58.2"],
             ["Permitted total weight, kg", "210", "250", "320"],
             ["Load in box or on bed, kg", "80", "125", "180"],
             ["Motor torque, Nm", "75", "85", "95"],
             ["Battery, Wh", "630", "725", "725"],
             ["Charging time, h", "3.5", "4.0", "4.0"],
             ["Gears", "hub, 8", "hub, stepless", "hub, 5"],
             ["Drive", "belt", "belt", "chain"],
             ["Wheels, front and rear, inches", "24 / 26", "20 / 26", "20 / 20"],
             ["Rider’s height, cm", "152–194", "156–198", "160–200"],
             ["Children’s seats", "2", "3", "–"]],
            [2.4, 1, 1, 1], pad=5)),
        callout(book, "Warranty", [
            "Frame: ten years. Motor: three years. Battery: two years or 700 full charges, after "
            "which it must still hold 70 per cent of its capacity. Wear parts such as belts, "
            "pads and tyres are excluded.",
        ]),
        Paragraph("Made to be repaired", book.style["h2"]),
        *bullets(book, [
            "Spare parts are kept for fifteen years after the last bicycle of a model was built.",
            "All screws are of four sizes. The spanner is under the saddle.",
            "Repair instructions are free for everybody, and not only for dealers.",
        ]),
    ]


def _prices(book: Book) -> list[Flowable]:
    return [
        *h1(book, "Prices and test rides"),
        marked("prices", table(
            book, ["Recommended prices, VAT included", "Swift", "Heron", "Pelican"],
            [["Bicycle with one battery", "£3,490", "£5,290", "£6,150"],
             ["Second battery", "–", "£690", "£690"],
             ["Rain tent", "£145", "£289", "–"],
             ["Child seat with belts", "£129", "£79", "–"],
             ["Aluminium box with lid, 410 litres", "–", "–", "£560"],
             ["Trailer coupling", "£85", "£85", "£110"],
             ["Yearly service", "£98", "£126", "£148"]],
            [2.6, 1, 1, 1], pad=6)),
        *paras(book, "Lease through your employer from £62 (Swift), £94 (Heron) or £109 (Pelican) "
                     "a month over 36 months. Prices hold from 1 February to 31 December 2025."),
        Paragraph("Where to ride one", book.style["h2"]),
        table(
            book, ["Town", "Dealer", "Test rides", "Models"],
            [["Harrowmere", "Velo Viaduct, 31 Viaduct Parade", "Tue–Sat", "all"],
             ["Port Isolde", "The Tide Wheel, 8 Lantern Quay", "Wed–Sun", "Swift, Heron"],
             ["Kingsholt", "Factory shop, Foundry Gate", "Mon–Fri", "all"],
             ["Thornby", "Spoke and Hearth, 2 Ropewalk", "Fri, Sat", "Swift, Heron"],
             ["Brackwater", "Haulage by Pedal, 77 Dock Road", "by appointment", "Pelican"]],
            [1, 2.2, 1.2, 1.1], text_columns=4, pad=5),
        columns(book, paras(
            book,
            "Bring children, dogs and boxes; a test ride with an empty bicycle says little. It is "
            "free, takes an hour, and we ask for an identity card as a deposit.",
            "Martlet Cycles, Foundry Gate 5, Kingsholt. Telephone 0555 017 260. The illustrations "
            "show extras that cost more. We reserve the right to improve things.",
        )),
    ]
