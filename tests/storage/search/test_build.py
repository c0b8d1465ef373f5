"""Our builder against the reference's writer, and updates against builds from nothing."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.index import open_dir
from whoosh.reading import IndexReader

from pagetrail.storage.search.arrays import IndexArrays
from pagetrail.storage.search.build import build
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.index import schema
from pagetrail.storage.search.reader import open_reader
from tests.storage.search.generated_corpus import (
    Row,
    build_reference,
    pages,
    reference,
)
from tests.support.randomness import examples

ODD = [
    *("U.S.", "naïve", "İstanbul", "STRASSE", "straße", "the", "The", "a", "A.", "3.5", "x_y"),
    *("ǅ", "e\u0301", "net\u00adsales", "日本語", "x" * 300, "\x00", "\ud800", "1.2.3.", ".."),
]
TEXTS = st.lists(st.sampled_from([*ODD, "net", "net", "sales", "tax"]), max_size=30).map(" ".join)


def walked(reader: IndexReader, field: str, text: bytes) -> list[tuple[object, ...]]:
    """Every posting of a term, with the bounds of its block by which the engine skips."""
    matcher = reader.postings(field, text)
    words = []
    while matcher.is_active():
        positions = matcher.value_as("positions") if field == "text" else None
        bounds = (matcher.block_min_length(), matcher.block_max_length())
        words.append(
            (matcher.id(), matcher.weight(), positions, *bounds, matcher.block_max_weight())
        )
        matcher.next()
    return words


def is_the_reference_s(folder: Path, rows: list[Row], scratch: Path) -> None:
    """All that the engine reads is what it would read from its own files."""
    reader = open_reader(IndexArrays.load(folder), schema())
    with open_dir(build_reference(rows, scratch)).reader() as reference:
        assert reader.doc_count_all() == reference.doc_count_all() == len(rows)
        assert list(reader.all_terms()) == list(reference.all_terms())
        for field, text in reference.all_terms():
            info, other = (source.term_info(field, text) for source in (reader, reference))
            for fact in ("weight", "doc_frequency", "min_length", "max_length", "max_weight",
                         "min_id", "max_id"):  # fmt: skip
                assert getattr(info, fact)() == getattr(other, fact)(), (field, text, fact)
            assert walked(reader, field, text) == walked(reference, field, text), (
                field,
                text,
            )
        assert reader.field_length("text") == reference.field_length("text")
        for index in range(len(rows)):
            assert reader.stored_fields(index) == reference.stored_fields(index)
            lengths = [source.doc_field_length(index, "text", 1) for source in (reader, reference)]
            assert lengths[0] == lengths[1]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def as_rows(texts: list[str]) -> list[Row]:
    return [(f"{n // 3}.pdf", n % 3 + 1, 3, text) for n, text in enumerate(texts)]


def test_postings_blocks_and_lengths_are_the_reference_s(tmp_path: Path) -> None:
    """With lists of several blocks, and pages of every size up to the last of 256 lengths."""
    rng = random.Random(5)
    rows = pages(400)
    for number, words in enumerate((1, 2, 130, 131, 1000, 30_000, 106_373, 106_375), start=1):
        text = " ".join(rng.choices(["net", "sales", "tax"], k=words))
        rows.insert(rng.randrange(len(rows)), ("long.pdf", number, 8, text))
    folder = tmp_path / "ours"
    folder.mkdir()
    build(rows, folder)
    is_the_reference_s(folder, rows, tmp_path)


@examples(60)
@given(texts=st.lists(TEXTS | st.text(max_size=60), min_size=1, max_size=12))
def test_words_are_cut_as_the_reference_cuts_them(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    """Any text: the same terms at the same positions."""
    scratch = tmp_path_factory.mktemp("words")
    (scratch / "ours").mkdir()
    build(as_rows(texts), scratch / "ours")
    is_the_reference_s(scratch / "ours", as_rows(texts), scratch)
    shutil.rmtree(scratch)


def edited(rng: random.Random, rows: list[Row]) -> list[Row]:
    """The rows after one change such as an ingest, an OCR run or a text file makes."""
    rows = list(rows)
    fresh: list[Row] = [
        (f"new {rng.random()}.pdf", n + 1, 3, row[3])
        for n, row in enumerate(pages(3, rng.random()))
    ]
    at = rng.randrange(len(rows) + 1)
    changes: list[Callable[[], object]] = [
        lambda: rows.__setitem__(slice(at, at), fresh),
        lambda: rows.__delitem__(slice(at, at + rng.randint(1, 20))),
        lambda: rows.__setitem__(slice(at, at + 1), [(*fresh[0][:3], rng.choice(ODD))]),
        lambda: rows.__setitem__(slice(at, None), rows[at:][::-1]),
        lambda: rng.shuffle(rows),
        lambda: rows.clear(),
    ]
    rng.choices(changes, weights=[6, 4, 3, 1, 1, 0.2])[0]()
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_an_update_gives_the_files_of_a_full_build(tmp_path: Path, seed: int) -> None:
    """After each of many changes in random order, byte for byte; and the reference's lists."""
    rng = random.Random(seed)
    rows = pages(rng.randint(0, 200), seed)
    current = tmp_path / "0"
    current.mkdir()
    build(rows, current)
    for step in range(1, 13):
        rows = edited(rng, rows)
        updated, full = tmp_path / str(step), tmp_path / f"{step} full"
        updated.mkdir()
        full.mkdir()
        identity = build(rows, updated, old=IndexArrays.load(current))
        assert identity == build(rows, full)
        assert contents(updated) == contents(full)
        shutil.rmtree(current)
        current = updated
    rows = [*rows, *pages(150, seed)]
    (tmp_path / "last").mkdir()
    build(rows, tmp_path / "last", old=IndexArrays.load(current))
    index = WhooshIndex(tmp_path / "last", "id")
    build_reference(rows, tmp_path)
    for query in ("revenue", "company total", '"net income"', "tax OR debt", "sal*"):
        outcome = index.search(query, 10)
        hits = [(hit.file, hit.page, hit.score) for hit in outcome.results]
        assert (hits, outcome.total_hits) == reference(tmp_path, query, 10)


def test_pages_that_stay_are_not_read_again(tmp_path: Path) -> None:
    """An update tokenises what is new."""
    rows = pages(50)
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    build(rows, tmp_path / "old")
    old = IndexArrays.load(tmp_path / "old")
    # A page whose old tokens differ from its text shows where the tokens came from.
    swapped = IndexArrays(**{**vars(old), "digest": old.digest[::-1].copy()})
    build([*rows, ("z.pdf", 1, 1, "zebra")], tmp_path / "new", old=swapped)
    new = IndexArrays.load(tmp_path / "new")
    assert new.length[:50].tolist() != old.length.tolist()
    assert new.length[50] == 1
