"""Writes a number as a spreadsheet shows it: percent, currency, thousands, zeros, dates and times.

Marks are English (``1,234.50``, ``Mar``), since a workbook does not say in which language it is
read.
A format that would need a language, a calendar or a condition is refused, never shown differently.
Source: ECMA-376, part 1, 18.8.30 and 18.8.31.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

GENERAL = "General"
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);("$"#,##0.00)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd hh:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);(#,##0)",
    39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)",
    41: '#,##0_);(#,##0);"-"', 42: '"$"#,##0_);("$"#,##0);"$-"',
    43: '#,##0.00_);(#,##0.00);"-"', 44: '"$"#,##0.00_);("$"#,##0.00);"$-"',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""Formats that workbooks name by a number only. 14 and 22 are dates in the notation of the reader's
system, which the file does not have; they are written as in ISO 8601."""

_TOKEN = re.compile(
    r"""
    "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | _(?P<space>.) | \*(?P<fill>.)
    | \[(?P<elapsed>h+|m+|s+)\]
    | \[\$(?P<currency>[^\]-]*)(?:-(?P<language>[0-9A-F]+))?\]
    | \[(?:black|blue|cyan|green|magenta|red|white|yellow|color\s*[0-9]+)\](?P<colour>)
    | (?P<general>General) | (?P<half>AM/PM|A/P) | (?P<date>y+|m+|d+|h+|s+) | E(?P<exponent>[+-])
    | (?P<digit>[0\#?]) | (?P<mark>[.,%/@]) | (?P<literal>[^\[\]A-Z"])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENGLISH, _LANGUAGE_BITS, _MAX_LANGUAGE = 9, 0x3FF, 0xFFFF
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEAP_DAY_OF_1900 = 60
_SHOWN_DIGITS = 11
_MAX_CODE = 255
_PRECISION = 60
_LITERALS = frozenset({"quoted", "escaped", "literal", "currency"})


class UnreadableFormatError(ValueError):
    """A number format that is not read, or that shows this number as ``####``."""


class _Token(NamedTuple):
    kind: str
    text: str


_COMMA = _Token("mark", ",")

_Tokens = Sequence[_Token]


@dataclass(frozen=True)
class _Format:
    """The parts of a format for positive and negative numbers and zero."""

    sections: tuple[_Tokens, ...]

    def part_for(self, value: Decimal) -> tuple[_Tokens, Decimal]:
        """The part for a number, and the number that it shows, without a sign of its own."""
        if len(self.sections) > 1 and value < 0:
            return self.sections[1], -value
        is_zero_part = len(self.sections) > 2 and value == 0
        return self.sections[2 if is_zero_part else 0], value


def shown_number(value: float, code: str, *, from_1904: bool = False) -> str:
    """The text that a cell with this number and format shows, without space around it.

    Args:
        from_1904: whether dates count from 1904.

    Raises:
        UnreadableFormatError: the text is not known.
    """
    try:
        with localcontext(prec=_PRECISION):
            return _shown_number(value, code, from_1904).strip()
    except (InvalidOperation, OverflowError) as error:
        raise UnreadableFormatError(code) from error


def _shown_number(value: float, code: str, from_1904: bool) -> str:
    if len(code) > _MAX_CODE:
        raise UnreadableFormatError(code)
    exact = Decimal(f"{value:.15g}")
    tokens, number = _parsed(code).part_for(exact)
    kinds = {token.kind for token in tokens}
    if kinds & {"date", "elapsed", "half"}:
        return _shown_time(tokens, value, from_1904)
    sign, number = ("-", -number) if number < 0 else ("", number)
    if "general" in kinds or _Token("mark", "@") in tokens:
        text = "".join(_with_general(tokens, number))
    elif "digit" not in kinds:
        text = _literals(tokens)
    else:
        text = _shown_digits(tokens, number)
    has_sign = sign and re.search("[1-9]", text)
    return sign + text.lstrip() if has_sign else text


@lru_cache(maxsize=1_000)
def _parsed(code: str) -> _Format:
    sections: list[list[_Token]] = [[]]
    position = 0
    while position < len(code):
        if code[position] == ";":
            sections.append([])
            position += 1
            continue
        match = _TOKEN.match(code, position)
        if match is None:
            raise UnreadableFormatError(code)
        position = match.end()
        kind = match.lastgroup or ""
        if kind == "language" or match["currency"] is not None:
            _check_language(code, match["currency"], match["language"])
            kind = "currency"
        if kind in ("colour", "fill"):
            continue
        text = " " if kind == "space" else match[kind]
        sections[-1].append(_Token("literal" if kind == "space" else kind, text))
    return _Format(tuple(map(tuple, sections[:3])))


def _check_language(code: str, currency: str, language: str | None) -> None:
    """Refuse a language other than English, unless it only says whose currency it is."""
    number = int(language or "0", 16)
    has_names = re.search(r"mmm|ddd", re.sub(r'"[^"]*"|\\.', "", code), re.IGNORECASE)
    is_foreign = bool(number) and number & _LANGUAGE_BITS != _ENGLISH
    if number > _MAX_LANGUAGE or number in (0xF800, 0xF400) or (is_foreign and has_names):
        raise UnreadableFormatError(code)


def _literals(tokens: _Tokens) -> str:
    marks = {"mark", "digit"}
    return "".join(t.text for t in tokens if t.kind in _LITERALS or t.kind in marks)


def _with_general(tokens: _Tokens, number: Decimal) -> Iterator[str]:
    text = f"{number.normalize():f}"
    if len(text) > _SHOWN_DIGITS:
        raise UnreadableFormatError(GENERAL)
    for token in tokens:
        is_number = token.kind == "general" or token.text == "@"
        yield text if is_number else token.text


def _shown_digits(tokens: _Tokens, number: Decimal) -> str:
    kinds = [token.kind for token in tokens]
    if "exponent" in kinds:
        return _shown_scientific(tokens, kinds.index("exponent"), number)
    if _Token("mark", "/") in tokens:
        return _shown_fraction(tokens, number)
    number *= Decimal(100) ** sum(token == _Token("mark", "%") for token in tokens)
    whole, point, decimals = _split_at_point(tokens)
    places = [n for n, token in enumerate(whole) if token.kind == "digit"]
    grouped = bool(places) and _COMMA in whole[places[0] : places[-1]]
    # Each comma after the last place divides by a thousand.
    number /= Decimal(1_000) ** sum(_n_trailing_commas(part) for part in (whole, decimals))
    n_decimals = sum(token.kind == "digit" for token in decimals)
    rounded = number.quantize(Decimal(1).scaleb(-n_decimals), ROUND_HALF_UP)
    digits, _, rest = f"{rounded:f}".partition(".")
    before = _whole_text(whole, digits.lstrip("0"), grouped)
    after = _decimals_text(decimals, rest)
    return before + (point if after.strip() else "") + after


def _n_trailing_commas(tokens: Sequence[_Token]) -> int:
    places = [n for n, token in enumerate(tokens) if token.kind == "digit"]
    after = tokens[places[-1] + 1 :] if places else tokens
    return len(list(takewhile(_COMMA.__eq__, after)))


def _split_at_point(tokens: _Tokens) -> tuple[list[_Token], str, list[_Token]]:
    point = _Token("mark", ".")
    if point not in tokens:
        return list(tokens), "", []
    index = list(tokens).index(point)
    return list(tokens[:index]), ".", list(tokens[index + 1 :])


def _whole_text(tokens: Sequence[_Token], digits: str, grouped: bool) -> str:
    """The part before the point: digits fill the places from the right."""
    first = next((n for n, token in enumerate(tokens) if token.kind == "digit"), None)
    parts: list[str] = []
    n_digits = 0
    left = list(digits)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.kind != "digit":
            parts += [] if token == _COMMA else [token.text]
            continue
        while True:
            digit = left.pop() if left else {"0": "0", "?": " "}.get(token.text, "")
            if digit:
                parts += (
                    [","] if grouped and n_digits and n_digits % 3 == 0 and digit != " " else []
                )
                parts.append(digit)
                n_digits += 1
            if index != first or not left:
                break
    return ("" if first is not None else "".join(digits)) + "".join(reversed(parts))


def _decimals_text(tokens: Sequence[_Token], digits: str) -> str:
    places = [token.text for token in tokens if token.kind == "digit"]
    shown = list(digits)
    for n in range(len(places) - 1, -1, -1):
        if places[n] == "0" or shown[n] != "0":
            break
        shown[n] = " " if places[n] == "?" else ""
    remaining = iter(shown)
    return "".join(
        next(remaining) if token.kind == "digit" else token.text
        for token in tokens
        if token != _COMMA
    )


def _shown_scientific(tokens: _Tokens, index: int, number: Decimal) -> str:
    mantissa, after = list(tokens[:index]), list(tokens[index + 1 :])
    whole, _, decimals = _split_at_point(mantissa)
    step = max(sum(token.kind == "digit" for token in whole), 1)
    n_decimals = sum(token.kind == "digit" for token in decimals)
    exponent = number.adjusted() // step * step if number else 0
    unit = Decimal(1).scaleb(-n_decimals)
    if number.scaleb(-exponent).quantize(unit, ROUND_HALF_UP) >= Decimal(10) ** step:
        exponent += step
    sign = "-" if exponent < 0 else "+" if tokens[index].text == "+" else ""
    places = sum(token.kind == "digit" for token in after)
    power = f"{abs(exponent):0{places}d}"
    rest = "".join(token.text for token in after if token.kind != "digit")
    return f"{_shown_digits(mantissa, number.scaleb(-exponent))}E{sign}{power}{rest}"


def _shown_fraction(tokens: _Tokens, number: Decimal) -> str:
    code = "".join(token.text for token in tokens)
    match = re.fullmatch(r"(?:([#0?]+) +)?([#0?]+) ?/ ?([#0?]+|[1-9][0-9]*)", code.strip())
    if match is None:
        raise UnreadableFormatError(code)
    exact = Fraction(number)
    fixed = int(match[3]) if match[3].isdecimal() and match[3] != "0" else None
    if fixed is None:
        near = exact.limit_denominator(10 ** len(match[3]) - 1)
        numerator, denominator = near.numerator, near.denominator
    else:
        numerator, denominator = int(exact * fixed + Fraction(1, 2)), fixed
    if match[1] is None:
        return f"{numerator}/{denominator}"
    whole, numerator = divmod(numerator, denominator)
    if not numerator:
        return str(whole)
    return f"{whole} {numerator}/{denominator}" if whole else f"{numerator}/{denominator}"


def _shown_time(tokens: _Tokens, value: float, from_1904: bool) -> str:
    """A date, time or duration."""
    code = "".join(token.text for token in tokens)
    parts = [token for token in tokens if token.kind in ("date", "elapsed")]
    n_decimals = _decimals_of_seconds(tokens)
    seconds = round(Decimal(repr(value)) * 86_400, n_decimals if _has_seconds(parts) else 3)
    has_date = any(token.text[0] in "yYdD" or _is_month(tokens, token) for token in parts)
    if seconds < 0 or any(t.kind in ("digit",) and t.text != "0" for t in tokens):
        raise UnreadableFormatError(code)
    day, in_day = divmod(seconds, 86_400)
    # Excel counts a 29 February 1900; of the days before it programs show different dates.
    if not from_1904 and has_date and day <= _LEAP_DAY_OF_1900:
        raise UnreadableFormatError(code)
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)
    try:
        moment = start + timedelta(days=int(day), seconds=int(in_day))
    except OverflowError as error:
        raise UnreadableFormatError(code) from error
    hours = moment.hour
    is_half = any(token.kind == "half" for token in tokens)
    texts: list[str] = []
    skipped = 0
    for index, token in enumerate(tokens):
        if skipped:
            skipped -= 1
        elif token.kind == "half":
            half = "AM" if hours < 12 else "PM"
            texts.append(half if token.text.upper() == "AM/PM" else half[0])
        elif token.kind == "elapsed":
            unit = {"h": 3_600, "m": 60, "s": 1}[token.text[0].lower()]
            texts.append(f"{int(seconds // unit):0{len(token.text)}d}")
        elif token.kind == "date":
            hour = (hours % 12 or 12) if is_half else hours
            texts.append(_time_part(token.text, moment, hour, _is_minute(tokens, index)))
        elif token == _Token("mark", ".") and n_decimals and tokens[index + 1].kind == "digit":
            texts.append(f"{seconds % 1:.{n_decimals}f}"[1:])
            skipped = n_decimals
        elif token.kind == "digit":
            raise UnreadableFormatError(code)
        else:
            texts.append(token.text)
    return "".join(texts)


