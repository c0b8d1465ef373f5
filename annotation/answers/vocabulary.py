"""The words around numbers: scales, currencies, units, months, and what changes a number's meaning.

Words are case-folded and without a final full stop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

_Meaning = TypeVar("_Meaning")


def _by_word(words_by_meaning: Mapping[_Meaning, str]) -> dict[str, _Meaning]:
    """Word → what it means."""
    return {word: meaning for meaning, words in words_by_meaning.items() for word in words.split()}


_LONG_SCALE = frozenset(
    [
        "ca",
        "cs",
        "da",
        "de",
        "es",
        "et",
        "fi",
        "fr",
        "gl",
        "hr",
        "hu",
        "is",
        "it",
        "nb",
        "nl",
        "no",
        "pl",
        "sk",
        "sl",
        "sr",
        "sv",
    ]
)
"""Languages in which a “billion” is a million millions."""

_COMMA_DECIMAL = _LONG_SCALE | frozenset(
    [
        "be",
        "bg",
        "el",
        "eu",
        "id",
        "ka",
        "kk",
        "lt",
        "lv",
        "mk",
        "pt",
        "ro",
        "ru",
        "sq",
        "tr",
        "uk",
        "vi",
    ]
)

_LANGUAGE_NAMES = {
    "german": "de",
    "deutsch": "de",
    "french": "fr",
    "français": "fr",
    "spanish": "es",
    "español": "es",
    "italian": "it",
    "italiano": "it",
    "portuguese": "pt",
    "português": "pt",
    "dutch": "nl",
    "nederlands": "nl",
    "russian": "ru",
    "polish": "pl",
    "swedish": "sv",
    "danish": "da",
    "norwegian": "no",
    "finnish": "fi",
    "czech": "cs",
    "turkish": "tr",
}


def language_code(language: str | None) -> str:
    """``de`` for ``de-AT``, ``DE`` or ``German``; English where nothing is stated."""
    name = re.split(r"[-_,; ]", (language or "en").strip().casefold())[0]
    return _LANGUAGE_NAMES.get(name, name)


def decimal_mark(language: str) -> str:
    """The mark before the decimals in a language, given as its code."""
    return "," if language in _COMMA_DECIMAL else "."


_SCALES = _by_word(
    {
        2: "hundred",
        3: "k thousand thousands tsd tausend mille mila mil duizend тыс тысяч тысячи",
        5: "lakh lakhs लाख",
        6: "mn mln mio mill million millions millionen millón millones milione milioni milhão "
        "milhões miljoen milj млн миллион миллиона миллионов",
        7: "crore crores करोड़",
        9: "bn bln mrd md mds mld milliard milliards milliarde milliarden miliardo miliardi bilhão "
        "bilhões miljard млрд миллиард миллиарда миллиардов",
        12: "tn trn trillion trillions billón billones biljoen bilione bilioni трлн",
    }
)
_BILLIONS = frozenset(("billion", "billions", "billionen"))
_CAPITALS = {"K": 3, "M": 6, "B": 9}
_WITH_CURRENCY = {"m": 6, "mm": 6, "b": 9, "t": 3, "tr": 12}

CJK_SCALES = {"万亿": 12, "千": 3, "万": 4, "萬": 4, "億": 8, "亿": 8, "兆": 12}


def scale_exponent(word: str, language: str, *, with_currency: bool) -> int | None:
    """The power of ten that a word denotes; None if it is no scale.

    Args:
        word: as written: ``M`` is a million, ``m`` only next to a currency.
    """
    if word in _CAPITALS:
        return _CAPITALS[word]
    folded = word.casefold()
    if folded in _BILLIONS:
        return 12 if language in _LONG_SCALE else 9
    if with_currency and folded in _WITH_CURRENCY:
        return _WITH_CURRENCY[folded]
    return _SCALES.get(folded)


CURRENCIES = _by_word(
    {
        "USD": "$ us$ usd dollar dollars",
        "EUR": "€ eur euro euros",
        "GBP": "£ gbp",
        "JPY": "¥ jpy yen 円",
        "CNY": "cny rmb yuan 元 人民币 元人民币",
        "INR": "₹ inr rs rupee rupees",
        "BRL": "r$ brl real reais",
        "CHF": "chf franken",
        "RUB": "₽ rub руб рублей рубля рубль",
        "CAD": "c$ ca$ cad",
        "AUD": "a$ au$ aud",
    }
)

RATES = _by_word(
    {
        "%": "% percent pct prozent procent percento процент процента процентов パーセント",
        "pp": "pp ppt",
        "bps": "bps bp",
        "‰": "‰",
    }
)

_UNIT_NAMES = {
    "km": "kilometre kilometres kilometer kilometers",
    "m": "metre metres meter meters",
    "cm": "centimetre centimetres centimeter centimeters",
    "mm": "millimetre millimetres millimeter millimeters",
    "mi": "mile miles",
    "ft": "foot feet",
    "kg": "kilogram kilograms kilogramme kilogrammes",
    "g": "gram grams gramme grammes",
    "t": "tonne tonnes ton tons",
    "lb": "lbs",
    "s": "sec secs second seconds",
    "min": "mins minute minutes",
    "h": "hr hrs hour hours",
    "day": "days",
    "week": "weeks",
    "month": "months",
    "year": "years yr yrs",
    "kw": "kilowatt kilowatts",
    "mw": "megawatt megawatts",
    "gw": "gigawatt gigawatts",
    "kwh": "",
    "mwh": "",
    "gwh": "",
    "twh": "",
    "°c": "celsius",
    "°f": "fahrenheit",
    "x": "times fold",
    "ha": "hectare hectares",
    "m2": "sqm",
}
UNITS = {word: unit for unit, words in _UNIT_NAMES.items() for word in (unit, *words.split())}

ONE_WORD = {
    "per cent": "percent",
    "pour cent": "percent",
    "por ciento": "percent",
    "por cento": "percent",
    "per cento": "percent",
    "في المئة": "percent",
    "percentage points": "pp",
    "percentage point": "pp",
    "prozentpunkte": "pp",
    "points de pourcentage": "pp",
    "basis points": "bps",
    "basis point": "bps",
    "basispunkte": "bps",
    "us dollars": "usd",
    "u.s. dollars": "usd",
    "pounds sterling": "gbp",
    "mil millones": "milliard",
    "degrees celsius": "°c",
    "degree celsius": "°c",
    "degrees fahrenheit": "°f",
}
"""Phrases that are read as one word."""

NUMBER_WORDS = {
    **{
        word: number
        for number, word in enumerate(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ]
        )
    },
    **{
        word: 10 * tens
        for tens, word in enumerate(
            ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=3
        )
    },
}
"""English."""

FILLERS = frozenset(
    [
        "a",
        "about",
        "almost",
        "an",
        "and",
        "approx",
        "approximately",
        "are",
        "around",
        "at",
        "by",
        "c",
        "ca",
        "circa",
        "d",
        "de",
        "del",
        "der",
        "des",
        "di",
        "die",
        "du",
        "el",
        "en",
        "environ",
        "es",
        "for",
        "from",
        "il",
        "in",
        "is",
        "it",
        "its",
        "la",
        "las",
        "le",
        "les",
        "los",
        "nearly",
        "of",
        "on",
        "or",
        "per",
        "roughly",
        "rund",
        "some",
        "that",
        "the",
        "they",
        "to",
        "total",
        "totaling",
        "total",
        "up",
        "was",
        "were",
        "which",
        "with",
    ]
)
"""Words that are no part of a unit."""

NEGATIVE = frozenset(("minus", "negative", "negativ", "moins", "menos", "meno", "минус"))

LIMITS = re.compile(
    r"\b(?:(?:more|less|fewer|greater|higher|lower|mehr|weniger) (?:than|als)"
    r"|(?:plus|moins|más|menos) de|no more than|at (?:least|most)|up to|over|under|above|below"
    r"|not|isn't|wasn't|mindestens|höchstens|über|unter|nicht|au moins|au plus|al menos|pas|[<>≤≥])"
    r"\s*$"
)
"""What makes the number after it a limit, or denies it."""

DECLINES = re.compile(
    r"\b(?:decreas|declin|fell|fall|drop|loss|lost|lower|reduc|down|shrank|shrunk|gesunken|rückgang"
    r"|verlust|baisse|perte|recul|caída|pérdida|descen)"
)
"""Words that can replace a minus sign."""

MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january jan januar jänner janvier enero gennaio janeiro januari",
            "february feb februar février fevrier febrero febbraio fevereiro februari",
            "march mar märz maerz mars marzo março maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug août aout agosto augustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct okt oktober octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dez dezember décembre diciembre dicembre dezembro",
        ),
        start=1,
    )
    for name in names.split()
}
