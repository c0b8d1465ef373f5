"""The slide deck of a travel survey: landscape pages, one message a slide."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor, white
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import bullets, callout, figures, gap, quote, side_by_side, table
from scripts.demo_documents.book import Book, Built, Mark
from scripts.demo_documents.charts import bars, lines, ring, rows
from scripts.demo_documents.style import Theme

NAME = "slides-travel-survey-2024.pdf"
_THEME = Theme(HexColor("#3b2a6b"), HexColor("#e2574c"), HexColor("#f3f0fa"), size=13)
_SIZE = (254 * mm, 142.9 * mm)  # 16:9


def build(path: Path) -> Built:
    """Write the deck."""
    book = Book(
        path, _THEME, title="How Harrowmere travels: survey 2024",
        organisation="Harrowmere Mobility Forum", running="Travel survey 2024", pagesize=_SIZE,
        margins=(16 * mm, 15 * mm, 16 * mm, 15 * mm), cover=_title, chrome=_chrome,
    )
    story: list[Flowable] = [NextPageTemplate("body")]
    for slide in (_method, _modes, _distance, _satisfied, _why_not, _ages, _pay, _bikes, _future,
                  _next):
        story += [PageBreak(), *slide(book)]
    return book.make(story)


def _title(c: Canvas, book: Book) -> None:
    width, height = book.pagesize
    c.setFillColor(book.theme.primary)
    c.rect(0, 0, width, height, stroke=0, fill=1)
    for i, share in enumerate((0.42, 0.27, 0.16, 0.09, 0.06)):
        c.setFillColor(book.theme.accent if i % 2 == 0 else white, alpha=0.9 - i * 0.16)
        c.rect(width * 0.62, 40 + i * 62, width * 0.38 * share / 0.42, 34, stroke=0, fill=1)
    c.setFillColor(white)
    c.setFont(book.theme.heading, 38)
    c.drawString(22 * mm, height * 0.62, "How Harrowmere")
    c.drawString(22 * mm, height * 0.62 - 44, "travels")
    c.setFont(book.theme.regular, 14)
    c.drawString(22 * mm, height * 0.62 - 78, "Results of the travel survey 2024")
    c.setFont(book.theme.regular, 10)
    c.drawString(22 * mm, 16 * mm, "Harrowmere Mobility Forum, 12 November 2024")


def _chrome(c: Canvas, book: Book) -> None:
    width, _ = book.pagesize
    c.setFillColor(book.theme.primary)
    c.rect(0, 0, width, 8 * mm, stroke=0, fill=1)
    c.setFillColor(book.theme.accent)
    c.rect(width - 18 * mm, 0, 18 * mm, 8 * mm, stroke=0, fill=1)
    c.setFillColor(white)
    c.setFont(book.theme.regular, 8)
    c.drawString(16 * mm, 2.9 * mm, f"{book.organisation}  |  {book.running}")
    c.setFont(book.theme.bold, 9)
    c.drawCentredString(width - 9 * mm, 2.8 * mm, str(c.getPageNumber()))


def _head(book: Book, title: str, anchor: str, note: str = "") -> list[Flowable]:
    style = book.style["h1"].clone("slide", fontSize=23, leading=28, spaceAfter=4)
    small = book.style["note"].clone("base", fontSize=9.5, leading=12, spaceAfter=8)
    return [Mark(anchor), Paragraph(title, style), Paragraph(note or "&nbsp;", small)]


def _method(book: Book) -> list[Flowable]:
    return [
        *_head(book, "2,416 people told us about 7,903 trips", "method"),
        figures(book, [("2,416", "persons aged 12 and over"), ("7,903", "trips on one weekday"),
                       ("38%", "response rate"), ("±2.0", "points, margin of error at 95%")]),
        *bullets(book, [
            "Random sample of households in nine wards, drawn from the address register",
            "Travel diary for one weekday between 9 and 27 September 2024; paper or telephone app",
            "Weighted by age, ward and number of cars; 2019 was collected in the same manner",
            "Field work: Larkspur Opinion, Port Isolde",
        ]),
    ]


def _modes(book: Book) -> list[Flowable]:
    modes = ("Car, driver", "Walking", "Bus", "Car, passenger", "Bicycle", "Train")
    return [
        *_head(book, "The car still makes four trips in ten, but it is losing ground", "modes",
               "Main mode of transport, per cent of trips"),
        bars(book.theme, modes, [(41, 24, 13, 9, 8, 5), (47, 22, 12, 11, 4, 4)],
             ["2024", "2019"], size=(book.body_width, 235), high=60, step=20, labels="%d"),
    ]


def _distance(book: Book) -> list[Flowable]:
    return [
        *_head(book, "Half of all car trips are shorter than five kilometres", "distance",
               "Length of trips made by car drivers, per cent"),
        side_by_side(
            book,
            ring(book.theme, [("under 2 km", 19.0), ("2 to 5 km", 31.0), ("5 to 10 km", 24.0),
                              ("10 to 25 km", 17.0), ("over 25 km", 9.0)],
                 size=(book.body_width * 0.52, 220), centre="3,240 trips", fmt="%.0f%%"),
            [gap(16), callout(book, "What it means", [
                "A bicycle covers five kilometres in twenty minutes; the bus takes twenty-four in "
                "the peak, waiting included.",
                "Two thirds of the trips under two kilometres bring a child to school or fetch "
                "groceries.",
            ], width=book.body_width * 0.44)],
            share=0.53),
    ]


def _satisfied(book: Book) -> list[Flowable]:
    return [
        *_head(book, "Trains please most, buses least", "satisfied",
               "How content are you with …? Per cent, users of each mode in the last month"),
        table(
            book, ["Mode", "Very content", "Content", "Neither", "Discontent", "Very discontent"],
            [["Train", "31", "44", "14", "8", "3"], ["Bicycle", "27", "39", "12", "15", "7"],
             ["Walking", "22", "47", "17", "10", "4"], ["Car", "18", "42", "20", "14", "6"],
             ["Bus", "9", "32", "21", "26", "12"]],
            [1.4, 1, 1, 1, 1, 1.1], pad=7),
        quote(book, "The 14 comes on time or not at all. I prefer the not at all, then I know.",
              "Woman, 58, Tanner’s Yard"),
    ]


def _why_not(book: Book) -> list[Flowable]:
    return [
        *_head(book, "“Too slow” keeps people off the bus, not the fare", "reasons",
               "Reasons for not taking the bus, per cent of those who never do (n = 1,094)"),
        rows(book.theme, ("Takes too long", "Not where I am going", "Unreliable",
                          "No service in the evening", "Too expensive", "Too full",
                          "Do not feel safe"),
             (46, 38, 33, 29, 21, 12, 7), size=(book.body_width, 245), high=50, step=10,
             labels="%d", room=160, font=10.5),
    ]


def _ages(book: Book) -> list[Flowable]:
    return [
        *_head(book, "Under-thirties cycle twice as much as the over-sixties", "ages",
               "Trips by bicycle, per cent of all trips in the age group"),
        lines(book.theme, ("12–17", "18–29", "30–44", "45–59", "60–74", "75+"),
              [(14, 12, 9, 7, 5, 2), (8, 6, 4, 4, 3, 1)], ["2024", "2019"],
              size=(book.body_width, 240), low=0, high=16, step=4, labels="%d"),
    ]


def _pay(book: Book) -> list[Flowable]:
    return [
        *_head(book, "What travel costs a household in a month", "cost",
               "Mean spending in pounds, households by number of cars"),
        table(
            book, ["£ a month", "No car", "One car", "Two cars", "Three or more"],
            [["Fuel and charging", "0", "94", "187", "261"],
             ["Insurance and tax", "0", "58", "112", "166"],
             ["Repairs and parking", "4", "71", "129", "188"],
             ["Bus and train fares", "63", "38", "27", "31"],
             ["Taxi and hire", "29", "11", "8", "6"],
             ["All travel", "96", "272", "463", "652"]],
            [2, 1, 1, 1, 1.2], totals=[-1], pad=7),
    ]


def _bikes(book: Book) -> list[Flowable]:
    return [
        *_head(book, "One bicycle in three has a motor", "bikes",
               "Bicycles in households that own at least one, 2024"),
        side_by_side(
            book,
            ring(book.theme, [("Ordinary", 63.0), ("Electric", 29.0), ("Cargo, electric", 5.0),
                              ("Folding", 3.0)], size=(book.body_width * 0.52, 210),
                 centre="1,871", fmt="%.0f%%"),
            [gap(10), *bullets(book, [
                "41 per cent of owners have had a bicycle stolen",
                "Only one block of flats in six has a locked shed",
                "Most wanted: a lane that is apart from cars on Viaduct Parade",
            ])], share=0.53),
    ]


def _future(book: Book) -> list[Flowable]:
    return [
        *_head(book, "Majorities for trams and slow streets, none for a congestion charge",
               "opinions", "Do you agree that Harrowmere should …? Per cent"),
        table(
            book, ["Proposal", "Agree", "Disagree", "Undecided"],
            [["reopen the tram to Quay Street", "62", "23", "15"],
             ["limit speed to 30 km/h in residential streets", "57", "34", "9"],
             ["run night buses at weekends", "71", "11", "18"],
             ["turn a lane of Viaduct Parade over to bicycles", "49", "42", "9"],
             ["charge cars that enter the centre", "28", "59", "13"]],
            [3.2, 1, 1, 1], pad=7),
    ]


def _next(book: Book) -> list[Flowable]:
    return [
        *_head(book, "What happens next", "next"),
        table(
            book, ["When", "What", "Who"],
            [["December 2024", "Data set published, anonymised", "Larkspur Opinion"],
             ["January 2025", "Evening debate in the town hall", "Mobility Forum"],
             ["March 2025", "Night buses: trial on lines 3, 9 and 14", "Isolde Omnibus"],
             ["September 2026", "Next survey", "Mobility Forum"]],
            [1.2, 3, 1.6], text_columns=3, pad=7),
        *bullets(book, ["Questions: Cosima Threlkeld, chair of the working group on data"]),
    ]
