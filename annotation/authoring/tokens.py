"""Words of questions, answers and pages, in the one form in which the checks compare them.

A word is a run of letters and digits, with its place in the text. It is compared by its *form*:
NFKC, case-folded, without soft hyphens. What is the same under another spelling has the same form:

* hyphens and dots inside a word drop out: ``co-operation`` = ``cooperation``, ``U.S.`` = ``US``;
  a hyphen at a line's end joins the halves (``eco-⏎nomic`` = ``economic``);
* a possessive ``'s`` drops out;
* numbers lose their grouping and the zeros at the end of a fraction: ``1,234`` = ``1234``, also
  with a no-break or thin space for the comma; ``12.50`` = ``12.5``; ``1.234,5`` = ``1,234.5``. One
  comma with three digits behind it groups; one dot is a decimal point. Signs (``%``, ``$``, a
  minus, brackets) are no words.

A compound also has *parts*: it is found on a page that has all its parts (``FY2017`` on a page
with ``FY 2017``). There is no stemming: the question is whether a word is on the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_STOP_WORDS = """
    a an and are as at be been but by can could did do does for from had has have he her his how i
    if in into is it its many me much my of on or our she should so that the their them then there
    these they this those to was we were what when where which who whom whose why with would you
    your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words without content. ``us``, ``may`` and ``will`` are names too, so not among them."""

NEGATIONS = frozenset(
    ("cannot", "except", "neither", "never", "no", "none", "nor", "not", "without")
)

# Marks that belong to the letter before them are no \w; the blocks are those of Indic scripts.
_MARKS = (
    "\u00ad\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
# Scripts written without spaces: each character is a word.
_UNSPACED = (
    "\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
_APOSTROPHES = "'\u2019\u02bc"
_SPACES_IN_NUMBERS = "\u00a0\u2009\u202f"
_ATOM = rf"(?:(?![{_UNSPACED}])[^\W_])(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])*"
_LINE_END = r"[ \t]{0,4}\r?\n[ \t]{0,8}"
_JOINT = rf"(?:[-\u2010\u2011](?:{_LINE_END})?|(?<=\u00ad){_LINE_END}|[{_APOSTROPHES}._])"
_GROUPED = rf"\d{{1,3}}(?:[{_SPACES_IN_NUMBERS}{_APOSTROPHES}]\d{{3}})+(?!\d)(?:[.,]\d+)?"
_NUMBER = rf"{_GROUPED}|\d+(?:[.,]\d+)+|\d+(?!\w)"
_TOKEN = re.compile(rf"(?P<number>{_NUMBER})|[{_UNSPACED}]|{_ATOM}(?:{_JOINT}{_ATOM})*")
_JOINTS = re.compile(rf"[-\u2010\u2011{_APOSTROPHES}._\s]+")
_DROPPED = re.compile("[\u00ad\u200c\u200d]")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s$", re.IGNORECASE)
_LETTERS_OR_DIGITS = re.compile(r"\d+|\D+")

# The token expression of the search engine's analyzer, which then lower-cases and drops its own
# stop words and single characters.
_ENGINE_TOKEN = re.compile(r"\w+(?:\.?\w+)*")
_ENGINE_STOPS = """
    a an and are as at be by can for from have if in is it may not of on or tbd that the this to us
    we when will with yet you your
"""
_ENGINE_STOP_WORDS = frozenset(_ENGINE_STOPS.split())


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        start, end: half-open character offsets in the text.
        forms: how it is compared, the first being the usual one; a number that could be read in
            two ways has both.
        parts: forms of a compound's parts; empty for a plain word.
    """

    start: int
    end: int
    forms: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def form(self) -> str:
        """The usual form."""
        return self.forms[0]


def words(text: str) -> list[Word]:
    """The words of a text in their order."""
    tokens = []
    for match in _TOKEN.finditer(text):
        raw = match.group()
        if match.lastgroup == "number":
            forms, parts = _number(raw)
        else:
            forms, parts = _compound(raw)
        if forms[0]:
            tokens.append(Word(match.start(), match.end(), forms, parts))
    return tokens


def content_words(tokens: Sequence[Word]) -> list[Word]:
    """The words that carry content; where there are none but stop words, these."""
    return [word for word in tokens if word.form not in STOP_WORDS] or list(tokens)


def vocabulary(tokens: Iterable[Word]) -> frozenset[str]:
    """Every form and part of a page's words, and whole numbers without leading zeros."""
    forms: set[str] = set()
    for word in tokens:
        forms.update(word.forms)
        forms.update(word.parts)
    forms |= {form.lstrip("0") for form in forms if form[:1] == "0" and form.isdecimal()}
    return frozenset(forms)


def occurs_in_page(word: Word, page: frozenset[str]) -> bool:
    """Whether the word, or all its parts, are in a page's vocabulary."""
    return any(form in page for form in word.forms) or (
        bool(word.parts) and all(part in page for part in word.parts)
    )


def is_negation(word: Word) -> bool:
    """Whether the word turns a statement round."""
    return word.form in NEGATIONS or word.form.endswith("n't")


def engine_words(text: str) -> list[str]:
    """The different words that the search engine would look for, in their order."""
    engine_tokens = dict.fromkeys(match.group().lower() for match in _ENGINE_TOKEN.finditer(text))
    return [word for word in engine_tokens if len(word) > 1 and word not in _ENGINE_STOP_WORDS]


def _folded(raw: str) -> str:
    return unicodedata.normalize("NFKC", _DROPPED.sub("", raw)).casefold()


def _compound(raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    plain = _folded(_POSSESSIVE.sub("", raw))
    if len(plain) > 3 and plain[-2] in _APOSTROPHES and plain.endswith(("n't", "n\u2019t")):
        return (plain[:-2] + "'t",), ()
    atoms = [atom for atom in _JOINTS.split(plain) if atom]
    parts = [part for atom in atoms for part in _LETTERS_OR_DIGITS.findall(atom)]
    return ("".join(atoms),), tuple(parts) if len(parts) > 1 else ()


def _number(raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    plain = re.sub(rf"[{_SPACES_IN_NUMBERS}{_APOSTROPHES}]", "", raw)
    plain = unicodedata.normalize("NFKC", plain)
    groups = re.split("[.,]", plain)
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return (plain,), ()
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        if _grouped(groups[:-1]):
            return (_decimal("".join(groups[:-1]), groups[-1]),), ()
    elif set(marks) == {","} and _grouped(groups):
        return ("".join(groups),), ()
    elif len(marks) == 1:
        decimal = _decimal(*groups)
        if marks == ["."]:
            return ((decimal, "".join(groups)) if _grouped(groups) else (decimal,)), ()
        return (decimal,), tuple(groups)  # "3,5" is a number or two; "31,2018" lost its space
    elif _grouped(groups):
        return ("".join(groups),), ()
    return (plain,), tuple(groups)


def _grouped(groups: Sequence[str]) -> bool:
    """Whether the digits are grouped as thousands are (1,234,567), or in the Indian way."""
    return (
        0 < len(groups[0]) <= 3
        and not (len(groups) > 1 and groups[0] == "0")
        and all(len(group) in (2, 3) for group in groups[1:-1])
        and (len(groups) == 1 or len(groups[-1]) == 3)
    )


def _decimal(integer_part: str, fraction: str) -> str:
    integer_part = integer_part.lstrip("0") or "0"
    fraction = fraction.rstrip("0")
    return f"{integer_part}.{fraction}" if fraction else integer_part
