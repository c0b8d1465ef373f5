"""A scanned letter with a certificate: two pages that are pictures without a text layer."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scripts.demo_documents.book import Built

NAME = "scan-brackwater-lifting-certificate.pdf"
_FONTS = Path(reportlab.__file__).parent / "fonts"
_WIDTH, _HEIGHT = 1240, 1754  # A4 at 150 dpi
_LEFT = 150
_QUALITY = 48

_LETTER = """\
Ostrander & Pell
Engineering surveyors

19 Chandlers Row, Brackwater
Telephone 0555 018 442

                                            21 May 2024
Our reference: OP/24/1187

The Depot Manager
Northfield Rail Group plc
Brackwater Depot

Dear Ms Larkspur,

Lifting jacks, road 3

I examined the four synchronised lifting jacks on road 3
on 16 May. The certificate is enclosed. Three jacks may be
used without restriction.

The screw of jack number 2 shows wear of 1.9 mm against a
limit of 2.0 mm. It may lift no more than 9 tonnes until the
screw has been renewed, which must be done before
30 August 2024. Please send me the maker's record when the
work is complete.

The locking pin that was missing in November has been
replaced. I thank your apprentices for having the pit
cleaned before I arrived.

Yours sincerely,



H. J. Ostrander
Surveyor
"""
_CERTIFICATE = """\
CERTIFICATE OF THOROUGH EXAMINATION
Lifting equipment              No. LE 40-7731

Owner        Northfield Rail Group plc
Place        Brackwater Depot, road 3
Examined     16 May 2024
Next due     15 November 2024
Standard     12 months or 500 lifts

Jack  Serial no.   Rated    Proof load   Result
 1    KT-20611     15 t     18.75 t      Pass
 2    KT-20612     15 t     11.25 t      Restricted
 3    KT-20613     15 t     18.75 t      Pass
 4    KT-20619     15 t     18.75 t      Pass

Lifts counted since last examination:  212

Defects that could become a danger:
 Jack 2, lifting screw worn. Derated to 9 t.

Defects put right since last time:
 Locking pin, jack 4.




Surveyor: H. J. Ostrander        Date: 21 May 2024
"""


def build(path: Path) -> Built:
    """Write the scan: a letter and the certificate enclosed with it."""
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    canvas.setTitle("Scan 0047")
    for number, (text, slant) in enumerate(((_LETTER, 0.7), (_CERTIFICATE, -1.1)), 1):
        page = _typed(text)
        if number == 2:
            _stamp(page)
        canvas.drawImage(ImageReader(_scanned(page, slant, seed=number)), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return Built(2, {"letter": 1, "certificate": 2})


def text_rows() -> list[dict[str, object]]:
    """The text of both pages as a recognition service would return it (OCR JSONL rows)."""
    return [
        {"file": NAME, "service": "demo", "page_number": number, "total_pages": 2, "text": text}
        for number, text in enumerate((_LETTER, _CERTIFICATE), 1)
    ]


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONTS / name), size)


def _typed(text: str) -> Image.Image:
    """The text as a typewriter sets it, its first line large, with a signature."""
    page = Image.new("L", (_WIDTH, _HEIGHT), 246)
    draw = ImageDraw.Draw(page)
    plain, bold = _font("com_____.pfb", 25), _font("cob_____.pfb", 38)
    y = 170
    for number, line in enumerate(text.splitlines()):
        draw.text((_LEFT, y), line, fill=38, font=plain if number else bold)
        y += 37 if number else 58
        if line.startswith(("Yours", " Locking")):
            _sign(draw, _LEFT + 10, y + 60)
    return page


def _sign(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
    """A signature: loops of a pen, which get smaller towards the end."""
    t = np.linspace(0, 1, 240)
    xs = x + 300 * t + 26 * np.sin(34 * t)
    ys = y - 34 * (1 - 0.75 * t) * np.sin(27 * t + 0.4) - 14 * t
    points = list(zip(xs.tolist(), ys.tolist(), strict=True))
    draw.line(points, fill=60, width=4, joint="curve")


def _stamp(page: Image.Image) -> None:
    """A round stamp over the lower right corner."""
    draw = ImageDraw.Draw(page)
    x, y, radius = _WIDTH - 330, _HEIGHT - 430, 120
    for inset, width in ((0, 6), (16, 2)):
        r = radius - inset
        draw.ellipse((x - r, y - r, x + r, y + r), outline=120, width=width)
    bold = _font("cob_____.pfb", 26)
    for place, line in enumerate(("OSTRANDER", "& PELL", "24 MAY 2024")):
        draw.text((x, y - 36 + 36 * place), line, fill=120, font=bold, anchor="mm")


def _scanned(page: Image.Image, slant: float, seed: int) -> BytesIO:
    """The page as a scanner sees it: turned a little, shaded at the edge, with noise; a JPEG."""
    turned = page.rotate(slant, Image.Resampling.BICUBIC, fillcolor=236)
    noise = np.random.default_rng(seed).normal(0, 7, (_HEIGHT, _WIDTH))
    shade = np.clip(60 - np.arange(_WIDTH), 0, None) * 1.4
    grey = np.clip(np.asarray(turned, dtype=float) + noise - shade, 0, 255)
    data = BytesIO()
    Image.fromarray(grey.astype(np.uint8)).save(data, "JPEG", quality=_QUALITY)
    data.seek(0)
    return data
