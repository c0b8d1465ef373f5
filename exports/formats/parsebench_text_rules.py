"""Test rules of a page's text, derived from its Markdown as ParseBench's dataset has them.

Content: bags of words, sentences and digits, each for what is missing, unexpected or repeated, and
the order of each two sentences in a row. Formatting: bold, italic, struck out, superscript,
subscript, underlined and highlighted text, and titles. A text that equals the Markdown passes all.
Sources: Zhang et al. 2026, sections 3.3, 3.4 and B.2; run-llama/ParseBench, data-test/README.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

MIN_WORD = 2
"""Shorter words are not counted, unless in a script without spaces."""
MIN_SENTENCE = 7
"""Characters; what is shorter between two sentence ends goes on to the next end."""
LONG_SENTENCE = 20
"""Characters from which a sentence is looked for within words, too."""

MANY_SENTENCES = 100
"""Sentences of one length from which looking up all of them at once is faster."""

Payload = dict[str, Any]

_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_TAG = re.compile(r"<[^<>]*>")
_TABLE = re.compile(r"<table\b.*?(?:</table\s*>|\Z)", re.IGNORECASE | re.DOTALL)
# Ends before the next opening tag, so that many unclosed ones take linear time.
_SCRIPT = re.compile(r"<(su[bp])\b[^<>]*>(?:(?!<su[bp]\b).)*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_SENTENCE_END = re.compile(r"\n+|(?<!\d)\.(?!\d)|[!?]+|[。、，！？；…‥⋯]+")
_INLINE_RULES = {
    "strong": "is_bold",
    "em": "is_italic",
    "s": "is_strikeout",
    "del": "is_strikeout",
    "sup": "is_sup",
    "sub": "is_sub",
    "u": "is_underline",
    "mark": "is_mark",
    "b": "is_bold",
    "i": "is_italic",
}
_INLINE_TAG = re.compile(r"<(/?)(\w+)\s*>")


class TextRule(NamedTuple):
    """A rule without its id: its type and what it is about."""

    type: str
    payload: Payload


def content_rules(markdown: str) -> list[TextRule]:
    """The rules on words, sentences, digits and their order; none for a text without words."""
    plain = plain_text(markdown)
    words = _word_bag(plain.whole)
    sentences = [sentence.text for sentence in _sentences(plain.body) if not sentence.is_joined]
    literal_bag = _sentence_bag(sentences, plain.whole)
    bag_with_rows = _sentence_bag([text for text, _ in _sentences(plain.rows)], plain.whole)
    digits = Counter(character for character in plain.whole if character in "0123456789")
    rules = []
    if literal_bag:
        rules.append(TextRule("missing_sentence_percent", {"bag_of_sentence": literal_bag}))
    if bag_with_rows:
        payload = {"bag_of_sentence": bag_with_rows, "original_md": markdown}
        rules.append(TextRule("unexpected_sentence_percent", payload))
    if literal_bag:
        payload = {"bag_of_sentence": literal_bag}
        rules.append(TextRule("too_many_sentence_occurence_percent", payload))
    if words:
        rules += [
            TextRule(kind, {"bag_of_word": words})
            for kind in (
                "missing_word_percent",
                "unexpected_word_percent",
                "too_many_word_occurence_percent",
            )
        ]
    if digits:
        in_order = {digit: digits[digit] for digit in sorted(digits)}
        rules.append(TextRule("bag_of_digit_percent", {"bag_of_digit": in_order}))
    return rules + [
        TextRule("order", {"before": before, "after": after})
        for before, after in pairwise(sentences)
    ]


def formatting_rules(markdown: str) -> list[TextRule]:
    """The rules on titles and on text that is bold, struck out and so on, each once."""
    rules: dict[tuple[str, str], Payload] = {}
    tokens = _MARKDOWN.parse(markdown)
    for token, inline in pairwise(tokens):
        text = _inline_text(inline.children or ()) if token.type == "heading_open" else ""
        if text and "\n" not in text:
            rules.setdefault(("is_title", text), {"text": text, "level": int(token.tag[1:])})
    for token in tokens:
        for kind, text in _formatted_texts(token.children or ()):
            if any(map(str.isalnum, text)):
                rules.setdefault((kind, text), {"text": text})
    return [TextRule(kind, payload) for (kind, _), payload in rules.items()]


class _Sentence(NamedTuple):
    """A sentence; ``is_joined``: of several stretches, so the text may not have it literally."""

    text: str
    is_joined: bool


class PlainText(NamedTuple):
    """A text without markup, alt texts, and superscripts and subscripts.

    Attributes:
        whole: with the cells of tables.
        rows: with the rows of Markdown tables as lines, without HTML tables.
        body: without tables.
    """

    whole: str
    rows: str
    body: str


def plain_text(markdown: str) -> PlainText:
    """The text that ParseBench compares: one line per block of Markdown.

    Its program takes superscripts and subscripts out of words: “note<sup>1</sup>” counts as “note”.
    """
    whole, rows, body = [], [], []
    cells: list[str] | None = None
    for token in _MARKDOWN.parse(markdown):
        if token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and cells is not None:
            rows.append(" | ".join(cells))
            cells = None
        elif token.type == "html_block":
            html = _SCRIPT.sub("", token.content)
            whole.append(_TAG.sub(" ", html))
            rows.append(_TAG.sub(" ", _TABLE.sub(" ", html)))
            body.append(rows[-1])
        elif token.type in ("inline", "code_block"):
            text = (
                _inline_text(token.children or (), with_scripts=False)
                if token.type == "inline"
                else token.content
            )
            whole.append(text)
            if cells is not None:
                cells.append(text)
            else:
                rows.append(text)
                body.append(text)
    return PlainText("\n".join(whole), "\n".join(rows), "\n".join(body))


def _inline_text(tokens: Iterable[Token], *, with_scripts: bool = True) -> str:
    texts = []
    script = ""
    for token in tokens:
        is_end, tag = _inline_tag(token)
        if tag in ("sup", "sub") and not with_scripts:
            script = "" if is_end else tag
        elif script:
            continue
        elif token.type in ("text", "code_inline"):
            texts.append(f"{token.markup}{token.content}{token.markup}")
        elif token.type in ("softbreak", "hardbreak"):
            texts.append("\n")
        elif token.type == "html_inline" and token.content.lower().startswith("<br"):
            texts.append(" ")
    return "".join(texts)


def _formatted_texts(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Rule and text of each formatted stretch that has no other formatting within."""
    opened: tuple[str, list[Token]] | None = None
    for token in tokens:
        is_end, tag = _inline_tag(token)
        if tag in _INLINE_RULES and not is_end:
            opened = (tag, [])
        elif opened is not None and tag == opened[0] and is_end:
            text = _inline_text(opened[1])
            if text == text.strip() and "\n" not in text:
                yield _INLINE_RULES[tag], text
            opened = None
        elif opened is not None:
            opened[1].append(token)


