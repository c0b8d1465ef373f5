"""Themes and paragraph styles that all demo documents share."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
from reportlab.lib.fonts import addMapping
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

_FAMILIES = {
    "Helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "Times": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "Vera": ("Vera", "VeraBd", "VeraIt", "VeraBI"),
}


def _register_vera() -> None:
    """Register Bitstream Vera, which reportlab carries, as a family with bold and italic."""
    for name in _FAMILIES["Vera"]:
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    for index, name in enumerate(_FAMILIES["Vera"]):
        addMapping("Vera", index & 1, index >> 1, name)


_register_vera()

_INK = HexColor("#22272e")
_MUTED = HexColor("#66707c")
_RULE = HexColor("#c9d0d8")


@dataclass(frozen=True)
class Theme:
    """Colours and type families of one organisation's documents.

    ``primary`` carries bands and headings, ``accent`` rules and the first chart series, ``tint``
    backgrounds behind text. ``size`` is the body size in points.
    """

    primary: Color
    accent: Color
    tint: Color
    text: str = "Helvetica"
    display: str = "Helvetica"
    size: float = 9.4
    ink: Color = _INK
    muted: Color = _MUTED
    rule: Color = _RULE

    @property
    def regular(self) -> str:
        """Upright body font."""
        return _FAMILIES[self.text][0]

    @property
    def bold(self) -> str:
        """Bold body font."""
        return _FAMILIES[self.text][1]

    @property
    def italic(self) -> str:
        """Italic body font."""
        return _FAMILIES[self.text][2]

    @property
    def heading(self) -> str:
        """Bold display font."""
        return _FAMILIES[self.display][1]

    def series(self) -> list[Color]:
        """Colours for chart series, told apart also in greyscale."""
        return [
            self.primary,
            self.accent,
            HexColor("#9aa7b4"),
            HexColor("#d8a23a"),
            HexColor("#6d4c73"),
            HexColor("#4d7c6a"),
            HexColor("#c46a4a"),
        ]

    def styles(self) -> dict[str, ParagraphStyle]:
        """The paragraph styles by name: body, lead, h1, h2, h3, quote, caption, note, cells."""
        size = self.size
        body = ParagraphStyle(
            "body", fontName=self.regular, fontSize=size, leading=size * 1.42,
            textColor=self.ink, spaceAfter=size * 0.68, alignment=TA_LEFT,
            allowWidows=0, allowOrphans=0,
        )

        def derive(name: str, **changes: object) -> ParagraphStyle:
            return ParagraphStyle(name, parent=body, **changes)

        head = {"fontName": self.heading, "textColor": self.primary, "keepWithNext": 1}
        return {
            "body": body,
            "just": derive("just", alignment=TA_JUSTIFY),
            "lead": derive(
                "lead", fontSize=size * 1.28, leading=size * 1.8, textColor=self.primary,
                spaceAfter=size * 1.1,
            ),
            "h1": derive("h1", **head, fontSize=21, leading=25, spaceAfter=10),
            "h2": derive(
                "h2", **head, fontSize=12.6, leading=16, spaceBefore=9, spaceAfter=4
            ),
            "h3": derive(
                "h3", **{**head, "textColor": self.ink}, fontSize=size + 0.6,
                leading=size * 1.45, spaceBefore=5, spaceAfter=2,
            ),
            "bullet": derive(
                "bullet", leftIndent=12, bulletIndent=1, spaceAfter=size * 0.34
            ),
            "quote": derive(
                "quote", fontName=self.italic, fontSize=size * 1.5, leading=size * 2.05,
                textColor=self.primary, spaceAfter=3,
            ),
            "caption": derive(
                "caption", fontName=self.bold, fontSize=size - 0.7, leading=size * 1.3,
                spaceBefore=4, spaceAfter=3, keepWithNext=1,
            ),
            "note": derive(
                "note", fontSize=size - 1.9, leading=size * 1.12, textColor=self.muted,
                spaceBefore=2, spaceAfter=5,
            ),
            "cell": derive("cell", fontSize=size - 1, leading=size * 1.2, spaceAfter=0),
            "cellb": derive(
                "cellb", fontName=self.bold, fontSize=size - 1, leading=size * 1.2, spaceAfter=0
            ),
            "cellr": derive(
                "cellr", fontSize=size - 1, leading=size * 1.2, spaceAfter=0, alignment=TA_RIGHT
            ),
            "cellh": derive(
                "cellh", fontName=self.bold, fontSize=size - 1, leading=size * 1.2,
                spaceAfter=0, textColor=white,
            ),
            "cellhr": derive(
                "cellhr", fontName=self.bold, fontSize=size - 1, leading=size * 1.2,
                spaceAfter=0, textColor=white, alignment=TA_RIGHT,
            ),
            "centre": derive("centre", alignment=TA_CENTER),
        }


def num(value: float, digits: int = 1) -> str:
    """A number as accounts print it: thousands separated, negatives in brackets."""
    text = f"{abs(value):,.{digits}f}"
    return f"({text})" if value < 0 and float(text.replace(",", "")) != 0 else text


def change(now: float, before: float) -> str:
    """The change from ``before`` to ``now`` in per cent with its sign, one decimal."""
    return f"{(now - before) / before * 100:+.1f}%"
