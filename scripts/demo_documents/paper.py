"""A research paper in two columns with figures, a table, footnotes and references."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, HRFlowable, Paragraph

from scripts.demo_documents.blocks import columns, paras, table
from scripts.demo_documents.book import Book, Built, Mark, marked, switch
from scripts.demo_documents.charts import bars, lines
from scripts.demo_documents.style import Theme

NAME = "paper-peat-rewetting-whinmoor.pdf"
_THEME = Theme(HexColor("#1d1d1f"), HexColor("#7a1f2b"), HexColor("#f2f1ee"), text="Times",
               display="Times", size=10.8)
_TITLE = "Ditch blocking and the colour of upland water: four years on Whinmoor"
_AUTHORS = "Aoife Brennock, Lars Tveitane, Moses Adeyinka-Holt and Ruth Calder-Simms"

_ABSTRACT = (
    "Drained blanket bog releases dissolved organic carbon, which colours raw water and makes its "
    "treatment dearer. We blocked 38 km of ditches in six of twelve paired catchments on "
    "Whinmoor and followed water table, colour and vegetation for four years. The mean water "
    "table rose from 27 to 11 cm below the surface. Water colour rose by 14% in the first year "
    "and then fell, to 31% below the controls in the fourth. The effect was twice as large where "
    "slopes were gentler than four degrees. Utilities that expect a benefit within two years of "
    "the works are likely to be disappointed."
)
_INTRODUCTION = (
    "About a third of the drinking water of the region runs off peat. Between 1950 and 1985 most "
    "of that peat was cut by open ditches, which lowered the water table and let air into layers "
    "that had been wet for four thousand years [1, 2]. The colour of the rivers doubled within a "
    "generation [3].",
    "Blocking the ditches raises the water table again. What it does to colour is disputed: some "
    "studies report an improvement within a year [4], others none after five [5]. They differ in "
    "slope, in the material of the dams and in how long they lasted. None had paired controls on "
    "the same hill.",
    "Money gives the dispute its edge. Utilities have paid for most of the blocking of the past "
    "decade and expect cheaper treatment in return; land managers expect carbon and birds. A "
    "promise that fails in its second year is hard to renew, even if it would have come true in "
    "its fourth.",
    "We ask three questions. How fast does the water table recover? Does the colour follow, and "
    "after what delay? Does the slope of the ground decide how much is gained?",
)
_SITE = (
    "Whinmoor (412–587 m above sea level) is a blanket bog of 61 km² that drains to Skelder Beck. "
    "Mean annual rain is 1,640 mm. We chose twelve catchments of 0.4–1.3 km² and paired them by "
    "area, slope and burning history. A coin decided which of a pair was treated.",
    "Between September and November 2019 contractors built 5,417 dams, of peat where the ditch "
    "was shallower than 60 cm and of coir rolls elsewhere. Dams stood 7.5 m apart on average.",
    "Water table was logged hourly in 96 dipwells. Colour was measured as absorbance at 400 nm on "
    "samples taken every two weeks and is given in degrees Hazen. Vegetation was recorded each "
    "July in 240 fixed squares of one metre.",
    "We fitted a linear mixed model with pair and month as random effects. Confidence intervals "
    "are at 95%. Samples taken within 24 hours of more than 30 mm of rain (7% of all) were left "
    "out; leaving them in changes no conclusion.",
)
_RESULTS_TABLE = (
    "The water table rose in all six treated catchments within three months and stayed up "
    "(Figure 1). In the dry summer of 2022 it fell to 24 cm below the surface, against 49 cm in "
    "the controls.",
)
_RESULTS_COLOUR = (
    "Colour first rose. In the year after the works it was 14% above the controls (interval 6 to "
    "23%), most of it in the autumn. From the second year it fell (Figure 2), and in the fourth "
    "it was 31% below the controls (interval 22 to 39%).",
    "Slope mattered. Catchments gentler than four degrees gained 41%, steeper ones 20% (Table 1). "
    "The material of the dams did not matter once slope was accounted for (p = 0.46).",
)
_RESULTS_STORMS = (
    "Storms told more than the means. We caught 61 events with at least 15 mm of rain. Before the "
    "works, peak flow arrived 2.1 hours after the centre of the rain in both groups; in the fourth "
    "year it took 3.4 hours in the treated catchments and 2.2 hours in the controls. Peaks were "
    "lower by a quarter. The load of particles halved, since fewer ditch walls slumped.",
    "Of the 5,417 dams, 5,122 still held water in July 2023. Peat dams failed more often (8.1%) "
    "than coir (3.2%), mostly in the first winter and where sheep had used them as bridges.",
)
_RESULTS_PLANTS = (
    "Cover of <i>Sphagnum</i> rose from 9 to 26% in treated squares and from 10 to 12% in the "
    "controls. Cotton grass peaked in the second year. Heather fell from 44 to 31%.",
)
_DISCUSSION = (
    "The early rise has a simple explanation: a rising water table washes out what decades of "
    "drought have stored. Laboratory columns lose their store within 14 to 20 months of wetting "
    "[6], which agrees with our turning point.",
    "The delay has practical weight. A utility that judges the works by the second autumn sees a "
    "loss. At the treatment works below Skelder Beck the dose of coagulant went from 46 to 53 mg/l "
    "in 2020 and to 34 mg/l in 2023. At prices of 2023 the saving in the fourth year was £212,000, "
    "so that the works, which cost £1.31 million, pay for themselves in the tenth year if the "
    "benefit stays as it is.",
    "Slope is the lever that a planner holds. Water behind a dam on gentle ground spreads sideways "
    "and wets the peat between the ditches; on steep ground it fills the ditch and spills. Spacing "
    "dams by height, one for every 20 cm of fall, would make steep ground cost about 2.6 times as "
    "much for each hectare wetted [7]. A budget spent first on ground below four degrees therefore "
    "buys more than one spread evenly.",
    "Earlier findings are less contradictory than they look. The study that found rapid gains [4] "
    "sampled only in spring, when wash-out is weakest. The one that found none [5] worked at seven "
    "degrees and more. Paired catchments cost more than a before-and-after design, but only they "
    "could tell the dry summer of 2022 from an effect of the works [8].",
    "Two limits must be named. Four years are short for a bog. And our controls lay downhill of "
    "treated ground in two pairs; if water from above wetted them, we underestimate the effect.",
)
_CONCLUSION = (
    "Ditch blocking clears the water of a blanket bog, but not at once. Works should start with "
    "gentle slopes, and monitoring should be paid for at least five years. The data and the code "
    "are kept by the Whinmoor Observatory under accession WO-2023-11.",
)
_REFERENCES = (
    "Pellworth, D. (1988). The draining of the northern moors. <i>Upland History</i> 4, 11–39.",
    "Sandoe, K. and Ivers, M. (2003). Air and age in cut peat. <i>Mire Notes</i> 17, 201–214.",
    "Calder-Simms, R. (2011). Sixty years of river colour. <i>Water and Land</i> 29, 77–92.",
    "Hathersby, J. et al. (2015). Rapid gains from grip blocking. <i>Mire Notes</i> 29, 3–18.",
    "Moncrieffe, T. (2018). Five years without a signal. <i>Journal of Wet Places</i> 8, 140–155.",
    "Tveitane, L. (2021). Wash-out from rewetted columns. <i>Soil Letters</i> 45, 512–520.",
    "Adeyinka-Holt, M. (2020). Coir or peat? Dams compared. <i>Field Works</i> 12, 60–71.",
    "Brennock, A. and Orme, S. (2022). Paired catchments by the toss of a coin. <i>Field "
    "Works</i> 14, 9–24.",
)
_BY_SLOPE = (
    ("A", "1.8", "0.44", "9", "−43"), ("B", "2.6", "0.71", "10", "−45"),
    ("C", "3.7", "1.26", "10", "−35"), ("D", "4.9", "0.58", "12", "−24"),
    ("E", "6.1", "0.93", "12", "−21"), ("F", "7.4", "0.66", "14", "−15"),
)
_COSTS = (
    ("Survey and permits", "94"), ("Dams of peat", "388"), ("Dams of coir", "541"),
    ("Access tracks, removed later", "127"), ("Monitoring, four years", "160"),
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHLY = (  # 2020 to 2023, treated
    (104, 106, 91, 66), (92, 90, 80, 58), (81, 78, 69, 51), (76, 75, 66, 50),
    (88, 86, 74, 60), (109, 95, 84, 71), (131, 108, 97, 82), (152, 124, 118, 96),
    (178, 141, 129, 107), (201, 152, 131, 118), (196, 138, 114, 108), (176, 115, 99, 93),
)


def build(path: Path) -> Built:
    """Write the paper."""
    book = Book(
        path, _THEME, title=_TITLE, organisation="Journal of Wet Places 14 (2024) 31–34",
        running="Brennock et al.: Ditch blocking on Whinmoor", chrome=_chrome,
        margins=(19 * mm, 21 * mm, 19 * mm, 22 * mm),
    )
    style = book.style
    head = style["h2"].clone("section", fontSize=11.5, spaceBefore=7, spaceAfter=3)
    width = book.column_width
    years = ["2019", "2020", "2021", "2022", "2023"]

    def section(title: str, texts: tuple[str, ...]) -> list[Flowable]:
        return [Paragraph(title, head), *paras(book, *texts, style="just")]

    centre = style["centre"]
    story: list[Flowable] = [
        Mark("abstract"),
        Paragraph(_TITLE, style["h1"].clone("papertitle", alignment=1, fontSize=19, leading=23)),
        Paragraph(_AUTHORS, centre.clone("authors", fontSize=11, leading=15)),
        Paragraph("Institute of Upland Water, Harrowmere College; received 3 March, accepted "
                  "27 June 2024", centre.clone("place", fontName=_THEME.italic, fontSize=9)),
        HRFlowable("100%", 0.6, color=_THEME.rule),
        Paragraph(f"<b>Abstract.</b> {_ABSTRACT}",
                  style["just"].clone("abstract", leftIndent=28, rightIndent=28, spaceBefore=6)),
        Paragraph("<b>Keywords:</b> blanket bog, dissolved organic carbon, water colour, paired "
                  "catchments", style["note"].clone("keywords", leftIndent=28, fontSize=9)),
        HRFlowable("100%", 0.6, color=_THEME.rule, spaceAfter=8),
        columns(book, [*section("1  Introduction", _INTRODUCTION),
                       *section("2  Site and methods", _SITE[:2])]),
        *switch("two"), Mark("methods"),
        *paras(book, *_SITE[2:], style="just"),
        *section("3  Results", ()), *section("3.1  Water table", _RESULTS_TABLE),
        marked("figure1", lines(
            _THEME, years, [[27, 14, 12, 15, 11], [28, 27, 29, 33, 28]], ["Treated", "Control"],
            size=(width, 190), low=0, high=40, step=10, labels="%d"),
            _caption(book, "Figure 1. Mean depth of the water table below the surface, cm. Dams "
                           "were built in autumn 2019.")),
        *section("3.2  Colour", _RESULTS_COLOUR),
        marked("figure2", bars(
            _THEME, years, [[118, 132, 109, 96, 80], [119, 116, 114, 121, 116]],
            ["Treated", "Control"], size=(width, 195), high=150, step=50, labels="%d"),
            _caption(book, "Figure 2. Mean colour of the water, degrees Hazen.")),
        marked("table1", _caption(book, "Table 1. Treated catchments by slope; change of colour "
                                        "against the control in the fourth year."),
               table(book, ["Site", "Slope, °", "Area, km²", "Table, cm", "Colour, %"],
                     [list(row) for row in _BY_SLOPE], [0.7, 1, 1.1, 1.1, 1.1], span=width)),
        *section("3.3  Storms and dams", _RESULTS_STORMS),
        *section("3.4  Vegetation", _RESULTS_PLANTS),
        marked("figure3", bars(
            _THEME, ["Sphagnum", "Cotton grass", "Heather", "Bare peat"],
            [[9, 17, 44, 8], [26, 22, 31, 2]], ["2019", "2023"],
            size=(width, 185), high=60, step=20, labels="%d"),
            _caption(book, "Figure 3. Cover in the squares of the treated catchments, per cent.")),
        Mark("discussion"), *section("4  Discussion", _DISCUSSION),
        marked("table2", _caption(book, "Table 2. Cost of the works, thousand pounds."),
               table(book, ["Item", "£ 000"], [*map(list, _COSTS), ["Total", "1,310"]], [3, 1],
                     span=width, totals=[-1])),
        *section("5  Conclusion", _CONCLUSION), Mark("thanks"),
        *section("Acknowledgements", (
            "The Tarn Valley catchment fund paid for the dams and the Brackwater Trust for the "
            "loggers. The funders had no part in the analysis. We thank the graziers of Whinmoor, "
            "who lent quad bikes in every month of the year.",)),
        Mark("references"), Paragraph("References", head),
        *(Paragraph(f"[{i}]  {text}", style["note"].clone("ref", fontSize=8.6, leading=11,
                                                        leftIndent=16, firstLineIndent=-16))
          for i, text in enumerate(_REFERENCES, 1)),
        *switch("body"), Paragraph("Appendix: colour month by month", head),
        marked("appendix", _caption(book, "Table A1. Mean colour of the treated catchments after "
                                          "the works, degrees Hazen."),
               table(book, ["Month", "2020", "2021", "2022", "2023"],
                     [[m, *map(str, row)] for m, row in zip(_MONTHS, _MONTHLY, strict=True)],
                     [1.4, 1, 1, 1, 1], pad=5)),
        lines(_THEME, _MONTHS, [list(c) for c in zip(*_MONTHLY, strict=True)],
              ["2020", "2021", "2022", "2023"], size=(book.body_width, 220), high=250, low=0,
              step=50),
        _caption(book, "Figure A1. The same values; the autumn peak of 2020 is the wash-out."),
    ]
    return book.make(story)


def _caption(book: Book, text: str) -> Paragraph:
    return Paragraph(text, book.style["note"].clone("figure", fontSize=8.6, leading=11,
                                                    spaceAfter=9))


def _chrome(canvas: Canvas, book: Book) -> None:
    """The journal's running head and a centred page number, which counts from 31."""
    left, bottom, right, top = book.inner
    canvas.setFillColor(book.theme.muted)
    canvas.setFont(book.theme.italic, 8.5)
    canvas.drawString(left, top + 14, book.running)
    canvas.drawRightString(right, top + 14, book.organisation)
    canvas.setFont(book.theme.regular, 9)
    canvas.drawCentredString((left + right) / 2, bottom - 26, str(canvas.getPageNumber() + 30))
