"""Two filled-in forms whose boxes are ticked by drawing, not by characters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, Table

from scripts.demo_documents.blocks import Cell, check, gap, numbered, paras, table
from scripts.demo_documents.book import Book, Built, Mark
from scripts.demo_documents.style import Theme

PERMIT = "form-building-inspection-bc17.pdf"
GRANT = "form-small-grant-application.pdf"

_TOWN = Theme(HexColor("#2f3e4e"), HexColor("#8a9ba8"), HexColor("#eef1f3"), size=9.6)
_FUND = Theme(HexColor("#5a2a50"), HexColor("#c9873e"), HexColor("#f6eff4"), text="Vera",
              display="Vera", size=8.6)

# item, ticked column (0 pass, 1 fail, 2 not applicable), remark
_ITEMS = (
    ("Foundations and ground floor slab", 2, "Passed on 3 June"),
    ("Steel frame, connections torqued", 0, ""),
    ("Party wall, fire stopping at roof", 1, "Gap of 40 mm at grid line C"),
    ("Escape stair, width and handrail", 0, "1,120 mm measured"),
    ("Smoke detection, ground floor", 0, ""),
    ("Smoke detection, mezzanine", 1, "Two heads still in dust caps"),
    ("Emergency lighting", 0, "Three-hour test seen"),
    ("Accessible entrance, gradient", 0, "1 in 18"),
    ("Rainwater drainage to soakaway", 2, "Discharges to the dock"),
)
_COSTS = (
    ("Instruments, 14 second-hand", "3,360"),
    ("Tutor, 40 evenings at £55", "2,200"),
    ("Hire of Tannery Hall", "960"),
    ("Music and stands", "415"),
    ("Insurance", "185"),
)


def build_permit(path: Path) -> Built:
    """Write form BC-17: a building control inspection, two pages."""
    book = _book(path, _TOWN, "Form BC-17: Site inspection record", "Harrowmere Building Control")
    half = book.body_width / 2
    story: list[Flowable] = [
        Mark("details"), *_title(book, "Site inspection record", "BC-17 (rev. 4)"),
        _section(book, "A   Site and permit"),
        _fields(book, [
            ("Permit number", "BC/2024/0318"), ("Date of visit", "14 October 2024"),
            ("Site", "Quayside Mill, 21 Tannery Wharf"), ("Use", "Workshops and studio"),
            ("Owner", "Tannery Wharf Co-operative"), ("Contractor", "Dunmallet Builders Ltd"),
            ("Inspector", "F. Abernethy-Cole"), ("Weather", "Dry, 11 °C"),
        ]),
        _section(book, "B   Stage inspected (tick all that apply)"),
        _choices(book, [("Foundations", False), ("Drainage", False), ("Structural frame", True),
                        ("Fire safety", True), ("Insulation", False), ("Completion", False)], 3),
        _section(book, "C   Findings"), Mark("findings"),
        table(
            book, ["Item", "Pass", "Fail", "N/A", "Remark"],
            [[item, *(check(i == ticked) for i in range(3)), remark]
             for item, ticked, remark in _ITEMS],
            [3.2, 0.6, 0.6, 0.6, 2.6], text_columns=5, pad=5,
        ),
        *paras(book, "Items marked Fail must be put right before the next stage begins. A remark "
                     "does not replace a tick.", style="note"),
        PageBreak(), Mark("decision"), *_title(book, "Site inspection record", "Sheet 2"),
        _section(book, "D   Decision (tick one)"),
        _choices(book, [("Approved", False), ("Approved with conditions", True),
                        ("Not approved", False), ("Work to stop", False)], 2),
        _section(book, "E   Conditions and time limits"),
        *numbered(book, [
            "Close the gap in the fire stopping at grid line C with mineral wool and intumescent "
            "sealant, and leave it uncovered until it has been seen.",
            "Remove the dust caps from both detector heads on the mezzanine and repeat the sound "
            "test in the presence of the co-operative’s caretaker.",
            "Send photographs of both items within 21 days of the visit.",
        ]),
        gap(6), _section(book, "F   Papers received on site"),
        _choices(book, [("Structural calculations", True), ("Fire strategy", True),
                        ("Electrical certificate", False), ("Energy statement", False),
                        ("Asbestos survey", True), ("Torque log", True)], 2),
        _section(book, "G   Re-inspection"),
        _choices(book, [("Needed, fee payable", False), ("Needed, no fee", True),
                        ("Not needed", False)], 3),
        gap(18), _signatures(book, ("Inspector", "For the owner"), half),
        gap(10),
        *paras(book, "Appeals go to the Town Clerk, Guildhall, Harrowmere, within 28 days. Keep "
                     "this record with the building’s safety file.", style="note"),
    ]
    return book.make(story)


def build_grant(path: Path) -> Built:
    """Write the application for a small grant, two pages."""
    book = _book(path, _FUND, "Small grants 2025: application", "Tarnside Community Foundation")
    rows: list[list[Cell]] = [[item, cost] for item, cost in _COSTS]
    total = sum(int(cost.replace(",", "")) for _, cost in _COSTS)
    rows.append(["Total cost", f"{total:,}"])
    story: list[Flowable] = [
        Mark("applicant"), *_title(book, "Small grants 2025", "Application 2025-064"),
        _section(book, "1   Who is applying"),
        _fields(book, [
            ("Organisation", "Quayside Brass for Beginners"), ("Founded", "2021"),
            ("Contact", "Wilhelmina Oakeshott"), ("Position", "Treasurer"),
            ("Members", "37, of whom 22 are under 18"), ("Bank", "Harrowmere Savings Bank"),
        ]),
        _section(book, "2   Kind of organisation (tick one)"),
        _choices(book, [("Registered charity", False), ("Unincorporated club", True),
                        ("Community interest company", False), ("School or college", False),
                        ("Faith group", False), ("Other", False)], 3),
        _section(book, "3   What the grant is for"),
        *paras(
            book,
            "We want to start a second beginners’ band on Thursday evenings. The first band has "
            "been full since September 2023 and nineteen people are waiting, most of them from "
            "the streets around Tannery Wharf.",
            "Instruments are lent free of charge. Learners pay £2 an evening if they can. In "
            "return the band plays at the lantern walk, at the lifeboat day and in two care homes.",
        ),
        _section(book, "4   Who will benefit (tick all that apply)"),
        _choices(book, [("Children under 12", True), ("Young people 12–18", True),
                        ("Adults 19–64", False), ("People over 65", True),
                        ("People with a disability", False), ("Newcomers to the town", True)], 3),
        PageBreak(), Mark("costs"), *_title(book, "Small grants 2025", "Application 2025-064"),
        _section(book, "5   What it costs"),
        table(book, ["Item", "£"], rows, [4, 1], totals=[-1]),
        *paras(book, f"Of the total we raise <b>£{total - 5000:,}</b> ourselves through two "
                     "concerts and ask the Foundation for <b>£5,000</b>."),
        _section(book, "6   Other funders asked (tick all that apply)"), Mark("funders"),
        _choices(book, [("Town council", False), ("Northfield Rail community fund", True),
                        ("Lottery", False), ("Local business", True)], 2),
        _section(book, "7   Declarations"),
        _choices(book, [("We have a safeguarding policy", True),
                        ("Two unrelated people sign for payments", True),
                        ("We have had a grant from the Foundation before", False),
                        ("We will report within twelve months", True)], 1),
        gap(16), _signatures(book, ("Treasurer", "Chair"), book.body_width / 2), gap(12),
        _section(book, "For office use"),
        _choices(book, [("Complete", True), ("Returned for more information", False),
                        ("Visit arranged", True)], 3),
        *paras(book, "Received 31 January 2025. Panel of 6 March 2025.", style="note"),
    ]
    return book.make(story)


def _book(path: Path, theme: Theme, title: str, organisation: str) -> Book:
    return Book(path, theme, title=title, organisation=organisation,
                margins=(20 * mm, 18 * mm, 20 * mm, 22 * mm))


def _title(book: Book, title: str, number: str) -> list[Flowable]:
    head = book.style["h1"].clone("formtitle", fontSize=17, leading=21, spaceAfter=0)
    right = book.style["cellr"]
    left = f"{title}<br/><font size='9'>{book.organisation}</font>"
    return [Table([[Paragraph(left, head), Paragraph(f"<b>{number}</b>", right)]],
                  [book.body_width * 0.7, book.body_width * 0.3], spaceAfter=8,
                  style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (0, 0), 0),
                         ("LINEBELOW", (0, 0), (-1, 0), 1.4, book.theme.primary)])]


def _section(book: Book, title: str) -> Flowable:
    style = book.style["cellh"].clone("bar", backColor=book.theme.primary, borderPadding=(3, 5, 4),
                                      spaceBefore=11, spaceAfter=9, leftIndent=5, rightIndent=5)
    return Paragraph(title, style)


def _fields(book: Book, fields: Sequence[tuple[str, str]]) -> Table:
    """Labelled boxes, two in a row, filled in by hand."""
    hand = book.style["cell"].clone("hand", fontName=book.theme.italic, fontSize=11, leading=14,
                                    textColor="#1f3f8f")
    cells = [[Paragraph(label, book.style["note"]), Paragraph(value, hand)]
             for label, value in fields]
    return Table([cells[i : i + 2] for i in range(0, len(cells), 2)], [book.body_width / 2] * 2,
                 style=[("GRID", (0, 0), (-1, -1), 0.6, book.theme.rule),
                        ("TOPPADDING", (0, 0), (-1, -1), 1)])


def _choices(book: Book, items: Sequence[tuple[str, bool]], per_row: int) -> Table:
    """Options with their boxes."""
    box = 18
    width = book.body_width / per_row - box
    cells = [[check(ticked, 10), Paragraph(text, book.style["cell"])] for text, ticked in items]
    cells += [["", ""]] * (-len(cells) % per_row)
    grid = [[part for cell in cells[i : i + per_row] for part in cell]
            for i in range(0, len(cells), per_row)]
    return Table(grid, [box, width] * per_row, hAlign="LEFT",
                 style=[("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                        ("TOPPADDING", (0, 0), (-1, -1), 2.5)])


class _Signature(Flowable):
    """A scribble over a line."""

    def __init__(self, width: float, seed: int) -> None:
        super().__init__()
        self.width, self.height, self.seed = width, 34, seed

    def draw(self) -> None:
        """Draw the pen's way."""
        c: Canvas = self.canv
        c.setStrokeColor(HexColor("#1f3f8f"))
        c.setLineWidth(1.1)
        path = c.beginPath()
        path.moveTo(8, 12)
        for i in range(7):
            lift = (self.seed * (i + 3) * 7) % 17
            x = 8 + i * 15
            path.curveTo(x + 3, 22 + lift, x + 9, -2 - lift / 3, x + 15, 10 + lift / 4)
        c.drawPath(path, stroke=1, fill=0)
        c.setStrokeColor(HexColor("#66707c"))
        c.setLineWidth(0.6)
        c.line(0, 2, self.width - 20, 2)


def _signatures(book: Book, roles: Sequence[str], width: float) -> Table:
    return Table([[_Signature(width, i + 2) for i in range(len(roles))],
                  [Paragraph(role, book.style["note"]) for role in roles]],
                 [width] * len(roles), style=[("LEFTPADDING", (0, 0), (-1, -1), 0)])
