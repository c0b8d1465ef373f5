"""Minutes of a committee of the Borough of Harrowmere."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, NextPageTemplate, Paragraph

from scripts.demo_documents.blocks import gap, paras, side_by_side, table
from scripts.demo_documents.book import Book, Built, Mark, marked, running_chrome
from scripts.demo_documents.covers import tower
from scripts.demo_documents.style import Theme

NAME = "minutes-town-centre-committee-2025-01.pdf"
_THEME = Theme(HexColor("#5a1f2b"), HexColor("#c79a3b"), HexColor("#f8f3ea"), text="Times",
               display="Times", size=11)


def build(path: Path) -> Built:
    """Write the minutes."""
    book = Book(
        path, _THEME, title="Minutes of the Town Centre Committee, 14 January 2025",
        organisation="Borough of Harrowmere", running="Town Centre Committee, 14 January 2025",
        cover=_letterhead,
    )
    return book.make([NextPageTemplate("body"), *_opening(book), *_middle(book), *_closing(book)])


def _letterhead(c: Canvas, book: Book) -> None:
    _, height = book.pagesize
    running_chrome(c, book)
    tower(c, 22 * mm, height - 31 * mm, 12 * mm, book.theme.primary, book.theme.accent)
    c.setFillColor(book.theme.primary)
    c.setFont(book.theme.heading, 15)
    c.drawString(38 * mm, height - 25 * mm, "Borough of Harrowmere")
    c.setFont(book.theme.regular, 10)
    c.setFillColor(book.theme.muted)
    c.drawString(38 * mm, height - 30 * mm, "Town Centre Committee")


def _item(book: Book, number: int, title: str, *texts: str) -> list[Flowable]:
    return [Paragraph(f"{number}.  {title}", book.style["h2"]), *paras(book, *texts)]


def _opening(book: Book) -> list[Flowable]:
    return [
        gap(30),
        Paragraph("Minutes", book.style["h1"]),
        *paras(book, "of the meeting held on Tuesday 14 January 2025 at 18:30 in the Weavers’ "
                     "Room, Town Hall"),
        Mark("present"),
        side_by_side(
            book,
            [Paragraph("Present", book.style["h3"]),
             *paras(book, "Cllr Hortensia Mbeki-Vale (chair)<br/>Cllr Ansel Pettifer<br/>"
                          "Cllr Rosalind Quaye<br/>Cllr Dafydd Ormerod<br/>Cllr Ingrid Saltash<br/>"
                          "Cllr Bram Ellicott")],
            [Paragraph("In attendance", book.style["h3"]),
             *paras(book, "Jocasta Wyndham-Ruiz, town centre manager<br/>Tobias Falk-Emery, "
                          "highways<br/>Sgt Lorna Kettleby, police<br/>Milo Harcastle, clerk"),
             Paragraph("Apologies", book.style["h3"]), *paras(book, "Cllr Fitzroy Abernant")]),
        *_item(book, 1, "Minutes of the last meeting",
               "The minutes of 3 December 2024 were approved with one correction: in item 6, "
               "“Mill Lane” is to read “Mill Street”."),
        *_item(book, 2, "Declarations of interest",
               "Cllr Quaye declared that her brother holds a pitch on the street market and took "
               "no part in item 9."),
        *_item(book, 3, "Matters arising",
               "The broken clock on the Corn Exchange has been taken to the maker. It will return "
               "in April; the estimate of £3,850 is within the budget for repairs."),
        *_item(book, 4, "Police report",
               "Sgt Kettleby reported 47 thefts from shops in the last quarter, down from 63. Two "
               "persons are responsible for nineteen of them and have been charged. Members asked "
               "for figures on stolen bicycles, which the police do not hold by street."),
    ]


def _middle(book: Book) -> list[Flowable]:
    return [
        *_item(book, 5, "Viaduct Parade bus station",
               "Mr Falk-Emery presented the order of the works. Demolition begins on 5 May. From "
               "then until March 2026 buses stop in Mill Street, where four shelters will be put "
               "up. Traders fear for deliveries; a loading bay will be kept free until eleven each "
               "morning.",
               "<b>Resolved</b> (5 for, 1 against): to approve the traffic order for Mill Street."),
        *_item(book, 6, "Market hall: heating",
               "Three offers were opened. The committee preferred the heat pump, although it is "
               "not the cheapest, because it needs no flue through the listed roof."),
        marked("offers", table(
            book, ["Bidder", "System", "Price, £", "Running cost a year, £", "Weeks"],
            [["Pendlebury Heating", "Gas boiler", "48,200", "14,600", "5"],
             ["Arkwright & Thole", "Air-source heat pump", "71,900", "8,300", "9"],
             ["Corvane Energy", "Electric panels", "39,750", "21,400", "3"]],
            [1.6, 1.7, 0.9, 1.3, 0.7], text_columns=2)),
        *paras(book, "<b>Resolved</b> (unanimously): to accept the offer of Arkwright & Thole and "
                     "to apply for £20,000 from the climate fund."),
        Mark("licences"),
        *_item(book, 7, "Licences for tables on the pavement",
               "Eleven applications. Nine were granted until 31 October. That of the Gilded Pike "
               "was refused, because less than 1.5 metres of pavement would remain; that of Café "
               "Orla was deferred until the drawing shows the lamp post."),
        *_item(book, 8, "Winter lights",
               "The lights cost £26,430, of which traders gave £9,200. The switching-on drew an "
               "estimated 6,500 people. Cllr Ormerod asked that the reindeer, which faced the "
               "wrong way, be turned next year. This was noted."),
        Mark("market"),
        *_item(book, 9, "Street market: rent of pitches",
               "The town centre manager proposed to raise the rent from £24 to £26 a day. Members "
               "pointed to the number of empty pitches, 17 of 62 on an average Saturday.",
               "<b>Resolved</b> (3 for, 2 against, Cllr Quaye not voting): to leave the rent at "
               "£24 a day."),
    ]


def _closing(book: Book) -> list[Flowable]:
    return [
        *_item(book, 10, "Public toilets in Priory Gardens",
               "The contractor has gone out of business with the roof unfinished. The clerk will "
               "obtain two new estimates. Until then portable units cost £310 a week."),
        *_item(book, 11, "Tree planting",
               "Thirty-two field maples and eight ginkgos will be planted between Quay Street and "
               "the library before the end of March. Schools have been asked to name them."),
        *_item(book, 12, "Any other business",
               "Cllr Saltash reported loose setts outside the Corn Exchange. Cllr Ellicott thanked "
               "the staff who cleared the snow on 7 January before six in the morning."),
        Paragraph("Actions", book.style["h2"]),
        marked("actions", table(
            book, ["No.", "Action", "Who", "By"],
            [["5", "Publish the traffic order and write to all traders of Mill Street",
              "T. Falk-Emery", "31 January"],
             ["6", "Apply to the climate fund", "J. Wyndham-Ruiz", "14 February"],
             ["7", "Ask Café Orla for a corrected drawing", "M. Harcastle", "24 January"],
             ["10", "Obtain two estimates for the roof", "M. Harcastle", "28 February"],
             ["11", "Agree planting dates with schools", "J. Wyndham-Ruiz", "7 February"],
             ["12", "Inspect the setts at the Corn Exchange", "T. Falk-Emery", "17 January"]],
            [0.5, 3.2, 1.3, 1], text_columns=4, pad=5)),
        *paras(book, "The meeting closed at 20:52. The next meeting is on Tuesday 11 February 2025 "
                     "at 18:30 in the same room."),
        gap(26),
        *paras(book, "Signed ......................................................   Chair"
                     "&nbsp;&nbsp;&nbsp;&nbsp; Date ..............................."),
    ]
