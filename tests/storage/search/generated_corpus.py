"""A generated corpus with many ties, and the benchmark's way of searching it, for the tests."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from sqlalchemy import delete, insert
from whoosh.index import create_in, open_dir
from whoosh.qparser import QueryParser

from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document, Meta, Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.build import build
from pagetrail.storage.search.index import schema, storable

_VOCABULARY = """
    revenue sales income assets liabilities equity cash tax net gross total company segment market
    risk report annual quarter fiscal year growth margin profit loss debt bond share dividend stock
    option lease rent plant equipment goodwill patent license merger 10 2018 2019 3.5 u.s naïve
    straße
"""
WORDS = _VOCABULARY.split()
COMMON = ["company", "the", "of", "and", "total", "year"]
Row = tuple[str, int, int, str]


def pages(count: int, seed: int = 1) -> list[Row]:
    """Pages of which about a third repeat an earlier text, so that scores tie."""
    rng = random.Random(seed)
    rows: list[Row] = []
    file, number, total = 0, 0, 0
    for _ in range(count):
        if number == total:
            file, number, total = file + 1, 0, rng.randint(1, 30)
        number += 1
        if rows and rng.random() < 0.35:
            text = rng.choice(rows)[3]
        else:
            words = rng.choices(WORDS, weights=range(len(WORDS), 0, -1), k=rng.randint(3, 40))
            words += rng.choices(COMMON, k=rng.randint(0, 6))
            rng.shuffle(words)
            text = " ".join(words).capitalize()
        rows.append((f"doc {file:03d}.pdf", number, total, text))
    return rows


ODD = ["the of", "zzzq", "( net", '"', "!! a", "naïve 😀", "AND", "NOT", "x\ty", "'net'", "foo:bar"]


def queries(count: int, seed: int = 2, texts: Sequence[str] = ()) -> list[str]:
    """Queries of every kind of the live syntax, the plain ones most often.

    Args:
        texts: pages whose words and phrases are asked for, instead of those of ``pages``.
    """
    rng = random.Random(seed)

    def run(size: int) -> list[str]:
        """Words that follow one another on a page."""
        while True:
            words = re.findall(r"\w+", rng.choice(texts))
            if len(words) >= size:
                start = rng.randrange(len(words) - size + 1)
                # Operators are the queries' own.
                return [word.lower() for word in words[start : start + size]]

    def word() -> str:
        return run(1)[0] if texts else rng.choice(WORDS)

    def pattern() -> str:
        text = word()
        cut = rng.randint(min(3, len(text)) if texts else 1, len(text))
        kinds = (text[:cut] + "*", "*" + text[-cut:], text[: cut - 1] + "?" + text[cut:])
        return rng.choice(kinds)

    def phrase() -> str:
        size = rng.randint(2, 4) if texts else rng.randint(2, 3)
        is_real = texts and rng.random() < 0.7
        text = " ".join(run(size) if is_real else (word() for _ in range(size)))
        return f'"{text}"' + rng.choice(["", "~3"])

    def leaf() -> str:
        if texts and rng.random() < 0.02:
            return rng.choice(ODD)
        other = (
            f"{word()}^{rng.randint(2, 4)}",
            f"page_number:{rng.randint(1, 9)}",
            f"page_number:[{rng.randint(1, 4)} TO {rng.randint(5, 20)}]",
            f"[{word()} TO {word()}]",
            f'file:"doc {rng.randint(1, 20):03d}.pdf"',
        )
        kind = rng.random()
        if kind < 0.55:
            return word()
        return phrase() if kind < 0.7 else pattern() if kind < 0.85 else rng.choice(other)

    def clause(depth: int) -> str:
        if depth == 0 or rng.random() < 0.3:
            return leaf()
        join = rng.choice([" ", " ", " ", " AND ", " OR ", " ANDNOT ", " ANDMAYBE ", " REQUIRE "])
        parts = [clause(depth - 1) for _ in range(rng.randint(2, 3))]
        text = join.join(("NOT " if rng.random() < 0.1 else "") + part for part in parts)
        return f"({text})" if rng.random() < 0.4 else text

    return [clause(rng.randint(0, 2)) for _ in range(count)]


STARTS = [consonant + vowel for consonant in "bdgl" for vowel in "aeiou"]
_ENDINGS = [middle + end for middle in ("", "n", "r") for end in ("a", "ek", "ing", "os")]


def words_by_start(seed: int = 5) -> list[str]:
    """240 words, the most frequent first; twelve begin with each of ``STARTS``."""
    words = [start + ending for start in STARTS for ending in _ENDINGS]
    random.Random(seed).shuffle(words)
    return words


def pages_by_start(count: int, seed: int = 5) -> list[Row]:
    """Pages of those words: the twelve of a start end one after the other, and a few pages score
    far above the rest, so that unions change their form where some of their words have ended.
    """
    rng, words = random.Random(seed), words_by_start(seed)
    weights = [rank**-1.2 for rank in range(1, len(words) + 1)]
    rows: list[Row] = []
    for number in range(count):
        text = rng.choices(words, weights, k=rng.choice((1, 2, 3, 5, 15)))
        if number % 9 == 0:
            text += [rng.choice(text)] * rng.randint(2, 9)
        rows.append((f"{number // 40}.pdf", number % 40 + 1, 40, " ".join(text)))
    return rows


def optional_patterns(
    count: int, words: Sequence[str], starts: Sequence[str], seed: int
) -> list[tuple[str, int]]:
    """Queries with limits, of words, patterns and optional parts that the engine skips.

    Args:
        words: the most frequent first, which are asked for most often.
        starts: what the patterns begin with.
    """
    rng = random.Random(seed)

    def word() -> str:
        return words[int(len(words) * rng.random() ** 2)]

    def pattern() -> str:
        return rng.choice(starts) + "*"

    def either() -> str:
        return rng.choice((word, pattern))()

    joins = ("ANDMAYBE", "ANDMAYBE", "OR")
    forms = (
        "{optional} {pattern}", "{optional} {pattern}", "{optional} {either}", "{word} {pattern}",
        "{optional} ({either} OR {other})", "{pattern} {either}", "{optional} OR {pattern} {word}",
        "{optional} NOT {either}", "{optional} AND {pattern} ANDNOT {word}",
        "{pattern} ANDMAYBE {optional}",
    )  # fmt: skip
    searches = []
    for _ in range(count):
        optional = f"({word()} {rng.choice(joins)} {pattern()})"
        parts = {"pattern": pattern(), "either": either(), "other": either(), "word": word()}
        query = rng.choice(forms).format(optional=optional, **parts)
        searches.append((query, rng.choice((5, 10, 20, 50))))
    return searches


def build_reference(rows: Iterable[Row], folder: Path) -> Path:
    """Have the reference engine's own writer index the pages in their order, in one segment."""
    index = create_in(folder, schema())
    writer = index.writer(procs=1, multisegment=False, limitmb=256)
    for file, number, total, text in map(storable, rows):
        writer.add_document(file=file, page_number=number, total_pages=total, text=text)
    writer.commit()
    index.close()
    return folder


