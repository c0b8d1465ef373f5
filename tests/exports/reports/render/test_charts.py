"""Charts: what is in them, that they draw, and that no name in them does harm."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pymupdf
import pytest
import vl_convert
from PIL import Image

from pagetrail.annotation.progress.pace import FinishedDay
from pagetrail.exports.reports.charts.curves import budget_chart, kuiper_chart, retrieval_chart
from pagetrail.exports.reports.charts.distributions import overlap_chart
from pagetrail.exports.reports.charts.drawing import (
    PRINT_WIDTHS,
    VEGA_LITE,
    inline_svg,
    pdf,
    png,
    print_files,
    svg,
)
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.charts.matrices import kappa_chart
from pagetrail.exports.reports.charts.stages import STAGES, cascade_chart
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    DASHES,
    LONGEST_LABEL,
    MARKS,
    PAPER,
    SHAPES,
    clean,
    distinct,
    marked_points,
    title_lines,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.progress.charts import days_chart
from tests.exports.reports.sample import ARABIC, CHINESE, LINES, LONG, SCRIPT, charts, report

SVG = "{http://www.w3.org/2000/svg}"
KEYS = [chart.key for chart in report().charts]


def texts_of(root: ElementTree.Element) -> list[str]:
    """All words drawn in a chart."""
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def data_of(chart: Chart, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows behind a view of a chart."""
    rows: list[dict[str, Any]] = chart.spec["datasets"][view["data"]["name"]]
    return rows


@pytest.fixture(scope="module")
def svgs() -> dict[str, str]:
    """Each chart of the report made by hand as SVG."""
    return {chart.key: svg(chart) for chart in report().charts}


@pytest.mark.parametrize("key", KEYS)
def test_a_chart_is_well_formed_and_says_what_it_is(svgs: dict[str, str], key: str) -> None:
    """An XML reader takes the SVG, which has its title and caption, and no script."""
    chart = next(chart for chart in report().charts if chart.key == key)
    root = ElementTree.fromstring(svgs[key])
    assert root.find(f"{SVG}title").text == chart.title  # type: ignore[union-attr]
    assert root.find(f"{SVG}desc").text == chart.caption  # type: ignore[union-attr]
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {
        "svg", "g", "path", "rect", "text", "tspan", "line", "circle", "title", "desc",
        "defs", "linearGradient", "stop", "clipPath",
    }  # fmt: skip
    assert not [name for e in root.iter() for name in e.attrib if name.startswith(("on", "href"))]
    assert chart.title.split("?")[0][:30] in " ".join(texts_of(root))


@pytest.mark.parametrize(
    "chart",
    [*report().charts, days_chart([FinishedDay(20_780, 3, 1), FinishedDay(20_781, 0, 2)])],
    ids=lambda chart: chart.key,
)
def test_vega_lite_warns_of_nothing(chart: Chart, capfd: pytest.CaptureFixture[str]) -> None:
    """What it would write to the browser's console."""
    spec = json.loads(json.dumps(chart.spec))
    vl_convert.vegalite_to_vega(spec, vl_version=VEGA_LITE, show_warnings=True)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("key", KEYS)
def test_the_same_chart_gives_the_same_bytes(svgs: dict[str, str], key: str) -> None:
    """Also after other charts were drawn, whose ids the library counts on from.

    Pictures of points are drawn from the same SVG: one is drawn twice.
    """
    chart = next(chart for chart in report().charts if chart.key == key)
    assert svg(chart) == svgs[key]
    if key == KEYS[0]:
        assert png(chart, scale=1) == png(chart, scale=1)


def test_specs_are_stable_json_with_their_data_inside() -> None:
    """Nothing is loaded from elsewhere, and building again gives the same text."""
    first, second = (
        [json.dumps(chart.spec, allow_nan=False) for chart in made_now]
        for made_now in (charts(), report().charts)
    )
    assert first == second
    assert not any('"url"' in text for text in first)


