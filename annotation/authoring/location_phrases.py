"""Phrases that point at a place instead of saying what is meant: one expression a kind.

They are English first; the words for documents, pages, tables and charts of French, German,
Spanish, Italian, Portuguese and Dutch are listed too, since the collections of ViDoRe V3 are
not all English. All quantifiers are bounded, so that no text takes long.
"""

from __future__ import annotations

import re

_PAGE_ELEMENT = (
    r"(?:documents?|papers?|pdfs?|files?|slides?|slideshow|slide\s+decks?|decks?|presentations?"
    r"|brochures?|leaflets?|flyers?|booklets?|manuals?|guides?|guidelines?|guidebooks?|handbooks?"
    r"|articles?|texts?|passages?|excerpts?|contexts?|filings?|reports?|books?|publications?)"
)
_PART = (
    r"(?:pages?|sections?|sub-?sections?|chapters?|paragraphs?|tables?|figures?|charts?|graphs?"
    r"|plots?|diagrams?|maps?|images?|pictures?|photos?|photographs?|illustrations?|screenshots?"
    r"|infographics?|appendix|appendices|annex|annexes|footnotes?|captions?|columns?|rows?)"
)
_ANY = rf"(?:{_PAGE_ELEMENT}|{_PART})"
# What "this" points at on the screen, and "the" does not.
_DOCUMENT_KIND = (
    r"(?:survey|study|questionnaire|letter|invoice|contract|agreement|complaint|form|memo)"
)
_ADJECTIVE = r"(?:[a-z][a-z-]{1,20}\s+)"
_DIGITS = r"\d{1,4}(?:[.\-–]\d{1,4}){0,4}[a-z]?"
_COUNT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty)"
)
_NUMERAL = rf"(?:{_DIGITS}|{_COUNT}|(?-i:[IVX]{{2,7}}|[A-HVX]))"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|next"
    r"|previous|\d{1,3}(?:st|nd|rd|th))"
)
_SHOWN_HOW = (
    r"(?:shown|given|listed|described|mentioned|provided|depicted|illustrated|stated|discussed)"
)
_OF_A_PAGE = rf"of\s+(?:the\s+|a\s+)?{_ADJECTIVE}?(?:{_PART}|slides?|documents?|pdf)\b"
# "the report on water quality" names it, "the report" alone does not.
_UNNAMED = r"(?!\s+(?:of|on|by|about|for|from|titled|entitled|called|named|published|issued)\b)"
_EXPRESSIONS = (
    # this document, these slides, the following table, the attached annual report
    rf"\b(?:this|these|(?:the|our)\s+(?:above|below|following|given|provided|attached|enclosed"
    rf"|present|current|cited|same|aforementioned|preceding))\s+{_ADJECTIVE}?{_ANY}\b",
    rf"\bthis\s+{_DOCUMENT_KIND}\b",
    r"\bthat\s+(?:pages?|tables?|slides?|pdf)\b",
    # the table below, the charts shown here
    rf"\bthe\s+{_ADJECTIVE}?{_ANY}\s+(?:{_SHOWN_HOW}\s+)?(?:above|below|here|overleaf)\b",
    rf"\b{_SHOWN_HOW}\s+(?:above|below|here|overleaf)\b",
    # according to the report, in the slides, title of the chart
    rf"\b(?:according\s+to|based\s+on|looking\s+at|as\s+per|per|in|from|within|on|throughout"
    rf"|regarding)\s+(?:the|our)\s+{_ANY}\b{_UNNAMED}",
    rf"\bof\s+the\s+(?!figures\b){_ANY}\b(?!\s+(?:with|whose)\b){_UNNAMED}",
    rf"(?:(?<=\bdoes\s)|(?<=\bdo\s)|(?<=\bdid\s))the\s+{_ANY}\b{_UNNAMED}",
    r"\bthe\s+authors?\b(?!\s+of\b)",
    # page 4, pp. 3-5, page three, table 2, fig. 3, section 4.2, appendix B
    rf"\b(?:pages?|slides?|tables?|figures?|charts?|graphs?|sections?|chapters?|paragraphs?"
    rf"|exhibits?|appendix|annex|columns?|rows?|footnotes?|box)\s+(?:no\.?\s*|number\s+)?"
    rf"{_NUMERAL}\b(?:(?:\s?,|\s(?:and|or|to|&))\s{_DIGITS}\b){{0,6}}",
    r"\bpages?\s+(?-i:[ivxl]{1,6})\b",
    r"\b(?:pp?|pgs?|figs?|tabs?|tbls?|secs?|sects?|chaps?|paras?|app)\.\s{0,2}\d{1,4}"
    r"(?:[.\-–]\d{1,4}){0,4}[a-z]?\b",
    r"§{1,2}\s{0,2}\d{1,4}(?:\.\d{1,4}){0,4}",
    # the first chart, 3rd column, the last page, on the cover
    rf"\b{_ORDINAL}\s+{_PART}\b",
    r"\b(?:cover|title|front|back)\s+page\b",
    r"\bon\s+the\s+(?:front\s+|back\s+)?cover\b(?!\s+of\b)",
    r"\btable\s+of\s+contents\b",
    # at the top, in the upper left corner, on the right side of the page
    rf"\b(?:at|on|in|from)\s+the\s+(?:very\s+)?(?:top|bottom|upper|lower|left|right|middle|margin)"
    rf"(?:[\s-](?:left|right|hand|half|part|side|corner|margin)){{0,3}}\s+{_OF_A_PAGE}",
    r"\b(?:at|in)\s+the\s+(?:top|bottom|upper|lower)[\s-](?:left|right)(?:[\s-]hand)?"
    r"(?:\s+(?:side|corner))?\b(?!\s+of\b)",
    r"\bat\s+the\s+(?:very\s+)?(?:top|bottom)\b(?!\s+(?:of\b|end\b|\d))",
)
_EXPRESSIONS_ELSEWHERE = (
    # ce document, dieses Dokument, este documento, questo documento, dit document
    r"\b(?:ce|cet|cette|ces|dies(?:e[smnr]?)?|este|esta|estos|estas|quest[oaei]|neste|nesta|deste"
    r"|desta|dit|deze)\s+(?:document[os]?|documenti|dokuments?|rapports?|berichte?s?|informes?"
    r"|relatórios?|rapport[oi]|pages?|seiten?|páginas?|pagin[ae]|pagina['’]?s?|tableaux?|tabellen?"
    r"|tablas?|tabelas?|tabell[ae]|tabel|figures?|figuras?|figur[ae]|figuur|abbildung(?:en)?"
    r"|graphiques?|gráfic[oa]s?|grafic[oi]|diagramme?s?|folien?|diapositiv[ae]s?|diapositivas?)\b",
    r"\b(?:seiten?|páginas?|pagina|tableaux?|tabelle|tabla|tabela|tabella|tabel|figuras?|figura"
    r"|figuur|abbildung|abb\.|abschnitt|kapitel|chapitre|capítulo|capitolo|hoofdstuk|folie"
    r"|diapositive|diapositiva|anhang|annexe|anexo|allegato|bijlage)\s+(?:n[°º.]\s*)?"
    r"\d{1,4}(?:\.\d{1,4}){0,4}\b",
    r"\b(?:ci-dessus|ci-dessous|ci-après|ci-contre|oben\s+(?:genannt|gezeigt)e?[nrsm]?"
    r"|unten\s+(?:genannt|gezeigt)e?[nrsm]?|siehe\s+(?:oben|unten)|nachstehende[nrsm]?)\b",
)
LOCATION_PATTERNS = tuple(
    re.compile(expression, re.IGNORECASE) for expression in (*_EXPRESSIONS, *_EXPRESSIONS_ELSEWHERE)
)
"""Each finds one kind of phrase; what they find may overlap."""

FILE_NAME = re.compile(
    r"\b[\w.()\[\]-]{1,120}\.(?:pdf|docx?|pptx?|xlsx?|csv|txt|jpe?g|png)\b", re.I
)
"""A file's name, whoever's it is."""