def build_both(rows: Sequence[Row], folder: Path) -> tuple[str, int]:
    """Our index and, in the same folder, the reference's; the identity and number of pages."""
    build_reference(rows, folder)
    return build(rows, folder)


def reference(folder: Path, query: str, limit: int) -> tuple[list[tuple[str, int, float]], int]:
    """The benchmark's way: open the index, a new searcher, parse, search.

    Returns:
        (file, page, score) in rank order, and the number of matching pages.
    """
    index = open_dir(folder)
    with index.searcher() as searcher:
        parsed = QueryParser("text", schema=index.schema).parse(query)
        results = searcher.search(parsed, limit=limit)
        hits = [(hit["file"], hit["page_number"], hit.score) for hit in results]
        return hits, len(results)


def register(workspace: Workspace, rows: list[Row], revision: int = 1) -> None:
    """Make the rows the corpus, in their order."""
    ids: dict[str, int] = {}
    for file, _, _, _ in rows:
        ids.setdefault(file, len(ids) + 1)
    totals = {file: total for file, _, total, _ in rows}
    page = {"width": 612.0, "height": 792.0, "rotation": 0, "crop_x0": 0.0, "crop_y0": 0.0}
    with write_transaction(workspace.engine) as connection:
        connection.execute(delete(Page))
        connection.execute(delete(Document))
        connection.execute(delete(Meta).where(Meta.key == REVISION_KEY))
        if rows:
            connection.execute(
                insert(Document),
                [
                    {
                        "id": key,
                        "sha256": f"{key:064x}",
                        "name": file,
                        "n_pages": totals[file],
                        "size_bytes": 0,
                        "extractor": "test",
                        "ingested_at": "",
                    }
                    for file, key in ids.items()
                ],
            )
            connection.execute(
                insert(Page),
                [
                    page
                    | {
                        "document_id": ids[file],
                        "number": number,
                        "text": text,
                        "text_source": "jsonl",
                        "order": order,
                    }
                    for order, (file, number, _, text) in enumerate(rows)
                ],
            )
        connection.execute(insert(Meta), [{"key": REVISION_KEY, "value": str(revision)}])