def _inline_tag(token: Token) -> tuple[bool, str]:
    """Whether a token ends an element, and the element's tag; empty where it is none."""
    if token.type == "html_inline":
        match = _INLINE_TAG.fullmatch(token.content)
        return (bool(match[1]), match[2].lower()) if match else (False, "")
    if token.type.endswith(("_open", "_close")):
        return token.nesting < 0, token.tag
    return False, ""


def _word_bag(text: str) -> dict[str, int]:
    words = [word.lower() for word in _words(text)]
    counts = Counter(words)
    lowered = text.lower()
    return {
        word: lowered.count(word) if _has_no_spaces(word) else count
        for word, count in counts.items()
    }


def _words(text: str) -> Iterator[str]:
    """Runs of letters, marks and digits; scripts without spaces apart from others."""
    for kind, characters in groupby(text, _character_kind):
        word = "".join(characters)
        if kind == "dense" or (kind == "word" and len(word) >= MIN_WORD):
            yield word


def _character_kind(character: str) -> str:
    if _has_no_spaces(character):
        return "dense"
    is_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return "word" if is_word else "other"


_DENSE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def _has_no_spaces(text: str) -> bool:
    """Whether a text is in Chinese, Japanese or Korean characters."""
    return _DENSE.search(text) is not None


def _sentences(text: str) -> list[_Sentence]:
    """Stretches between sentence ends.

    One that is too short joins the next, and the last the one before it. As in ParseBench's
    program, the punctuation between joined stretches is dropped.
    """
    stretches = [" ".join(stretch.split()) for stretch in _SENTENCE_END.split(text)]
    joined: list[_Sentence] = []
    short = ""
    for stretch in filter(None, stretches):
        sentence = _Sentence(f"{short} {stretch}".strip(), is_joined=bool(short))
        is_short = len(_without_edges(sentence.text)) < MIN_SENTENCE
        short = sentence.text if is_short else ""
        if not is_short:
            joined.append(sentence)
    if short and joined:
        joined[-1] = _Sentence(f"{joined[-1].text} {short}", is_joined=True)
    return [_Sentence(_without_edges(text), is_joined) for text, is_joined in joined]