def test_png_is_a_picture_twice_the_size() -> None:
    """144 pixels an inch unless another scale is asked for."""
    chart = report().charts[-1]
    root = ElementTree.fromstring(svg(chart))
    picture = Image.open(io.BytesIO(png(chart)))
    assert picture.format == "PNG"
    assert picture.width == pytest.approx(2 * float(root.get("width", 0)), abs=2)


@pytest.mark.parametrize("key", KEYS)
def test_a_printed_chart_fits_its_columns(key: str) -> None:
    """In each file type; labels and legend keep their size, only the plot becomes narrower."""
    chart = next(chart for chart in report().charts if chart.key == key)
    files = print_files(chart)
    width = 72 * PRINT_WIDTHS[chart.columns]
    (page,) = pymupdf.open(stream=files["pdf"])
    assert page.rect.width == pytest.approx(width, abs=1)
    root = ElementTree.fromstring(files["svg"])
    assert float(root.get("width", 0)) == pytest.approx(width, abs=1)
    assert root.find(f"{SVG}desc").text == chart.caption  # type: ignore[union-attr]
    image = Image.open(io.BytesIO(files["png"]))
    assert image.width == pytest.approx(300 / 72 * width, abs=5)
    assert chart.title[:30] not in page.get_text()


def test_a_pdf_has_its_fonts_words_and_description() -> None:
    """Text is text in embedded fonts, so that it can be searched and printed anywhere."""
    chart = next(chart for chart in report().charts if chart.key == "overlap-iou")
    document = pymupdf.open(stream=pdf(chart))
    (page,) = document
    fonts = page.get_fonts()
    assert fonts
    for xref, extension, *_ in fonts:
        assert extension == "ttf" and document.extract_font(xref)[3]
    assert "Pages (count)" in page.get_text()
    assert (document.metadata["title"], document.metadata["subject"]) == (
        chart.title,
        chart.caption,
    )


def test_a_pdf_with_several_fonts_is_the_same_twice() -> None:
    """svg2pdf writes fonts in random order; a name in another script brings another font."""
    rows = {name: [(1, 0.5), (2, 0.75)] for name in ("latin", "ελληνικά", ARABIC, CHINESE)}
    chart = budget_chart(rows, unit="searches")
    pdfs = {pdf(chart) for _ in range(12)}
    assert len(pdfs) == 1
    (content,) = pdfs
    offsets = [int(offset) for offset in re.findall(rb"^(\d{10}) 00000 n", content, re.MULTILINE)]
    for number, offset in enumerate(offsets, start=1):
        assert content[offset:].startswith(b"%d 0 obj\n" % number)


def test_inline_svg_has_ids_of_its_own_and_no_paper() -> None:
    """Charts of one page share no id; references follow; title and paper are the page's."""
    ids: list[str] = []
    for chart in report().charts:
        root = ElementTree.fromstring(inline_svg(chart))
        element_ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        used = [
            value[5:-1]
            for element in root.iter()
            for value in element.attrib.values()
            if value.startswith("url(#")
        ]
        assert set(used) <= set(element_ids)
        assert root.find("rect") is None and root.get("aria-hidden") == "true"
        ids += element_ids
    assert ids and len(ids) == len(set(ids))


def test_names_are_escaped_cut_and_kept(svgs: dict[str, str]) -> None:
    """Markup is text, scripts of other languages stay, long names are cut with an ellipsis."""
    assert "<script" not in "".join(svgs.values())
    words = texts_of(ElementTree.fromstring(svgs["budget-searches"]))
    assert SCRIPT in words and CHINESE in words and clean(ARABIC) in words
    assert clean(LINES) in words
    cut = next(word for word in words if word.startswith("a-very"))
    start, end = cut.split("…")
    assert LONG.startswith(start) and LONG.endswith(end) and len(cut) == LONGEST_LABEL


