"""A dishwasher's user manual: drawings with numbered parts, programmes, troubleshooting."""

from __future__ import annotations

from pathlib import Path

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor, white
from reportlab.lib.pagesizes import A5
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import bullets, callout, columns, h1, numbered, paras, table
from scripts.demo_documents.book import Book, Built, Mark, contents
from scripts.demo_documents.covers import bird, cover
from scripts.demo_documents.style import Theme

NAME = "manual-kelvara-dw640-dishwasher.pdf"
_THEME = Theme(HexColor("#24303a"), HexColor("#2d8fb0"), HexColor("#edf4f7"), size=9)

_PARTS = (
    "Upper spray arm", "Cutlery drawer", "Rinse aid compartment", "Detergent drawer",
    "Salt container", "Filter, three parts", "Rating plate",
)
_PROGRAMMES = (
    ("P1  Intensive 70", "70", "2:25", "15.5", "1.45"),
    ("P2  Auto", "45–65", "1:40–2:30", "8–14", "0.95"),
    ("P3  Eco 50", "50", "3:55", "9.5", "0.74"),
    ("P4  Glass 40", "40", "1:30", "11.0", "0.80"),
    ("P5  Quick", "45", "0:35", "9.0", "0.78"),
    ("P6  Rinse and wait", "Cold", "0:12", "4.0", "0.05"),
)
_FAULTS = (
    ("E1", "No water comes in", "Tap closed, or inlet sieve blocked",
     "Open the tap. Unscrew the hose and rinse the sieve."),
    ("E2", "Water stays in the machine", "Drain hose kinked, or filter blocked",
     "Straighten the hose. Clean the filter (page “Care”)."),
    ("E4", "Water in the base tray", "Leak, or too much foam",
     "Close the tap and call the service. Never use washing-up liquid."),
    ("E7", "Water does not get warm", "Heater or sensor faulty", "Call the service."),
    ("–", "White film on glasses", "Salt container empty, or hardness set too low",
     "Fill in salt. Raise the setting by one step."),
    ("–", "Streaks on glasses", "Too much rinse aid", "Lower the dose by one step."),
    ("–", "Rattling during washing", "Spray arm hits a plate", "Stack the plates lower."),
    ("–", "Door springs open", "Child lock not engaged", "Press the door until it clicks twice."),
)


def build(path: Path) -> Built:
    """Write the manual."""
    book = Book(
        path, _THEME, title="Kelvara DW 640", organisation="Kelvara Home Appliances",
        running="DW 640 user manual", pagesize=A5,
        margins=(15 * mm, 17 * mm, 15 * mm, 20 * mm),
        cover=cover(bird, ["Dishwasher DW 640", "User manual"], "Read this before the first wash",
                    "arcs", "Document 640-EN-07, for machines from serial number 4410000"),
    )
    story: list[Flowable] = [NextPageTemplate("body"), PageBreak()]
    for part in (_safety, _parts, _installing, _first, _programmes, _care, _faults, _data):
        story += part(book)
    return book.make(story)


def _safety(book: Book) -> list[Flowable]:
    return [
        *h1(book, "Safety"),
        callout(book, "Danger of scalding", [
            "The steam that leaves the machine when it is opened during a programme is hot. Wait "
            "until the lamp “Wait” goes out.",
        ], edge=HexColor("#b5402f"), ground=HexColor("#fbeeec")),
        *bullets(book, [
            "Put knives into the cutlery drawer with the blade facing down.",
            "Children from the age of eight may use the machine if an adult has shown them how.",
            "Do not sit or stand on the open door. It carries no more than 12 kg.",
            "Detergent is caustic. Keep it out of children’s reach.",
            "Close the tap when you go away for more than three days.",
        ]),
        Paragraph("Contents", book.style["h2"]), contents(book.theme),
    ]


def _parts(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("parts"), *h1(book, "The parts of your machine"),
        _front(), columns(book, numbered(book, _PARTS)),
        PageBreak(), Mark("panel"), *h1(book, "The control panel"), _panel(book.body_width),
        *bullets(book, [
            "<b>A</b> switches the machine on and off. <b>B</b> selects the programme.",
            "<b>C</b> delays the start by up to 24 hours in steps of one hour.",
            "<b>D</b> washes only the upper basket. <b>E</b> starts the programme; held for three "
            "seconds, it cancels it.",
        ]),
        Paragraph("What the display shows", book.style["h2"]),
        table(book, ["Display", "Meaning"], [
            ["3:55", "Time left, in hours and minutes"], ["h 06", "Start delayed by six hours"],
            ["- - -", "Programme interrupted, door open"], ["CL", "Child lock engaged"],
            ["SA", "Salt used up"], ["E1 to E7", "Fault; see “If something does not work”"],
        ], [1, 3], text_columns=2),
        callout(book, "Opening during a programme", [
            "Open the door a hand’s breadth and wait ten seconds until the spray arms stand still. "
            "After closing, the programme goes on by itself.",
        ]),
    ]


