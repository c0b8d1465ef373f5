"""Charts drawn as vectors: bars, horizontal bars, lines and rings, with their values written."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.graphics.charts.barcharts import HorizontalBarChart, VerticalBarChart
from reportlab.graphics.charts.doughnut import Doughnut
from reportlab.graphics.charts.linecharts import HorizontalLineChart
from reportlab.graphics.shapes import Circle, Drawing, Rect, String
from reportlab.graphics.widgets.markers import makeMarker
from reportlab.lib.colors import white

from scripts.demo_documents.style import Theme


def _legend(drawing: Drawing, theme: Theme, names: Sequence[str], x: float, y: float) -> None:
    colours = theme.series()
    for index, name in enumerate(names):
        drawing.add(Rect(x, y, 7, 7, fillColor=colours[index], strokeColor=None))
        label = String(x + 10, y + 0.5, name, fontName=theme.regular, fontSize=7.6)
        label.fillColor = theme.ink
        drawing.add(label)
        x += 22 + len(name) * 4.1


def _axes(chart: VerticalBarChart | HorizontalLineChart, theme: Theme, low: float, high: float,
          step: float, fmt: str) -> None:
    value, category = chart.valueAxis, chart.categoryAxis
    value.valueMin, value.valueMax, value.valueStep = low, high, step
    value.labelTextFormat = fmt
    value.visibleGrid = 1
    value.gridStrokeColor = theme.rule
    value.gridStrokeWidth = 0.35
    value.strokeColor = None
    value.visibleTicks = 0
    category.strokeColor = theme.muted
    category.visibleTicks = 0
    for axis in (value, category):
        axis.labels.fontName = theme.regular
        axis.labels.fontSize = 7.4
        axis.labels.fillColor = theme.ink


def bars(
    theme: Theme, categories: Sequence[str], series: Sequence[Sequence[float]],
    names: Sequence[str], *, size: tuple[float, float], low: float = 0, high: float, step: float,
    labels: str | None = "%.1f", axis: str = "%d", stacked: bool = False,
) -> Drawing:
    """Grouped or stacked vertical bars, the values written on the bars."""
    width, height = size
    drawing = Drawing(width, height)
    chart = VerticalBarChart()
    chart.x, chart.y = 32, 30
    chart.width, chart.height = width - 40, height - 44
    chart.data = [list(values) for values in series]
    chart.categoryAxis.categoryNames = list(categories)
    chart.categoryAxis.style = "stacked" if stacked else "parallel"
    chart.groupSpacing, chart.barSpacing = 9, 1.5
    _axes(chart, theme, low, high, step, axis)
    for index, colour in enumerate(theme.series()[: len(series)]):
        chart.bars[index].fillColor = colour
        chart.bars[index].strokeColor = None
    if labels:
        chart.barLabelFormat = labels
        chart.barLabels.fontName = theme.regular
        chart.barLabels.fontSize = 6.8
        chart.barLabels.nudge = 6
        chart.barLabels.fillColor = theme.ink
        if stacked:
            chart.barLabels.boxTarget = "mid"
            chart.barLabels.nudge = 0
            chart.barLabels.fillColor = white
    drawing.add(chart)
    if len(names) > 1:
        _legend(drawing, theme, names, 34, 4)
    return drawing


def rows(
    theme: Theme, categories: Sequence[str], values: Sequence[float], *,
    size: tuple[float, float], high: float, step: float, labels: str = "%.1f",
    room: float = 110, axis: str = "%d", font: float = 7.8,
) -> Drawing:
    """Horizontal bars, first category on top; ``room`` is kept for the category names."""
    width, height = size
    drawing = Drawing(width, height)
    chart = HorizontalBarChart()
    chart.x, chart.y = room, 16
    chart.width, chart.height = width - room - 26, height - 22
    chart.data = [list(reversed(values))]
    chart.categoryAxis.categoryNames = list(reversed(categories))
    chart.groupSpacing = 5
    _axes(chart, theme, 0, high, step, axis)
    chart.categoryAxis.labels.fontSize = font
    chart.categoryAxis.labels.dx = -4
    chart.bars[0].fillColor = theme.accent
    chart.bars[0].strokeColor = None
    chart.barLabelFormat = labels
    chart.barLabels.fontName = theme.bold
    chart.barLabels.fontSize = font
    chart.barLabels.boxAnchor = "w"
    chart.barLabels.dx = 4
    chart.barLabels.nudge = 0
    chart.barLabels.fillColor = theme.ink
    drawing.add(chart)
    return drawing


def lines(
    theme: Theme, categories: Sequence[str], series: Sequence[Sequence[float]],
    names: Sequence[str], *, size: tuple[float, float], low: float, high: float, step: float,
    axis: str = "%d", labels: str | None = None,
) -> Drawing:
    """Lines with round markers over categories."""
    width, height = size
    drawing = Drawing(width, height)
    chart = HorizontalLineChart()
    chart.x, chart.y = 32, 30
    chart.width, chart.height = width - 42, height - 42
    chart.data = [tuple(values) for values in series]
    chart.categoryAxis.categoryNames = list(categories)
    _axes(chart, theme, low, high, step, axis)
    for index, colour in enumerate(theme.series()[: len(series)]):
        chart.lines[index].strokeColor = colour
        chart.lines[index].strokeWidth = 1.8
        chart.lines[index].symbol = makeMarker("Circle", size=4, fillColor=colour,
                                               strokeColor=white)
    if labels:
        chart.lineLabelFormat = labels
        chart.lineLabels.fontName = theme.regular
        chart.lineLabels.fontSize = 6.8
        chart.lineLabels.dy = 4
    drawing.add(chart)
    if len(names) > 1:
        _legend(drawing, theme, names, 34, 4)
    return drawing


def ring(
    theme: Theme, parts: Sequence[tuple[str, float]], *, size: tuple[float, float],
    centre: str = "", fmt: str = "%.1f%%",
) -> Drawing:
    """A ring chart with a legend on its right that writes each part's value."""
    width, height = size
    drawing = Drawing(width, height)
    diameter = min(height - 8, width * 0.46)
    chart = Doughnut()
    chart.x, chart.y = 4, (height - diameter) / 2
    chart.width = chart.height = diameter
    chart.data = [value for _, value in parts]
    chart.labels = None
    chart.innerRadiusFraction = 0.58
    for index in range(len(parts)):
        chart.slices[index].fillColor = theme.series()[index % 7]
        chart.slices[index].strokeColor = white
        chart.slices[index].strokeWidth = 1.2
    drawing.add(chart)
    middle = 4 + diameter / 2
    drawing.add(Circle(middle, height / 2, diameter * 0.285, fillColor=white, strokeColor=None))
    text = String(middle, height / 2 - 4, centre, fontName=theme.heading, fontSize=11)
    text.textAnchor = "middle"
    text.fillColor = theme.primary
    drawing.add(text)
    y = height / 2 + len(parts) * 7.5 - 9
    for index, (name, value) in enumerate(parts):
        x = diameter + 22
        drawing.add(Rect(x, y, 8, 8, fillColor=theme.series()[index % 7], strokeColor=None))
        label = String(x + 13, y + 0.8, f"{name}  {fmt % value}", fontName=theme.regular)
        label.fontSize = 8
        label.fillColor = theme.ink
        drawing.add(label)
        y -= 15
    return drawing