def test_series_differ_by_more_than_colour() -> None:
    """Any two of the first fifty-six series differ in colour, and neighbours in every cue."""
    looks = [(COLOURS[i % 7], SHAPES[i % len(SHAPES)]) for i in range(56)]
    assert len(set(looks)) == 56
    assert len(set(COLOURS)) == 7 and len(set(DASHES)) == 9 and len(set(SHAPES)) == 8


def test_a_name_looks_the_same_in_every_chart() -> None:
    """Where a chart has no first series, the others keep their colours."""
    curve = [(0, 0.0), (1, 1.0)]
    chart = budget_chart({"b": curve}, unit="searches", everyone=["a", "b"])
    assert f'"range": ["{COLOURS[1]}"]' in json.dumps(chart.spec)


def test_kuiper_shows_zero_and_the_range() -> None:
    """K is the distance from the lowest to the highest D, drawn as a bar and written out."""
    curve = [(0.0, 0.0), (1.0, 2.0), (3.0, -0.5), (4.0, 0.0)]
    chart = kuiper_chart({"Humans": curve}, effort="searches")
    assert "Humans: K = 2.5." in chart.caption
    main, bars = chart.spec["hconcat"]
    assert data_of(chart, main["layer"][0]) == [{"y": 0}]
    assert "Effort (searches)" in json.dumps(main)
    assert data_of(chart, bars) == [{"series": "Humans", "low": -0.5, "high": 2.0, "k": 2.5}]
    assert "2.5" in texts_of(ElementTree.fromstring(svg(chart)))


def test_shares_run_from_nothing_to_all() -> None:
    """Accuracy and retrieval have the whole axis, so that charts can be compared."""
    curve = [(1, 0.4), (2, 0.5)]
    for chart in (
        budget_chart({"a": curve}, unit="searches"),
        retrieval_chart({"a": curve}, level="page"),
    ):
        words = texts_of(ElementTree.fromstring(svg(chart)))
        assert {"0%", "100%"} <= set(words)
    assert "a: 40.0 % by query 1, 50.0 % by query 2." in chart.caption


def test_cascade_writes_counts_into_bars() -> None:
    """Counts are in the bars, unless they are too small, and totals beside them."""
    counts = {"Humans": {"no_answer": 1, "retrieval": 299, "correct": 700}}
    shares = {"Humans": {stage: n / 1000 for stage, n in counts["Humans"].items()}}
    chart = cascade_chart(shares, counts)
    words = texts_of(ElementTree.fromstring(svg(chart)))
    assert {"299", "700", "n = 1,000"} <= set(words)
    assert "1" not in words
    assert "Humans: Correct 700; Retrieval: no gold document 299; No answer 1." in chart.caption