def _installing(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("installing"), *h1(book, "Installing"),
        *paras(book, "The recess under the worktop needs the dimensions in the drawing, in "
                     "millimetres. Leave the back open at the bottom for the hoses."),
        _recess(book.body_width),
        *numbered(book, [
            "Screw the inlet hose to a cold-water tap with a ¾ inch thread. The pressure must lie "
            "between 0.5 and 10 bar.",
            "Lead the drain hose over a loop at least 40 cm and at most 100 cm above the floor.",
            "Turn the feet until a spirit level on the door shows level; the front feet have a "
            "range of 60 mm.",
            "Fix the machine to the worktop with the two brackets supplied.",
            "Plug in only when the hoses are tight.",
        ]),
        callout(book, "Moving house", ["Run P6 without dishes and empty the salt container, "
                                       "otherwise brine may reach the base tray."]),
    ]


def _first(book: Book) -> list[Flowable]:
    hardness = [["0–6", "H0", "no salt"], ["7–12", "H1", "every 5 weeks"],
                ["13–18", "H2", "every 3 weeks"], ["19–24", "H3", "every 2 weeks"],
                ["over 24", "H4", "every week"]]
    return [
        PageBreak(), Mark("hardness"), *h1(book, "Before the first wash"),
        *paras(book, "Ask your water supplier how hard the water is, and set the softener to it. "
                     "Hold B while you switch on; the display shows the current setting."),
        table(book, ["Hardness, °dH", "Setting", "Refill of salt"], hardness, [1, 1, 1.4],
              text_columns=3),
        *paras(book, "The machine leaves the factory with setting H2."),
        Paragraph("Filling in salt", book.style["h2"]),
        *numbered(book, [
            "Take out the lower basket and unscrew the cap of the salt container.",
            "The first time only, fill the container with one litre of water.",
            "Pour in 1.2 kg of coarse salt through the funnel. Water overflows; this is normal.",
            "Screw the cap on tightly and run P6 at once, so that no brine stays on the steel.",
        ]),
        Paragraph("Rinse aid", book.style["h2"]),
        *paras(book, "The compartment holds 110 ml, enough for about 30 washes. Turn the dial "
                     "between 1 and 6; begin with 4."),
    ]


def _programmes(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("programmes"), *h1(book, "Programmes"),
        table(book, ["Programme", "Temperature, °C", "Duration, h", "Water, l", "Energy, kWh"],
              [list(row) for row in _PROGRAMMES], [2, 1.1, 1.1, 0.9, 0.9], pad=5),
        *paras(book, "Values measured with cold water of 15 °C and a full load. P3 is the "
                     "programme for normally soiled dishes and the most economical in energy and "
                     "water taken together.", style="note"),
        Paragraph("Extra functions", book.style["h2"]),
        *bullets(book, [
            "<b>Half</b> washes the upper basket only and saves a quarter of the water.",
            "<b>Dry+</b> raises the last rinse to 68 °C and takes 20 minutes longer. It cannot be "
            "combined with P4 or P5.",
            "<b>Night</b> lowers the noise to 39 dB(A) and doubles the duration of P2.",
        ]),
        callout(book, "Not for the machine", [
            "Wood, copper, glued handles, crystal with lead, and aluminium turn dull or break.",
        ]),
    ]


def _care(book: Book) -> list[Flowable]:
    plan = [["Filter", "every week", "rinse under running water"],
            ["Door seal", "every month", "wipe with a damp cloth"],
            ["Spray arms", "every 3 months", "take off and shake out"],
            ["Inlet sieve", "every year", "rinse, close the tap first"],
            ["Inside", "every 2 months", "run P1 empty with machine cleaner"]]
    return [
        PageBreak(), Mark("care"), *h1(book, "Care"),
        table(book, ["What", "How often", "How"], plan, [1, 1, 2], text_columns=3, pad=5),
        Paragraph("Cleaning the filter", book.style["h2"]),
        *numbered(book, [
            "Turn the inner cylinder a quarter turn to the left and lift it out.",
            "Pull the flat sieve from its seat; the fine mesh comes with it.",
            "Rinse all three parts from the back. Do not use a wire brush.",
            "Put them back and turn until the arrows meet.",
        ]),
        callout(book, "Never without a filter", ["A washing pump damaged by glass or bones is "
                                                 "not covered by the guarantee."]),
    ]


def _faults(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("faults"), *h1(book, "If something does not work"),
        *paras(book, "Many faults can be put right without help. Note the code in the display "
                     "before you switch the machine off."),
        table(book, ["Code", "What you see", "Likely cause", "What to do"],
              [list(row) for row in _FAULTS], [0.68, 1.4, 1.65, 2.1], text_columns=4, pad=6),
        *paras(book, "Service: telephone 0555 640 640, Monday to Saturday from 8 to 18 o’clock. "
                     "Have the serial number at hand; it is on the rating plate."),
    ]