def _time_part(text: str, moment: datetime, hour: int, is_minute: bool) -> str:
    letter, length = text[0].lower(), len(text)
    if letter == "y":
        return f"{moment.year:04d}" if length > 2 else f"{moment.year % 100:02d}"
    if letter == "m" and not is_minute and length > 2:
        name = _MONTHS[moment.month - 1]
        return {3: name[:3], 5: name[:1]}.get(length, name)
    if letter == "d" and length > 2:
        name = _DAYS[moment.weekday()]
        return name[:3] if length == 3 else name
    number = {
        "m": moment.minute if is_minute else moment.month,
        "d": moment.day,
        "h": hour,
        "s": moment.second,
    }[letter]
    return f"{number:0{min(length, 2)}d}"


def _is_minute(tokens: _Tokens, index: int) -> bool:
    """Whether ``m`` or ``mm`` means minutes: it follows hours or precedes seconds."""
    if tokens[index].text.lower() not in ("m", "mm"):
        return False
    letters = [
        (n, t.text[0].lower()) for n, t in enumerate(tokens) if t.kind in ("date", "elapsed")
    ]
    place = next(n for n, (position, _) in enumerate(letters) if position == index)
    follows_hours = place > 0 and letters[place - 1][1] == "h"
    return follows_hours or (place + 1 < len(letters) and letters[place + 1][1] == "s")


def _is_month(tokens: _Tokens, token: _Token) -> bool:
    if token.kind != "date" or token.text[0].lower() != "m":
        return False
    places = [n for n, other in enumerate(tokens) if other is token]
    return any(not _is_minute(tokens, n) for n in places)


def _has_seconds(parts: _Tokens) -> bool:
    return any(token.text[0].lower() == "s" for token in parts)


def _decimals_of_seconds(tokens: _Tokens) -> int:
    """The number of zeros after ``s.``."""
    for index, token in enumerate(tokens[:-1]):
        follows_seconds = index > 0 and tokens[index - 1].text[:1].lower() == "s"
        if token == _Token("mark", ".") and follows_seconds:
            zeros = [t for t in tokens[index + 1 :] if t.kind == "digit"]
            return len(zeros)
    return 0