def test_stages_differ_in_grey() -> None:
    """Any two stages are told apart on a black and white print, and counts stand out of them."""

    def grey(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    shades = sorted(grey(style.colour) for style in STAGES.values())
    assert min(high - low for low, high in pairwise(shades)) > 30
    for style in STAGES.values():
        assert (grey(style.colour) < 128) is (style.text_colour == PAPER)


def test_undefined_kappa_is_marked_and_never_a_number() -> None:
    """A pair without kappa shows a dash in both of its cells."""
    chart = kappa_chart([("a", "b", None, "no_variation"), ("a", "c", -0.5, None)])
    words = texts_of(ElementTree.fromstring(svg(chart)))
    assert words.count("–") == 2
    assert words.count("−0.50") == 2
    assert "Undefined for 1 of 2 pairs" in chart.caption


def test_histogram_counts_every_value_once() -> None:
    """1 falls into the last bin; the mean is marked."""
    chart = overlap_chart([0.0, 0.049, 0.05, 1.0], measure="IoU")
    rows = data_of(chart, chart.spec["layer"][0])
    assert [row["n"] for row in rows] == [2, 1, *[0] * 17, 1]
    assert "mean 0.275" in texts_of(ElementTree.fromstring(svg(chart)))


def test_agreement_has_coefficients_side_by_side() -> None:
    """Each group has a point a coefficient, with its interval where there is one."""
    chart = agreement_chart(
        [
            ("All", "Krippendorff's alpha", 0.469, 0.44, 0.5),
            ("All", "Gwet's AC2", 0.76, None, None),
        ],
        key="agreement-x",
        title="How far do people agree?",
    )
    assert chart.key == "agreement-x"
    assert "All, Krippendorff's alpha: 0.469 [0.440, 0.500]." in chart.caption
    assert "All, Gwet's AC2: 0.760." in chart.caption
    assert {"Krippendorff's alpha", "Gwet's AC2"} <= set(
        texts_of(ElementTree.fromstring(svg(chart)))
    )


def test_a_coefficient_looks_the_same_in_every_chart() -> None:
    """AC keeps its colour where alpha is undefined for all; many points are summed up."""
    points = [(name, "Gwet's AC1", n / 10, None, None) for n, name in enumerate("abcdef")]
    chart = agreement_chart(points, key="k", title="T")
    assert f'"range": ["{COLOURS[1]}"]' in json.dumps(chart.spec)
    assert chart.caption.endswith("Gwet's AC1: from 0.000 (a) to 0.500 (f).")
    two_coefficients = agreement_chart(
        [("a", "Gwet's AC2", 0.7, None, None), ("a", "α (ordinal)", 0.4, None, None)],
        key="k",
        title="T",
    )
    assert f'"range": ["{COLOURS[0]}", "{COLOURS[1]}"]' in json.dumps(two_coefficients.spec)
    assert '"domain": ["\\u03b1 (ordinal)", "Gwet\'s AC2"]' in json.dumps(two_coefficients.spec)


@pytest.mark.parametrize(
    "build",
    [
        lambda: kuiper_chart({}, effort="searches"),
        lambda: budget_chart({"a": []}, unit="searches"),
        lambda: cascade_chart({}, {}),
        lambda: kappa_chart([]),
        lambda: retrieval_chart({}, level="page"),
        lambda: overlap_chart([], measure="IoU"),
        lambda: agreement_chart([], key="a", title="A"),
    ],
)
def test_a_chart_of_nothing_is_refused(build: object) -> None:
    """Builders leave such charts out; an empty frame would look like a finding."""
    with pytest.raises(ValueError, match="needs"):
        build()  # type: ignore[operator]


def test_names_that_look_the_same_are_told_apart() -> None:
    """Two names that differ only in what is not shown do not become one series."""
    assert list(distinct(["a b", "a\nb", "a\tb"]).values()) == ["a b", "a b (2)", "a b (3)"]
    assert clean("\x00\ud800\u202ea\n") == "\ufffd\ufffd\ufffda"
    assert clean(" \n") == "(no name)"


def test_many_points_are_marked_at_even_steps() -> None:
    """Ends are always marked, and never more than so many points."""
    assert marked_points(5) == {0, 1, 2, 3, 4}
    positions = marked_points(1000)
    assert {0, 999} <= positions and len(positions) == MARKS


def test_ticks_are_whole_and_few() -> None:
    """About ten at most, at round numbers, and none beyond the data."""
    assert whole_ticks(0, 4) == [0, 1, 2, 3, 4]
    assert whole_ticks(1, 15) == [2, 4, 6, 8, 10, 12, 14]
    assert whole_ticks(0, 1234) == [0, 200, 400, 600, 800, 1000, 1200]
    for highest in range(1, 3000, 7):
        assert 2 <= len(whole_ticks(0, highest)) <= 11


def test_long_titles_break_into_lines_of_like_length() -> None:
    """No line holds a single last word."""
    title = "How far do the annotators of this campaign agree on the relevance of pages? " * 2
    lines = title_lines(title)
    assert len(lines) >= 2 and min(map(len, lines)) > 20
    assert " ".join(lines) == title.strip()
