"""Covers and simple vector logos."""

from __future__ import annotations

from collections.abc import Callable

from reportlab.lib.colors import Color, white
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from scripts.demo_documents.book import Book, Painter
from scripts.demo_documents.style import Theme

Logo = Callable[[Canvas, float, float, float, Color, Color], None]


def rails(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """Two converging rails with sleepers."""
    c.setFillColor(second)
    for i in range(4):
        inset = s * 0.09 * i
        c.rect(x + inset, y + i * s * 0.26, s - 2 * inset, s * 0.1, stroke=0, fill=1)
    c.setStrokeColor(first)
    c.setLineWidth(s * 0.09)
    c.line(x + s * 0.14, y - s * 0.05, x + s * 0.42, y + s)
    c.line(x + s * 0.86, y - s * 0.05, x + s * 0.58, y + s)


def drop(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """A drop of water over a wave."""
    path = c.beginPath()
    path.moveTo(x + s / 2, y + s)
    path.curveTo(x + s * 0.62, y + s * 0.7, x + s * 0.9, y + s * 0.5, x + s * 0.86, y + s * 0.3)
    path.curveTo(x + s * 0.8, y - s * 0.05, x + s * 0.2, y - s * 0.05, x + s * 0.14, y + s * 0.3)
    path.curveTo(x + s * 0.1, y + s * 0.5, x + s * 0.38, y + s * 0.7, x + s / 2, y + s)
    c.setFillColor(first)
    c.drawPath(path, stroke=0, fill=1)
    c.setStrokeColor(second)
    c.setLineWidth(s * 0.07)
    c.bezier(x + s * 0.24, y + s * 0.3, x + s * 0.4, y + s * 0.45,
             x + s * 0.56, y + s * 0.15, x + s * 0.76, y + s * 0.32)


def tower(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """A town hall: three bays under a gable."""
    c.setFillColor(first)
    for i in range(4):
        c.rect(x + s * (0.08 + 0.25 * i), y + s * 0.14, s * 0.1, s * 0.46, stroke=0, fill=1)
    c.rect(x, y, s, s * 0.1, stroke=0, fill=1)
    path = c.beginPath()
    path.moveTo(x, y + s * 0.64)
    path.lineTo(x + s, y + s * 0.64)
    path.lineTo(x + s / 2, y + s)
    path.close()
    c.setFillColor(second)
    c.drawPath(path, stroke=0, fill=1)


def plus(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """A cross in a rounded square."""
    c.setFillColor(first)
    c.roundRect(x, y, s, s, s * 0.24, stroke=0, fill=1)
    c.setFillColor(second)
    c.rect(x + s * 0.4, y + s * 0.18, s * 0.2, s * 0.64, stroke=0, fill=1)
    c.rect(x + s * 0.18, y + s * 0.4, s * 0.64, s * 0.2, stroke=0, fill=1)


def bird(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """Two wings."""
    for colour, lift in ((second, 0.0), (first, 0.26)):
        path = c.beginPath()
        path.moveTo(x, y + s * (0.5 + lift))
        path.curveTo(x + s * 0.3, y + s * (0.72 + lift), x + s * 0.42, y + s * (0.5 + lift),
                     x + s * 0.5, y + s * (0.24 + lift))
        path.curveTo(x + s * 0.58, y + s * (0.5 + lift), x + s * 0.7, y + s * (0.72 + lift),
                     x + s, y + s * (0.5 + lift))
        path.curveTo(x + s * 0.74, y + s * (0.5 + lift), x + s * 0.6, y + s * (0.3 + lift),
                     x + s * 0.5, y + s * lift)
        path.curveTo(x + s * 0.4, y + s * (0.3 + lift), x + s * 0.26, y + s * (0.5 + lift),
                     x, y + s * (0.5 + lift))
        c.setFillColor(colour)
        c.drawPath(path, stroke=0, fill=1)


def shield(c: Canvas, x: float, y: float, s: float, first: Color, second: Color) -> None:
    """A shield, halved."""
    for colour, side in ((first, 0), (second, 1)):
        path = c.beginPath()
        edge = x + s * side
        path.moveTo(x + s / 2, y + s)
        path.lineTo(edge, y + s * 0.88)
        path.curveTo(edge, y + s * 0.4, x + s * (0.25 + 0.5 * side), y + s * 0.12, x + s / 2, y)
        path.close()
        c.setFillColor(colour)
        c.drawPath(path, stroke=0, fill=1)


def fit(text: str, font: str, size: float, width: float) -> float:
    """The largest size up to ``size`` at which the text fits the width."""
    natural = stringWidth(text, font, size)
    return size if natural <= width else size * width / natural


def cover(logo: Logo, lines: list[str], subtitle: str, motif: str, foot: str = "") -> Painter:
    """A cover page: title lines, subtitle, organisation with logo, and a motif.

    Args:
        motif: ``rails``, ``waves``, ``grid`` or ``arcs``.
        foot: small print at the bottom.
    """

    def paint(c: Canvas, book: Book) -> None:
        theme = book.theme
        width, height = book.pagesize
        c.setFillColor(theme.primary)
        c.rect(0, 0, width, height, stroke=0, fill=1)
        c.saveState()
        clip = c.beginPath()
        clip.rect(0, 0, width, height * 0.5)
        c.clipPath(clip, stroke=0, fill=0)
        _MOTIFS[motif](c, width, height * 0.5, theme.accent)
        c.restoreState()
        c.setFillColor(theme.accent)
        c.rect(0, height * 0.5 - 2 * mm, width, 2 * mm, stroke=0, fill=1)
        left = 24 * mm
        logo(c, left, height - 44 * mm, 15 * mm, white, theme.accent)
        c.setFillColor(white)
        c.setFont(theme.heading, 13)
        c.drawString(left + 20 * mm, height - 38.5 * mm, book.organisation)
        y = height * 0.724
        size = min(fit(line, theme.heading, 40, width - 2 * left) for line in lines)
        c.setFont(theme.heading, size)
        for line in lines:
            c.drawString(left, y, line)
            y -= size * 1.14
        c.setFont(theme.regular, fit(subtitle, theme.regular, 14, width - 2 * left))
        c.drawString(left, y - 2 * mm, subtitle)
        c.setFont(theme.regular, 8.5)
        c.drawString(left, 14 * mm, foot)

    return paint


def _motif_rails(c: Canvas, width: float, height: float, colour: Color) -> None:
    c.setStrokeColor(colour, alpha=0.55)
    for i in range(9):
        c.setLineWidth(1.2 + i * 0.9)
        c.line(width * (0.1 + 0.1 * i), 0, width * 0.62 + (i - 4) * 7, height)
    c.setStrokeColor(white, alpha=0.16)
    for i in range(14):
        y = height * (1 - 0.86**i)
        c.setLineWidth(max(0.6, 11 * 0.82**i))
        c.line(0, y, width, y)


def _motif_waves(c: Canvas, width: float, height: float, colour: Color) -> None:
    for i in range(7):
        base = height * (0.86 - i * 0.14)
        path = c.beginPath()
        path.moveTo(0, 0)
        path.lineTo(0, base)
        path.curveTo(width * 0.3, base + 60 - i * 9, width * 0.55, base - 66 + i * 7,
                     width, base + 24 - 10 * (i % 3))
        path.lineTo(width, 0)
        path.close()
        c.setFillColor(colour, alpha=0.16)
        c.drawPath(path, stroke=0, fill=1)


def _motif_grid(c: Canvas, width: float, height: float, colour: Color) -> None:
    step = width / 12
    for row in range(int(height / step) + 1):
        for col in range(12):
            weight = ((row * 7 + col * 5) % 11) / 11
            c.setFillColor(colour if (row + col) % 3 else white, alpha=0.08 + 0.42 * weight**2)
            c.rect(col * step + 1.5, row * step + 1.5, step - 3, step - 3, stroke=0, fill=1)


def _motif_arcs(c: Canvas, width: float, height: float, colour: Color) -> None:
    for i in range(9):
        c.setStrokeColor(colour if i % 2 else white, alpha=0.5 - i * 0.035)
        c.setLineWidth(13)
        c.circle(width * 0.82, height * 0.08, 34 + i * 31, stroke=1, fill=0)


class Panorama(Flowable):
    """A band across the page painted with a cover's motif."""

    def __init__(self, width: float, height: float, theme: Theme, motif: str) -> None:
        super().__init__()
        self.width, self.height, self.theme, self.motif = width, height, theme, motif
        self.spaceAfter = 10

    def draw(self) -> None:
        """Paint ground and motif inside the band."""
        c = self.canv
        c.saveState()
        clip = c.beginPath()
        clip.rect(0, 0, self.width, self.height)
        c.clipPath(clip, stroke=0, fill=0)
        c.setFillColor(self.theme.primary)
        c.rect(0, 0, self.width, self.height, stroke=0, fill=1)
        _MOTIFS[self.motif](c, self.width, self.height, self.theme.accent)
        c.restoreState()


_MOTIFS = {
    "rails": _motif_rails,
    "waves": _motif_waves,
    "grid": _motif_grid,
    "arcs": _motif_arcs,
}