def _without_edges(text: str) -> str:
    start, end = 0, len(text)
    while start < end and _character_kind(text[start]) == "other":
        start += 1
    while end > start and _character_kind(text[end - 1]) == "other":
        end -= 1
    return text[start:end]


def _sentence_bag(sentences: Iterable[str], text: str) -> dict[str, int]:
    """How often each sentence occurs, in any case and also within others."""
    folded_text = " ".join(text.split()).lower()
    spellings: dict[str, str] = {}
    counts = Counter[str]()
    for sentence in sentences:
        spellings.setdefault(sentence.lower(), sentence)
        counts[sentence.lower()] += 1
    occurrences = _occurrences(counts, folded_text)
    return {spellings[key]: max(n, occurrences[key]) for key, n in counts.items()}


def _occurrences(sentences: Iterable[str], text: str) -> Counter[str]:
    """How often each of different sentences occurs in a text, without overlap.

    Short ones count as whole words only: “director” is not in “directors”. Many sentences of one
    length are looked up at every position, few are searched for one by one, so the time does not
    grow with the number of sentences times the length of the text.
    """
    occurrences = Counter[str]()
    by_length: dict[int, set[str]] = {}
    for sentence in sentences:
        by_length.setdefault(len(sentence), set()).add(sentence)
    for length, group in by_length.items():
        if len(group) > MANY_SENTENCES:
            occurrences += _count_at_once(group, length, text)
        else:
            for sentence in group:
                occurrences[sentence] = _count_one(sentence, text)
    return occurrences


def _count_at_once(sentences: Container[str], length: int, text: str) -> Counter[str]:
    """How often each sentence of one length occurs, by looking at every position of the text."""
    occurrences = Counter[str]()
    ends: dict[str, int] = {}
    for start in range(len(text) - length + 1):
        piece = text[start : start + length]
        if piece in sentences and start >= ends.get(piece, 0) and _counts(text, start, length):
            occurrences[piece] += 1
            ends[piece] = start + length
    return occurrences


def _count_one(sentence: str, text: str) -> int:
    occurrences, start = 0, text.find(sentence)
    while start >= 0:
        is_counted = _counts(text, start, len(sentence))
        occurrences += is_counted
        start = text.find(sentence, start + (len(sentence) if is_counted else 1))
    return occurrences


def _counts(text: str, start: int, length: int) -> bool:
    """Whether a sentence counts at this position: if it is long, or whole words."""
    return length >= LONG_SENTENCE or _is_apart(text, start, start + length)


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether a part of a text neither continues a word nor is continued by one."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not any(character.isalnum() or character == "_" for character in before + after)