def _data(book: Book) -> list[Flowable]:
    data = [["Height × width × depth", "815 × 598 × 550 mm"], ["Weight", "38.5 kg"],
            ["Place settings", "14"], ["Mains", "220–240 V, 50 Hz, fuse 10 A"],
            ["Connected load", "1,900 W"], ["Noise", "43 dB(A) re 1 pW"],
            ["Standby", "0.4 W"], ["Spare parts kept for", "10 years"]]
    return [
        PageBreak(), Mark("data"), *h1(book, "Technical data and guarantee"),
        table(book, ["Model DW 640", ""], data, [1.4, 2], text_columns=2),
        *paras(book, "Kelvara guarantees the machine for three years from the day of purchase and "
                     "the tub for ten. Keep the receipt. The guarantee covers material and "
                     "making; it does not cover glass, lamps, or damage from lime."),
    ]


def _label(d: Drawing, x: float, y: float, text: str, size: float = 8, bold: bool = True) -> None:
    font = _THEME.bold if bold else _THEME.regular
    d.add(String(x, y, text, fontName=font, fontSize=size, textAnchor="middle",
                 fillColor=_THEME.ink))


def _box(d: Drawing, x: float, y: float, w: float, h: float, fill: str = "#f4f7f9") -> None:
    d.add(Rect(x, y, w, h, fillColor=HexColor(fill), strokeColor=_THEME.ink, strokeWidth=0.9))


def _front() -> Drawing:
    """The open machine with numbered parts; the numbers follow the legend."""
    d = Drawing(270, 262, hAlign="CENTER")
    _box(d, 40, 60, 170, 190)
    _box(d, 50, 215, 150, 18, "#dfe8ee")
    for y in (150, 95):
        _box(d, 50, y, 150, 34, "#ffffff")
        for i in range(11):
            d.add(Line(58 + 13 * i, y, 58 + 13 * i, y + 34, strokeColor=_THEME.rule))
    d.add(Line(70, 196, 180, 196, strokeWidth=3, strokeColor=_THEME.muted))
    _box(d, 40, 10, 170, 46, "#e9eef2")
    _box(d, 60, 20, 60, 26, "#ffffff")
    d.add(Circle(150, 33, 10, fillColor=white, strokeColor=_THEME.ink))
    d.add(Circle(75, 76, 9, fillColor=HexColor("#dfe8ee"), strokeColor=_THEME.ink))
    d.add(Circle(135, 76, 12, fillColor=HexColor("#c9d6de"), strokeColor=_THEME.ink))
    _box(d, 186, 22, 16, 22, "#ffffff")
    spots = ((180, 196, 235, 205), (200, 224, 235, 232), (160, 33, 235, 60), (62, 33, 18, 40),
             (68, 76, 18, 84), (147, 76, 235, 92), (200, 30, 235, 26))
    for number, (x0, y0, x1, y1) in enumerate(spots, 1):
        d.add(Line(x0, y0, x1, y1, strokeWidth=0.6, strokeColor=_THEME.accent))
        d.add(Circle(x1, y1, 8.5, fillColor=_THEME.accent, strokeColor=None))
        d.add(String(x1, y1 - 3, str(number), fontName=_THEME.bold, fontSize=8.5,
                     textAnchor="middle", fillColor=white))
    return d


def _panel(width: float) -> Drawing:
    d = Drawing(width, 76)
    _box(d, 0, 18, width, 44, "#2b363f")
    step = width / 6
    for i, letter in enumerate("ABCDE"):
        x = step * (i + 0.5 + (i > 1))
        d.add(Circle(x, 40, 11, fillColor=HexColor("#cfd9df"), strokeColor=None))
        _label(d, x, 4, letter, 10)
    _box(d, step * 2.05, 26, step * 0.9, 28, "#0f2a33")
    d.add(String(step * 2.5, 34, "3:55", fontName=_THEME.bold, fontSize=15, textAnchor="middle",
                 fillColor=HexColor("#7fe0ff")))
    return d


def _recess(width: float) -> Drawing:
    """The recess with its measures."""
    d = Drawing(width, 170)
    x, w = width / 2 - 75, 150
    _box(d, x - 90, 140, w + 180, 14, "#d8cdbd")
    _box(d, x, 20, w, 120, "#ffffff")
    d.add(Line(x, 12, x + w, 12, strokeColor=_THEME.accent))
    _label(d, x + w / 2, 1, "600")
    d.add(Line(x - 14, 20, x - 14, 140, strokeColor=_THEME.accent))
    _label(d, x - 34, 76, "820–870")
    _label(d, x + w / 2, 76, "depth at least 560", bold=False)
    d.add(Rect(x + w - 40, 20, 40, 70, fillColor=None, strokeDashArray=[3, 2],
               strokeColor=_THEME.muted))
    _label(d, x + w + 40, 50, "hoses: 80 × 120", bold=False)
    return d
